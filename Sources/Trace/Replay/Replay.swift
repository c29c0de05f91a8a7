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
        /// Where.
        public var place: ReplayedStep.Place
        /// The event; nil where the state at the beginning of a page is another one.
        public var event: Event?
        /// What was recorded of it.
        public var recorded: Answer
        /// What the machine says now.
        public var replayed: Answer
    }

    /// What was said about an event.
    public struct Answer: Hashable, Sendable {
        /// What became of it.
        public var verdict = RecordedVerdict.handled
        /// What was to be driven, told or made durable.
        public var commands: [Command] = []
        /// What was to be written down.
        public var records: [Record] = []

        mutating func clear() {
            verdict = .handled
            commands.removeAll(keepingCapacity: true)
            records.removeAll(keepingCapacity: true)
        }
    }

    /// What is told, in the order in which it was recorded.
    public enum News: Sendable {
        /// The page of this number begins.
        case page(Int)
        /// An event, and what became of it here.
        case step(RecordedStep)
        /// What stands between two events, and when: at its own time, or at that of what is before.
        case item(TraceItem, at: Instant)
    }

    /// Hears what is told; false ends the replay.
    public typealias Listener = (News) -> Bool

    /// How much is said about one event at most: more than any gate has to say.
    private static let mostSaid = 65_536
    private static let tooMuch = "more about an event than any gate says"

    private let recording: Recording
    private let hear: Listener?
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
    private var place = ReplayedStep.Place(page: 0, ordinal: 0)
    /// The event that waits until all that was recorded of it is read, and that.
    private var event: Event?
    private var recorded = Answer()
    private var replayed = Answer()
    /// When the last of what was told happened.
    private var time = Instant.zero
    private var hasEnded = false

    /// Replays these pages of `recording`.
    public static func run(
        _ recording: Recording, pages: Range<Int>? = nil, hear: Listener? = nil
    ) -> Result {
        var replay = Replay(recording, hear)
        for page in pages ?? recording.pages.indices where !replay.hasEnded { replay.run(page) }
        replay.compareState()
        return replay.result
    }

    /// The same for whoever wants to hear of the events alone.
    public static func steps(
        of recording: Recording, pages: Range<Int>? = nil, hear: (RecordedStep) -> Bool
    ) -> Result {
        withoutActuallyEscaping(hear) { hear in
            run(recording, pages: pages) { news in
                if case .step(let step) = news { hear(step) } else { true }
            }
        }
    }

    private init(_ recording: Recording, _ hear: Listener?) {
        self.recording = recording
        self.hear = hear
    }

    private mutating func run(_ index: Int) {
        let page = recording.pages[index]
        var offset = page.index.state.lowerBound
        do throws(TraceFlaw) {
            var reader = try recording.read(page, readsShell: hear != nil)
            begin(reader.state, page, index)
            for steps in page.index.steps {
                offset = steps.lowerBound
                try recording.turn(&reader, to: steps, of: page)
                while let item = try reader.next() {
                    offset = reader.offset
                    try take(item, page.clock)
                    if hasEnded { return }
                }
            }
            settle(page.clock)
        } catch {
            // What was said about the event before may be missing as well.
            result.endings.append(
                Recording.Ending(path: recording.path(of: page), offset: offset, flaw: error))
            (machine, awaitsComparison, event) = (nil, false, nil)
            recorded.clear()
            tell(.item(.lost(0), at: time))
        }
    }

    /// Begins a page: with its state, or, where the machine comes from the page before, with that,
    /// which has to be the same.
    private mutating func begin(_ state: PageState, _ page: Recording.Page, _ index: Int) {
        place = ReplayedStep.Place(page: index, ordinal: 0)
        time = page.time
        tell(.page(index))
        let isGoingOn = origin.map { page.goesOn(from: $0) } ?? false
        let recorded = state.turnstile ?? page.beginning.map { Turnstile($0) }
        if page.followsGap, origin != nil { result.gaps += 1 }
        if isGoingOn, !page.followsGap, machine != nil {
            (awaitsComparison, expected) = (true, recorded)
            return
        }
        begin(with: recorded)
    }

    @inline(__always)
    private mutating func take(_ item: TraceItem, _ clock: ClockOffset) throws(TraceFlaw) {
        switch item {
        case .event(let next, let verdict):
            settle(clock)
            compareState()
            event = next
            time = next.time
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
            if case .passageCompleted = record { result.passages += 1 }
        case .postponed, .lost, .shell, .shellCommand, .unknown: pass(item, clock)
        }
    }

    /// Compares the machine with the state that the page begins with.
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

    /// Takes what stands between two events.
    private mutating func pass(_ item: TraceItem, _ clock: ClockOffset) {
        settle(clock)
        if hasEnded { return }
        if case .shell(_, let time) = item { self.time = time }
        tell(.item(item, at: time))
        switch item {
        case .postponed(let duration):
            compareState()
            machine?.postpone(by: duration)
        case .lost(let count):
            if count == 0 { result.gaps += 1 }
            let (sum, overflows) = result.lost.addingReportingOverflow(count)
            result.lost = overflows ? .max : sum
            if awaitsComparison { begin(with: expected) }
        case .unknown(let name, let isEvent):
            result.unknown.insert(name)
            if isEvent { machine = nil }
        case .event, .command, .record, .shell, .shellCommand: break
        }
    }

    /// Has the machine hear the event of which all is read now.
    private mutating func settle(_ clock: ClockOffset) {
        guard let event else { return }
        self.event = nil
        defer { recorded.clear() }
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
        if let verdict {
            replayed.verdict = RecordedVerdict(verdict)
            result.events += 1
            if replayed != recorded { note(recorded, event: event) }
        } else {
            result.eventsWithoutState += 1
        }
        if hear != nil { tell(event, verdict, clock) }
        place.ordinal += 1
    }

    private mutating func tell(_ event: Event, _ verdict: Verdict?, _ clock: ClockOffset) {
        var step = RecordedStep(
            place: place, event: event, recorded: recorded, replayed: nil, clock: clock)
        if let machine, let verdict {
            step.replayed = replayedStep(event, verdict, machine, clock)
        }
        tell(.step(step))
    }

    private mutating func tell(_ news: News) {
        if let hear, !hear(news) { hasEnded = true }
    }

    private mutating func replayedStep(
        _ event: Event, _ verdict: Verdict, _ machine: Turnstile, _ clock: ClockOffset
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
            clock: clock)
    }

    private mutating func note(_ recorded: Answer, event: Event?) {
        guard result.difference == nil else { return }
        result.difference = Difference(
            place: place, event: event, recorded: recorded,
            replayed: event == nil ? Answer() : replayed)
    }
}

extension PageState {
    /// The machine in this state; nil where its form is another one than this program's.
    var turnstile: Turnstile? {
        version == Turnstile.snapshotVersion ? try? Turnstile(machine) : nil
    }
}
