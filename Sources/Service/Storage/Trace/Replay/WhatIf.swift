import StateMachines
public import Turnstile

/// The records under another policy, given the same people and lines.
///
/// Deadlines come when they are due under that policy. The ledger answers when it did if the gate
/// waited for it then, and otherwise at once, unless it had failed.
public struct WhatIf {
    /// One record, and when.
    public struct Entry: Hashable, Sendable {
        /// The wall time: UTC, since 1970; and the offset of local time, in seconds.
        public var utc: Duration, utcOffset: Int
        package var record: Record
    }

    /// The recorded records, and the others.
    public struct Outcome: Sendable {
        package var recorded: [Entry] = []
        package var replayed: [Entry] = []
        /// The result of the replay under the recorded policy: its gaps apply here as well.
        public var replay = Replay.Result()
    }

    private let recording: Recording
    private let policy: Policy
    private let isWanted: (Duration) -> Bool
    /// The present page, and the one that the machine began with.
    private var page: Recording.Page?
    private var origin: Recording.Page?
    private var clock = ClockOffset(utc: .zero, local: 0)
    /// The recorded gate, and the other; nil if its state is unknown here.
    private var recorded: Turnstile?
    private var machine: Turnstile?
    /// Whether the page has had no event yet but a gap, and whether the machine began with the
    /// page.
    private var isAtStart = true, hasBegun = false
    private var asksToStore = false
    private var isStorageFailed = false
    private var outcome = Outcome()

    /// Replays these pages under `policy`, and reports records at wanted wall times.
    public static func run(
        _ recording: Recording, pages: Range<Int>, policy: Policy,
        isWanted: @escaping (Duration) -> Bool
    ) -> Outcome {
        var whatIf = WhatIf(recording: recording, policy: policy, isWanted: isWanted)
        let result = Replay.run(recording, pages: pages, counting: isWanted) { news in
            switch news {
            case .page(let index): whatIf.turn(to: recording.pages[index])
            case .item(let item, at: _): whatIf.process(item)
            case .step(let step): whatIf.process(step)
            }
            return true
        }
        whatIf.outcome.replay = result
        return whatIf.outcome
    }

    private mutating func turn(to next: Recording.Page) {
        clock = next.clock
        (page, isAtStart, hasBegun) = (next, true, false)
        recorded = recording.turnstile(at: next)
        let isGoingOn = origin.map { next.goesOn(from: $0) } ?? false
        if next.followsGap || !isGoingOn || machine == nil { begin() }
    }

    /// Begins with the recorded state, and adopts the other policy as soon as possible.
    private mutating func begin() {
        guard let page, !hasBegun else { return }
        (origin, hasBegun) = (page, true)
        machine = recorded
        isStorageFailed = machine?.gate.faults.isUp(.storageFailed) ?? false
        // Commits requested before the page are answered as any other.
        asksToStore = machine?.gate.commitBarrier.isDurable == false
        if machine?.gate.drive != nil { adopt(at: page.time) }
    }

    private mutating func adopt(at time: Instant) {
        pass(until: time)
        handle(Event(.requested(.adopt(policy), by: .settings), at: time))
    }

    private mutating func process(_ item: TraceItem) {
        switch item {
        case .postponed(let duration):
            recorded?.postpone(by: duration)
            machine?.postpone(by: duration)
        case .lost where isAtStart: return begin()
        case .lost, .unknown(_, isEvent: true): machine = nil
        case .event, .command, .record, .shell, .shellCommand, .unknown: return
        }
        isAtStart = false
    }

    private mutating func process(_ step: RecordedStep) {
        let event = step.event
        isAtStart = false
        let after = step.replayed?.turnstile
        defer { recorded = after }
        // Records that are not replayed are not compared.
        if step.replayed != nil {
            for record in step.recorded.records {
                if let entry = entry(record, at: step.utc) { outcome.recorded.append(entry) }
            }
        } else {
            machine = nil
        }
        switch event.kind {
        case .timePassed:
            let heard = recorded?.deadline
            pass(until: event.time, butFor: heard)
            recorded = after
            if let heard, machine?.deadline == heard { handle(event) }
            return pass(until: event.time)
        case .requested(.adopt, by: .settings): return pass(until: event.time)
        case .durable, .storageFailed, .started, .changed, .edgesLost, .lineFailed, .lineRecovered,
            .onTimeWarning, .outputCut, .clockRead, .clockStepped, .requested, .ledgerOpened,
            .stopped:
            break
        }
        pass(until: event.time)
        (clock, recorded) = (step.clock, after)
        if event.kind == .storageFailed { isStorageFailed = true }
        if event.kind == .durable { (asksToStore, isStorageFailed) = (false, false) }
        handle(event)
        if case .started = event.kind { adopt(at: event.time) }
    }

    /// Handles deadlines up to a time, except those that the recorded gate handled then, a little
    /// later.
    private mutating func pass(until time: Instant, butFor heard: Instant? = nil) {
        while let due = machine?.deadline, due <= time, due != heard {
            handle(Event(.timePassed, at: due))
            // Nothing is due before the start.
            if machine?.deadline == due { break }
        }
    }

    private mutating func handle(_ event: Event) {
        take(machine?.handle(event), at: event.time)
        // An answer that the recorded gate awaits comes at its recorded time.
        let isOwed = recorded?.gate.commitBarrier.isDurable == false
        while asksToStore, !isStorageFailed, !isOwed {
            asksToStore = false
            take(machine?.handle(Event(.durable, at: event.time)), at: event.time)
        }
    }

    private mutating func take(_ said: StateMachines.Outcome<Command>?, at time: Instant) {
        said?.commands.forEach { command in
            if case .store = command { asksToStore = true }
            if case .record(let record) = command,
                let entry = entry(record, at: clock.utc(at: time))
            {
                outcome.replayed.append(entry)
            }
        }
    }

    /// Nil for a record that is not compared: the policy in force, and since when, is not news
    /// here.
    private func entry(_ record: Record, at utc: Duration) -> Entry? {
        switch record {
        case .policyChanged(by: .settings), .policyDeferred: return nil
        case _: break
        }
        guard isWanted(utc) else { return nil }
        return Entry(utc: utc, utcOffset: clock.local, record: record)
    }
}
