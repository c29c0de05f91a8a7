import Controller
public import StateMachines
public import Turnstile

/// Replays a recording, event by event, and compares the machine's results with the recorded ones.
///
/// The replay takes the recorded state at each gap, and at each start of the service.
public struct Replay {
    public struct Result: Sendable {
        /// How many events were replayed.
        public internal(set) var events = 0
        /// How many passages were completed, by the records.
        public internal(set) var passages = 0
        /// The first difference from the recording; nil for none.
        public internal(set) var difference: Difference?
        /// How many events could not be replayed for want of a known state.
        public internal(set) var eventsWithoutState = 0
        /// How many recorded steps are missing.
        public internal(set) var lost = 0
        /// How many gaps have no count: a file is missing or damaged, or a trace was cut.
        public internal(set) var gaps = 0
        /// How many starts end without a stop before another start: their last steps may be
        /// missing.
        public internal(set) var unfinished = 0
        /// The names of unknown items.
        public internal(set) var unknown: Set<String> = []
        /// Where pages with valid checksums could not be read on.
        public internal(set) var endings: [Recording.Ending] = []

        /// Whether everything was replayed.
        public var isWhole: Bool {
            eventsWithoutState == 0 && lost == 0 && gaps == 0 && unknown.isEmpty
                && endings.isEmpty
        }
    }

    /// A difference between replay and recording.
    public struct Difference: Sendable {
        package var place: ReplayedStep.Place
        /// Nil if the state at the beginning of a page differs.
        public var event: Event?
        package var clock: ClockOffset
        package var recorded: Answer
        package var replayed: Answer
    }

    /// The results of an event.
    public struct Answer: Hashable, Sendable {
        package var verdict = RecordedVerdict.handled
        public var commands: [Command] = []
        package var records: [Record] = []

        mutating func clear() {
            verdict = .handled
            commands.removeAll(keepingCapacity: true)
            records.removeAll(keepingCapacity: true)
        }
    }

    public struct Moment: Sendable {
        /// Monotonic time.
        public var time: Instant
        /// The wall clock's offset from it.
        public var clock: ClockOffset
        public var bootID: String
        /// The energised outputs.
        public var energised: OutputSet

        /// The wall time: UTC, since 1970.
        public var utc: Duration { clock.utc(at: time) }
    }

    /// The items of a recording, in order.
    public enum News: Sendable {
        case page(Int)
        indirect case step(RecordedStep)
        /// An item between two events, at its own time or at the previous item's.
        case item(TraceItem, at: Moment)
    }

    /// Receives the items; false ends the replay.
    public typealias Listener = (News) -> Bool

    /// A bound on the results of one event.
    private static let mostSaid = 65_536
    private static let tooMuch = "more about an event than any gate says"

    private let recording: Recording
    /// Whether a wall time counts for the result; nil: all do.
    private let isWanted: ((Duration) -> Bool)?
    private let observe: Listener?
    private var machine: Turnstile?
    /// The page that the machine began with, or the last one while its state is unknown.
    private var origin: Recording.Page?
    /// The present page's first state, until it is known whether steps before it are missing: if
    /// not, the machine has to be in it.
    private var expected: Turnstile?
    private var awaitsComparison = false
    private var levels = InputLevels()
    private var outputs = OutputSet()
    private var result = Result()
    private var place = ReplayedStep.Place(page: -1, ordinal: 0)
    /// The present event, and its recorded results so far.
    private var event: Event?
    private var recorded = Answer()
    private var replayed = Answer()
    /// Items to be told after it: unknown ones, and the shell's.
    private var behind: [TraceItem] = []
    private var now = Moment(
        time: .zero, clock: ClockOffset(utc: .zero, local: 0), bootID: "", energised: [])
    /// Whether the page has had no event yet but a gap.
    private var isAtStart = true
    /// Whether the end of the present start is known, or its gap was counted.
    private var isEndTold = false
    /// Whether the previous start ends without a stop: it counts unless there is a gap between.
    private var isEndMissing = false
    private var hasEnded = false

    /// Replays these pages of `recording`.
    public static func run(
        _ recording: Recording, pages: Range<Int>? = nil, observe: Listener? = nil
    ) -> Result {
        run(Replay(recording: recording, isWanted: nil, observe: observe), pages)
    }

    /// Replays these pages of `recording`; `observe` receives all items, and wanted wall times
    /// count for the result.
    public static func run(
        _ recording: Recording, pages: Range<Int>, counting isWanted: @escaping (Duration) -> Bool,
        observe: Listener? = nil
    ) -> Result {
        run(Replay(recording: recording, isWanted: isWanted, observe: observe), pages)
    }

    private static func run(_ replay: Replay, _ pages: Range<Int>?) -> Result {
        var replay = replay
        let recording = replay.recording
        let pages = pages ?? recording.pages.indices
        for page in pages where !replay.hasEnded { replay.run(page) }
        replay.compareState()
        if !replay.hasEnded, !pages.isEmpty { replay.end(before: pages.upperBound) }
        return replay.result
    }

