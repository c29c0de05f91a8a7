import Controller
public import StateMachines
public import Turnstile

/// Takes the machine through a recording once more, event by event, and compares what it says with
/// what was recorded.
///
/// A page begins with the state, and so does the replay: where something is missing before it, and
/// at each start of the service, with the state that was recorded there.
public struct Replay {
    /// What came of it.
    public struct Result: Sendable {
        /// How many events the machine heard.
        public internal(set) var events = 0
        /// How many passages were completed, by what was recorded.
        public internal(set) var passages = 0
        /// The first thing that was said otherwise than it was recorded; nil where nothing was.
        public internal(set) var difference: Difference?
        /// How many events could not be replayed, since the state before them is not known here.
        public internal(set) var eventsWithoutState = 0
        /// How many steps are missing in the recording.
        public internal(set) var lost = 0
        /// How often something is missing of which nobody counted the steps: a file that is gone or
        /// damaged, or what was not wanted of a trace that was cut.
        public internal(set) var gaps = 0
        /// How many starts of the service end without a stop, other ones behind them: what they did
        /// last may be missing.
        public internal(set) var unfinished = 0
        /// What has no meaning here, by its name.
        public internal(set) var unknown: Set<String> = []
        /// Where pages could be read no further, though their checksums are right.
        public internal(set) var endings: [Recording.Ending] = []

        /// Whether all of it was replayed.
        public var isWhole: Bool {
            eventsWithoutState == 0 && lost == 0 && gaps == 0 && unknown.isEmpty
                && endings.isEmpty
        }
    }

    /// What the machine said otherwise than it was recorded.
    public struct Difference: Sendable {
        package var place: ReplayedStep.Place
        /// The event; nil where the state at the beginning of a page is another one.
        public var event: Event?
        package var clock: ClockOffset
        package var recorded: Answer
        package var replayed: Answer
    }

    /// What was said about an event.
    public struct Answer: Hashable, Sendable {
        package var verdict = RecordedVerdict.handled
        /// What was to be driven, told or made durable.
        public var commands: [Command] = []
        package var records: [Record] = []

        mutating func clear() {
            verdict = .handled
            commands.removeAll(keepingCapacity: true)
            records.removeAll(keepingCapacity: true)
        }
    }

    /// A moment of a recording.
    public struct Moment: Sendable {
        /// In monotonic time.
        public var time: Instant
        /// What the clock on the wall was ahead of that.
        public var clock: ClockOffset
        /// Which boot it was.
        public var bootID: String
        /// The outputs whose lines carry "energised".
        public var energised: OutputSet

        /// On the wall, UTC, since 1970.
        public var utc: Duration { clock.utc(at: time) }
    }

    /// What is told, in the order in which it was recorded.
    public enum News: Sendable {
        case page(Int)
        indirect case step(RecordedStep)
        /// What stands between two events, and when: at its own time, or at that of what is before.
        case item(TraceItem, at: Moment)
    }

    /// Receives the news; false ends the replay.
    public typealias Listener = (News) -> Bool

    /// How much is said about one event at most: more than any gate has to say.
    private static let mostSaid = 65_536
    private static let tooMuch = "more about an event than any gate says"

    private let recording: Recording
    /// Whether what happens at a time on the wall counts; nil where all does.
    private let isWanted: ((Duration) -> Bool)?
    private let observe: Listener?
    private var machine: Turnstile?
    /// The page that the machine began with, or the last one of a machine that is not known.
    private var origin: Recording.Page?
    /// The state that the present page begins with, until it is known whether steps are missing
    /// before it: else the machine has to be in it.
    private var expected: Turnstile?
    private var awaitsComparison = false
    private var levels = InputLevels()
    private var outputs = OutputSet()
    private var result = Result()
    private var place = ReplayedStep.Place(page: -1, ordinal: 0)
    /// The event that waits until all that was recorded of it is read, and that.
    private var event: Event?
    private var recorded = Answer()
    private var replayed = Answer()
    /// What is told after it: what has no meaning here, and what the shell did at its time.
    private var behind: [TraceItem] = []
    private var now = Moment(
        time: .zero, clock: ClockOffset(utc: .zero, local: 0), bootID: "", energised: [])
    /// Whether nothing has happened at the gate since the page began but that something is missing.
    private var isAtStart = true
    /// Whether it is known how the start of the service ends, or told that it is not.
    private var isEndTold = false
    /// Whether the start before ends without a stop: it counts unless something is missing between.
    private var isEndMissing = false
    private var hasEnded = false

    /// Replays these pages of `recording`.
    public static func run(
        _ recording: Recording, pages: Range<Int>? = nil, observe: Listener? = nil
    ) -> Result {
        run(Replay(recording: recording, isWanted: nil, observe: observe), pages)
    }

    /// Replays these pages of `recording`; `hear` hears of all, and what happens at a wanted time
    /// on the wall counts for the result.
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

    /// The same for the events alone.
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
            // What was said about the event before may be missing as well.
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

    /// Counts the start before for one without a stop, where it is known that it has none.
    private mutating func countMissingEnd() {
        if isEndMissing, counts { result.unfinished += 1 }
        isEndMissing = false
    }

    /// Counts what is missing between the last page and one that is not wanted.
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

    /// Begins a page: with its state, or, where the machine comes from the page before, with that,
    /// which has to be the same.
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
        // Before any event they would be about one that is not there.
        case .command(let command):
            guard event != nil else { break }
            recorded.commands.append(command)
            if recorded.commands.count > Self.mostSaid { throw .malformed(Self.tooMuch) }
        case .record(let record):
            guard event != nil else { break }
            recorded.records.append(record)
            if recorded.records.count > Self.mostSaid { throw .malformed(Self.tooMuch) }
            if case .passageCompleted = record, counts { result.passages += 1 }
        // It is about the event, as all that follows it.
        case .unknown(_, isEvent: false) where event != nil: try follow(item)
        case .shell(let heard, let time) where event.map { time <= $0.time } ?? false:
            now.follow(heard)
            try follow(item)
        case .shellCommand where !behind.isEmpty: try follow(item)
        case .postponed, .lost, .shell, .shellCommand, .unknown: pass(item)
        }
    }

    /// Has what stands behind the event wait until all that was recorded of it is read.
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
            // Of what is missing in the middle of a page nobody knows what it came to.
            if !isAtStart { machine = nil }
            return
        case .unknown(let name, let isEvent):
            if counts { result.unknown.insert(name) }
            if isEvent { (machine, isEndTold) = (nil, true) }
        case .event, .command, .record: break
        // The gate hears nothing of these.
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
            .clockStepped, .requested, .stored, .storageFailed, .ledgerOpened, .stopped:
            break
        }
        for command in replayed.commands {
            if let (output, isOn) = command.target { outputs[output] = isOn }
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
    /// The machine in this state; nil where its form is another, or years would pass to the page.
    var turnstile: Turnstile? {
        guard version == Turnstile.snapshotVersion, let turnstile = try? Turnstile(machine) else {
            return nil
        }
        let isLate = turnstile.deadline.map { time - $0 > TraceFormat.longestTime } ?? false
        return isLate ? nil : turnstile
    }
}
