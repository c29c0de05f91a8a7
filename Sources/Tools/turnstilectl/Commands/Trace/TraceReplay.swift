import ArgumentParser
import Console
import LiveView
import Settings
import StateMachines
import System
import Trace
import Turnstile

struct TraceReplay: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replay a trace and compare the decisions.",
        discussion: """
            It replays the recorded events with this program's gate, and compares its commands and \
            records with the recorded ones. If they differ, it shows the first difference with the \
            state before it, and ends with 1. With --settings it uses another policy, and shows \
            the records that would have resulted.

            Example: turnstilectl trace replay --state-at 06:10:30
            """)

    @Option(
        help: ArgumentHelp(
            "Show the gate's state at this time (as for --since).", valueName: "time"),
        transform: TraceTime.read)
    var stateAt: TraceTime?
    @Option(
        help: ArgumentHelp("Replay with the policy of this settings file.", valueName: "file"),
        completion: .file())
    var settings: String?
    @Flag(help: "Step through the events on a terminal (? lists the keys).") var step = false
    @OptionGroup var trace: TraceOptions

    func validate() throws {
        if [stateAt != nil, settings != nil, step].count(where: { $0 }) > 1 {
            throw ValidationError("one of --state-at, --settings and --step")
        }
        if stateAt != nil, trace.window.since != nil || trace.window.until != nil {
            throw ValidationError("--state-at is one time: --since and --until do not apply")
        }
    }

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let recording = try trace.read()
        if let stateAt {
            try showState(at: try stateAt.time(in: recording), in: recording, out)
        } else if let settings {
            try compare(recording, with: settings, out)
        } else if step {
            try goThrough(recording)
        } else {
            return try verify(recording, out)
        }
        return .done
    }

    private func verify(_ recording: Recording, _ out: StandardOutput) throws -> ExitStatus {
        let part = try trace.part(of: recording)
        let result = Replay.run(recording, pages: part.pages, counting: part.contains)
        result.reportGaps()
        if let difference = result.difference {
            let page = DifferencePage(
                difference: difference, recording: recording, appearance: out.appearance)
            out.print(page.lines)
            return .refused
        }
        if result.events == 0, result.isWhole { throw trace.nothing(in: recording, part) }
        let count = "\(counted(result.events, "event")), \(counted(result.passages, "passage"))"
        // An incomplete end: by a power failure, or since it is being written.
        let endings = recording.endings(of: part.pages)
        guard result.isWhole, endings.allSatisfy(\.isCutShort) else {
            out.print("\(count): as recorded, as far as it can be replayed", .yellow)
            return .refused
        }
        out.print("\(count): all as recorded", .green)
        return .done
    }

    private func goThrough(_ recording: Recording) throws {
        let part = try trace.part(of: recording)
        guard LiveView.isPossible() else {
            throw CommandError(
                "--step needs a terminal; use 'trace show' elsewhere", .usage)
        }
        let view = try LiveView()
        var stepper = TraceStepper(recording, part, view)
        let isEmpty = stepper.isEmpty
        if !isEmpty { stepper.run() }
        view.close()
        if stepper.leavesOut {
            complain(
                "more than \(TraceStepper.mostSteps) events in ten minutes: the rest of them is "
                    + "not shown; name a shorter time")
        }
        Replay.run(recording, pages: part.pages, counting: part.contains).reportGaps()
        if isEmpty { throw trace.nothing(in: recording, part) }
    }

    private func showState(
        at time: Duration, in recording: Recording, _ out: StandardOutput
    ) throws {
        guard let page = recording.pages.lastIndex(where: { $0.utc(at: $0.time) <= time }) else {
            throw CommandError(
                "nothing was recorded before then: \(recording.extent)", .cannotRead)
        }
        var last = StateSearch(recording.turnstile(at: recording.pages[page]))
        var energised = recording.energised(at: recording.pages[page])
        let result = Replay.run(
            recording, pages: page..<page + 1, counting: { $0 <= time }
        ) { news in
            switch news {
            case .page: break
            case .item(let item, at: let moment):
                guard moment.utc <= time else { return false }
                energised = moment.energised
                last.process(item)
            case .step(let step):
                guard step.utc <= time else { return false }
                energised = step.replayed?.energised ?? []
                last.process(step)
            }
            return true
        }
        result.reportGaps()
        if time > recording.end {
            complain("nothing is recorded of that time: \(recording.extent)")
        }
        switch last {
        case .step(var step):
            step.energised = energised
            out.print("after \(localTime(step.utc, step.clock.local))", .bold)
            out.print(GateStatePage(step, out.appearance).lines)
        case .beginning(let turnstile):
            let clock = recording.pages[page].clock
            out.print(
                GateStatePage(turnstile, energised: energised, clock, out.appearance).lines)
        case .unknown:
            throw CommandError("the state at that time is not known here", .cannotRead)
        }
    }

    private func compare(_ recording: Recording, with path: String, _ out: StandardOutput) throws {
        let other = try Settings.load(path: path)
        let part = try trace.part(of: recording)
        let outcome = WhatIf.run(recording, pages: part.pages, policy: other.policy) {
            part.contains($0)
        }
        outcome.replay.reportGaps()
        if outcome.replay.events == 0 {
            throw outcome.replay.isWhole
                ? trace.nothing(in: recording, part)
                : CommandError("nothing of it can be replayed", .cannotRead)
        }
        out.print(WhatIfPage(outcome: outcome, appearance: out.appearance).lines)
    }
}

/// The state of the gate at a moment, while a page is replayed up to there.
private indirect enum StateSearch {
    /// The state that the page begins with: nothing has happened since.
    case beginning(Turnstile)
    case step(ReplayedStep)
    case unknown

    init(_ turnstile: Turnstile?) { self = turnstile.map { .beginning($0) } ?? .unknown }

    mutating func process(_ step: RecordedStep) {
        self = step.replayed.map { .step($0) } ?? .unknown
    }

    mutating func process(_ item: TraceItem) {
        switch (item, self) {
        case (.postponed(let duration), .beginning(var turnstile)):
            turnstile.postpone(by: duration)
            self = .beginning(turnstile)
        case (.postponed(let duration), .step(var step)):
            step.turnstile.postpone(by: duration)
            self = .step(step)
        // Before the first event, the page's state is later than the missing part.
        case (.lost, .step), (.unknown(_, isEvent: true), _): self = .unknown
        case _: break
        }
    }
}