    /// The same, for events only.
    public static func steps(
        of recording: Recording, pages: Range<Int>? = nil, observe: @escaping (RecordedStep) -> Bool
    ) -> Result {
        run(recording, pages: pages) { news in
            if case .step(let step) = news { observe(step) } else { true }
        }
    }

    private var counts: Bool { isWanted.map { $0(now.utc) } ?? true }

    private mutating func run(_ index: Int) {
        let page = recording.pages[index]
        var offset = page.index.state.lowerBound
        turn(to: page, index)
        do throws(TraceFlaw) {
            var reader = try recording.read(page, readsShell: observe != nil)
            if observe != nil, let shell = try? ShellMachines(reader.state.shell) {
                now.energised = shell.energised
            }
            begin(reader.state, page)
            for steps in page.index.steps {
                offset = steps.lowerBound
                try recording.turn(&reader, to: steps, of: page)
                while let item = try reader.next() {
                    offset = reader.offset
                    try take(item)
                    if hasEnded { return }
                }
            }
            handlePending()
        } catch {
            // Results of the previous event may be missing as well.
            result.endings.append(
                Recording.Ending(path: recording.path(of: page), offset: offset, flaw: error))
            (machine, awaitsComparison, event, isEndTold) = (nil, false, nil, true)
            recorded.clear()
            behind.removeAll()
            report(.item(.unknown("\(error)", isEvent: true), at: now))
        }
    }

    private mutating func turn(to page: Recording.Page, _ index: Int) {
        countMissingEnd()
        let isOtherStart = index > 0 && !page.isOfSameStart(as: recording.pages[index - 1])
        if isOtherStart {
            isEndMissing = place.page == index - 1 && !isEndTold
            isEndTold = false
        }
        place = ReplayedStep.Place(page: index, ordinal: 0)
        (now.time, now.clock, now.bootID) = (page.time, page.clock, page.header.bootID)
        isAtStart = true
        report(.page(index))
        if page.followsGap, index > 0 {
            if counts { result.gaps += 1 }
            isEndMissing = false
            report(.item(.lost(0), at: now))
        }
    }

    /// Counts the previous start as one without a stop, if that is known.
    private mutating func countMissingEnd() {
        if isEndMissing, counts { result.unfinished += 1 }
        isEndMissing = false
    }

    /// Counts a gap or a missing stop after the last page.
    private mutating func end(before index: Int) {
        countMissingEnd()
        guard index < recording.pages.count else {
            guard recording.endsInGap else { return }
            if counts { result.gaps += 1 }
            return report(.item(.lost(0), at: now))
        }
        guard counts else { return }
        let next = recording.pages[index]
        if next.followsGap {
            result.gaps += 1
        } else if !isEndTold, !next.isOfSameStart(as: recording.pages[index - 1]) {
            result.unfinished += 1
        }
    }

    /// Begins a page with its state or, if the machine continues from the page before, compares
    /// both.
    private mutating func begin(_ state: PageState, _ page: Recording.Page) {
        let isGoingOn = origin.map { page.goesOn(from: $0) } ?? false
        let recorded = state.turnstile ?? page.beginning.map { Turnstile($0) }
        if isGoingOn, !page.followsGap, machine != nil {
            (awaitsComparison, expected) = (true, recorded)
            return
        }
        begin(with: recorded)
    }

    @inline(__always)
    private mutating func take(_ item: TraceItem) throws(TraceFlaw) {
        switch item {
        case .event(let next, let verdict):
            handlePending()
            compareState()
            if isEndMissing { countMissingEnd() }
            (event, isAtStart) = (next, false)
            (now.time, now.clock) = (next.time, now.clock.following(next.kind))
            recorded.verdict = verdict
        // Before the first event they would belong to none.
        case .command(let command):
            guard event != nil else { break }
            recorded.commands.append(command)
            if recorded.commands.count > Self.mostSaid { throw .malformed(Self.tooMuch) }
        case .record(let record):
            guard event != nil else { break }
            recorded.records.append(record)
            if recorded.records.count > Self.mostSaid { throw .malformed(Self.tooMuch) }
            if case .passageCompleted = record, counts { result.passages += 1 }
        // It belongs to the event, as all later items.
        case .unknown(_, isEvent: false) where event != nil: try follow(item)
        case .shell(let heard, let time) where event.map { time <= $0.time } ?? false:
            now.follow(heard)
            try follow(item)
        case .shellCommand where !behind.isEmpty: try follow(item)
        case .postponed, .lost, .shell, .shellCommand, .unknown: pass(item)
        }
    }

    /// Holds back an item until the event's results are complete.
    private mutating func follow(_ item: TraceItem) throws(TraceFlaw) {
        behind.append(item)
        if behind.count > Self.mostSaid { throw .malformed(Self.tooMuch) }
    }

