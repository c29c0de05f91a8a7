import StateMachines
public import Turnstile

/// What would have been recorded under another policy, had people and lines done the same.
///
/// What the gate waits for comes when it is due under that policy, and the ledger answers at once,
/// unless it had failed.
public struct WhatIf {
    /// One record, and when.
    public struct Entry: Hashable, Sendable {
        /// When, on the wall, UTC, since 1970; and what local time is ahead of that, in seconds.
        public var utc: Duration, utcOffset: Int
        /// What was recorded.
        public var record: Record
    }

    /// What was recorded, and what would have been.
    public struct Outcome: Sendable {
        /// What was recorded.
        public var recorded: [Entry] = []
        /// What would have been.
        public var replayed: [Entry] = []
    }

    private let policy: Policy
    private var machine: Turnstile?
    private var asksToStore = false
    private var isStorageFailed = false
    private var outcome = Outcome()

    /// Replays these pages under `policy`.
    ///
    /// - Parameter isWanted: Whether what happens at a time on the wall is told of.
    public static func run(
        _ recording: Recording, pages: Range<Int>, policy: Policy,
        isWanted: @escaping (Duration) -> Bool
    ) -> Outcome {
        var whatIf = WhatIf(policy: policy)
        var origin: Recording.Page?
        var last = -1
        _ = Replay.run(recording, pages: pages) { step in
            let isWanted = isWanted(step.utc)
            let page = recording.pages[step.place.page]
            let isGap = step.place.page != last && (page.followsGap || step.inPage.holdLoss)
            last = step.place.page
            let isNew = isGap || !(origin.map { page.goesOn(from: $0) } ?? false)
            if isNew {
                origin = page
                whatIf.begin(recording, page, step, isWanted)
            }
            // What was put off before a page began is in its state.
            for case .postponed(let duration) in isNew ? step.inPage : step.before[...] {
                whatIf.machine?.postpone(by: duration)
            }
            whatIf.hear(step, isWanted: isWanted)
            return true
        }
        return whatIf.outcome
    }

    private init(policy: Policy) { self.policy = policy }

    /// Begins with the state that was recorded, under the other policy as soon as that can be.
    private mutating func begin(
        _ recording: Recording, _ page: Recording.Page, _ step: RecordedStep, _ isWanted: Bool
    ) {
        let reader = try? recording.read(page, readsShell: false)
        machine = reader?.state.turnstile ?? page.beginning.map { Turnstile($0) }
        isStorageFailed = machine?.gate.faults.isUp(.storageFailed) ?? false
        // What was asked for before the page began is answered as all is.
        asksToStore = machine?.gate.commitBarrier.isStored == false
        if machine?.gate.drive != nil { adopt(at: page.time, step, isWanted) }
    }

    /// Has the machine go by the other policy.
    private mutating func adopt(at time: Instant, _ step: RecordedStep, _ isWanted: Bool) {
        pass(until: time, step, isWanted)
        handle(Event(.requested(.adopt(policy), by: .settings), at: time), step, isWanted)
    }

    /// Lets happen what is due up to a time.
    private mutating func pass(until time: Instant, _ step: RecordedStep, _ isWanted: Bool) {
        while let due = machine?.deadline, due <= time {
            handle(Event(.timePassed, at: due), step, isWanted)
            // One that has not started lets nothing happen.
            if machine?.deadline == due { break }
        }
    }

    private mutating func hear(_ step: RecordedStep, isWanted: Bool) {
        if isWanted {
            outcome.recorded += step.recorded.records.filter(Self.isTold).map {
                entry($0, step, at: step.event.time)
            }
        }
        pass(until: step.event.time, step, isWanted)
        switch step.event.kind {
        case .timePassed, .requested(.adopt, by: .settings): return
        // A ledger that had failed says so when it works again; else it has answered at once.
        case .stored:
            guard isStorageFailed else { return }
            isStorageFailed = false
        case .storageFailed: isStorageFailed = true
        case .started, .changed, .edgesLost, .lineFailed, .lineRecovered, .onTimeWarning,
            .outputCut, .clockRead, .clockStepped, .requested, .ledgerOpened, .stopped:
            break
        }
        handle(step.event, step, isWanted)
        if case .started = step.event.kind { adopt(at: step.event.time, step, isWanted) }
    }

    private mutating func handle(_ event: Event, _ step: RecordedStep, _ isWanted: Bool) {
        take(machine?.handle(event), at: event.time, step, isWanted)
        while asksToStore, !isStorageFailed {
            asksToStore = false
            take(
                machine?.handle(Event(.stored, at: event.time)), at: event.time, step, isWanted)
        }
    }

    private mutating func take(
        _ outcome: StateMachines.Outcome<Command>?, at time: Instant, _ step: RecordedStep,
        _ isWanted: Bool
    ) {
        outcome?.commands.forEach { command in
            if case .store = command { asksToStore = true }
            if case .record(let record) = command, isWanted, Self.isTold(record) {
                self.outcome.replayed.append(entry(record, step, at: time))
            }
        }
    }

    /// Whether a record is told of: which policy is in force, and since when, is no news here.
    private static func isTold(_ record: Record) -> Bool {
        switch record {
        case .policyChanged(by: .settings), .policyDeferred: false
        case _: true
        }
    }

    private func entry(_ record: Record, _ step: RecordedStep, at time: Instant) -> Entry {
        Entry(
            utc: time - .zero + step.clock.utc, utcOffset: step.clock.local, record: record)
    }
}

extension RecordedStep {
    /// What stands before the event in its own page.
    fileprivate var inPage: ArraySlice<TraceItem> { before.dropFirst(countBeforePage) }
}

extension ArraySlice<TraceItem> {
    /// Whether steps are missing among them.
    fileprivate var holdLoss: Bool {
        contains { if case .lost = $0 { true } else { false } }
    }
}
