import Controller
import StateMachines
import Turnstile

/// Writes a part of a recording as a separate trace.
public struct TraceCutting {
    private let recording: Recording
    private let settings: (String) -> String
    private let isWanted: (Duration) -> Bool
    private var bytes = TraceFormat.firstLine
    /// The present page of the recording, and the written page.
    private var page: Recording.Page?
    private var writer: PageWriter?
    private var clock = ClockOffset(utc: .zero, local: 0)
    /// The header of the last written page.
    private var header: TraceHeader?
    /// The machine before the next step, nil while unknown, and those of the shell.
    private var machine: Turnstile?
    private var shell: ShellMachines?
    /// Whether the page has had no step yet, and no event.
    private var isStateCurrent = true, isAtStart = true
    /// Whether steps since the last written one were left out or are missing.
    private var isAfterGap = false
    /// The time of a gap that was not written yet, since nothing has followed.
    private var gap: Instant?

    public struct Cut: Sendable {
        package var bytes: [UInt8]
        /// The result of the replay, with its gaps.
        public var replay: Replay.Result
    }

    /// The trace of the wanted part of these pages; nil if it is empty. With `decidesAnew` it has
    /// the results of this version's gate; `settings` replaces those in force.
    public static func cut(
        of recording: Recording, pages: Range<Int>, decidesAnew: Bool = false,
        settings: @escaping (String) -> String = { $0 }, isWanted: @escaping (Duration) -> Bool
    ) -> Cut? {
        var cutting = TraceCutting(recording: recording, settings: settings, isWanted: isWanted)
        let result = Replay.run(recording, pages: pages, counting: isWanted) { news in
            switch decidesAnew ? news.decidedAnew : news {
            case .page(let index): cutting.turn(to: index)
            case .item(let item, let moment): cutting.take(item, at: moment)
            case .step(let step): cutting.take(step)
            }
            return true
        }
        if let gap = cutting.gap, cutting.header != nil { cutting.write([.lost(0)], at: gap) }
        cutting.endFrame()
        return cutting.header == nil ? nil : Cut(bytes: cutting.bytes, replay: result)
    }

    private mutating func turn(to index: Int) {
        endFrame()
        let next = recording.pages[index]
        let state = try? recording.read(next, readsShell: false).state
        machine = recording.turnstile(at: next)
        shell = state.flatMap { try? ShellMachines($0.shell) }
        (page, clock, writer, isStateCurrent, isAtStart) = (next, next.clock, nil, true, true)
    }

    private mutating func take(_ item: TraceItem, at moment: Replay.Moment) {
        if isWanted(at: moment.utc) {
            if case .lost(0) = item, writer == nil {
                (isAfterGap, gap) = (true, moment.time)
            } else {
                write([item], at: moment.time)
            }
        }
        switch item {
        // The page's first state is known all the same.
        case .lost where isAtStart: return
        case .lost: machine = nil
        // It cannot be written, and the state after it is unknown.
        case .unknown(_, isEvent: true):
            endFrame()
            (machine, writer, isAfterGap) = (nil, nil, true)
        case .postponed(let duration): machine?.postpone(by: duration)
        case .shell(let event, at: _):
            _ = shell?.handle(event)
            isStateCurrent = false
            return
        case .event, .command, .record, .shellCommand, .unknown: return
        }
        (isStateCurrent, isAtStart) = (false, false)
    }

    private mutating func take(_ step: RecordedStep) {
        if isWanted(at: step.utc) {
            let said = step.recorded
            write(
                [.event(step.event, said.verdict)] + said.commands.map { .command($0) }
                    + said.records.map { .record($0) }, at: step.event.time)
        }
        clock = step.clock
        machine = step.replayed?.turnstile
        if let machine { shell?.follow(machine) }
        (isStateCurrent, isAtStart) = (false, false)
    }

    /// Whether this moment is wanted. Unwanted steps make a gap before the next.
    private mutating func isWanted(at utc: Duration) -> Bool {
        guard isWanted(utc) else {
            endFrame()
            (writer, isAfterGap) = (nil, true)
            return false
        }
        return true
    }

    private mutating func write(_ items: [TraceItem], at time: Instant) {
        if writer == nil { begin(with: items, at: time) }
        if writer?.isFrameFull(at: time) == true { endFrame() }
        for item in items { writer?.append(item) }
    }

    private mutating func endFrame() {
        if let writer, writer.frameSize > 0 { bytes += Frame.bytes(.steps, writer.content) }
        writer?.beginFrame()
    }

    /// Begins a page with the recorded state if it had no step yet, otherwise with the replay's.
    private mutating func begin(with items: [TraceItem], at time: Instant) {
        guard let page, var state = try? recording.read(page, readsShell: false).state else {
            return
        }
        if !isStateCurrent {
            (state.time, state.clock) = (time, clock)
            // An unknown machine is of no version.
            if machine == nil { state.version = 0 }
            state.machine = machine?.fields ?? Fields()
            state.shell = shell?.fields ?? Fields()
        }
        let isFirst = header == nil
        if page.header != header { write(page.header) }
        // A state before the start does not contain the gate's installation.
        let hasStarted = machine.map { $0.gate.drive != nil } ?? true
        if let beginning = page.beginning, isStateCurrent || !hasStarted {
            bytes += Frame.bytes(.beginning, beginning.fields)
        }
        var writer = PageWriter()
        bytes += Frame.bytes(.state, writer.state(state))
        writer.beginFrame()
        // Within one file, steps mark a gap.
        var isTold = isFirst
        if case .lost = items.first { isTold = true }
        if isAfterGap, !isTold { writer.append(.lost(0)) }
        (isAfterGap, gap) = (false, nil)
        self.writer = writer
    }

    private mutating func write(_ recorded: TraceHeader) {
        header = recorded
        var told = recorded
        told.settings = settings(recorded.settings)
        // The written names are this version's.
        told.vocabulary = Vocabulary.version
        bytes += Frame.bytes(.header, told.fields)
    }
}