    private mutating func compareState() {
        guard awaitsComparison else { return }
        awaitsComparison = false
        guard let machine, let expected, machine != expected else { return }
        note(Answer(), event: nil)
        begin(with: expected)
    }

    private mutating func begin(with state: Turnstile?) {
        awaitsComparison = false
        machine = state
        origin = recording.pages[place.page]
        levels = state?.inputs ?? InputLevels()
        outputs = state?.gate.drive ?? OutputSet()
    }

    private mutating func pass(_ item: TraceItem) {
        handlePending()
        if hasEnded { return }
        if case .shell(let heard, let time) = item {
            now.time = time
            now.follow(heard)
        }
        report(.item(item, at: now))
        switch item {
        case .postponed(let duration):
            compareState()
            machine?.postpone(by: duration)
        case .lost(let count):
            if counts { countMissing(count) }
            if isAtStart { isEndMissing = isEndMissing && count > 0 }
            if awaitsComparison { begin(with: expected) }
            // After a gap within a page the state is unknown.
            if !isAtStart { machine = nil }
            return
        case .unknown(let name, let isEvent):
            if counts { result.unknown.insert(name) }
            if isEvent { (machine, isEndTold) = (nil, true) }
        case .event, .command, .record: break
        // These are not the gate's.
        case .shell, .shellCommand: return
        }
        isAtStart = false
    }

    private mutating func countMissing(_ count: Int) {
        if count == 0 { result.gaps += 1 }
        let (sum, overflows) = result.lost.addingReportingOverflow(count)
        result.lost = overflows ? .max : sum
    }

    private mutating func handlePending() {
        guard let event else { return }
        self.event = nil
        defer { recorded.clear() }
        if case .stopped = event.kind { isEndTold = true }
        var said = Answer()
        swap(&said, &replayed)
        said.clear()
        let verdict = machine?.handle(event) { command in
            if case .record(let record) = command {
                said.records.append(record)
            } else {
                said.commands.append(command)
            }
        }
        swap(&said, &replayed)
        if let verdict { replayed.verdict = RecordedVerdict(verdict) }
        if counts { count(event, isReplayed: verdict != nil) }
        if observe != nil { report(event, verdict) }
        place.ordinal += 1
        if behind.isEmpty { return }
        let waiting = behind
        behind.removeAll()
        for item in waiting where !hasEnded { pass(item) }
    }

    private mutating func count(_ event: Event, isReplayed: Bool) {
        guard isReplayed else {
            result.eventsWithoutState += 1
            return
        }
        result.events += 1
        if replayed != recorded { note(recorded, event: event) }
    }

    private mutating func report(_ event: Event, _ verdict: Verdict?) {
        var step = RecordedStep(
            place: place, event: event, recorded: recorded, replayed: nil, clock: now.clock)
        if let machine, let verdict {
            step.replayed = replayedStep(event, verdict, machine)
        }
        report(.step(step))
    }

    private mutating func report(_ news: News) {
        if let observe, !observe(news) { hasEnded = true }
    }

    private mutating func replayedStep(
        _ event: Event, _ verdict: Verdict, _ machine: Turnstile
    ) -> ReplayedStep {
        switch event.kind {
        case .started(let all), .edgesLost(let all): levels = all
        case .changed(let input, let isActive): levels[input] = isActive
        case .timePassed, .lineFailed, .lineRecovered, .onTimeWarning, .outputCut, .clockRead,
            .clockStepped, .requested, .durable, .storageFailed, .ledgerOpened, .stopped:
            break
        }
        for command in replayed.commands {
            if case .set(let output, let isOn) = command { outputs[output] = isOn }
        }
        return ReplayedStep(
            place: place, event: event, verdict: verdict, commands: replayed.commands,
            records: replayed.records, turnstile: machine, levels: levels, outputs: outputs,
            energised: now.energised, clock: now.clock, bootID: now.bootID)
    }

    private mutating func note(_ recorded: Answer, event: Event?) {
        guard result.difference == nil else { return }
        result.difference = Difference(
            place: place, event: event, clock: now.clock, recorded: recorded,
            replayed: event == nil ? Answer() : replayed)
    }
}

extension Replay.Moment {
    fileprivate mutating func follow(_ event: ShellEvent) {
        if case .output(let output, .took(let level, for: _, at: _)) = event {
            energised[output] = level
        }
    }
}

extension PageState {
    /// The machine in this state; nil for another form, or if years would pass to the page.
    var turnstile: Turnstile? {
        guard version == Turnstile.snapshotVersion, let turnstile = try? Turnstile(machine) else {
            return nil
        }
        let isLate = turnstile.deadline.map { time - $0 > TraceFormat.longestTime } ?? false
        return isLate ? nil : turnstile
    }
}
