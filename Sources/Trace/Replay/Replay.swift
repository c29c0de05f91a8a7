import StateMachines
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
        /// What stands behind the last event: what the machines of the shell heard and said, and
        /// what is missing. Empty where nobody listens, or did not to the end.
        public internal(set) var rest: [TraceItem] = []
        /// What the clock on the wall was ahead of monotonic time at the end; nil where there was
        /// no page.
        public internal(set) var clock: ClockOffset?
        /// How many of ``rest`` stand in the page of the last event.
        var countInPage = 0

        /// Whether all of it was replayed.
        public var isWhole: Bool {
            eventsWithoutState == 0 && lost == 0 && gaps == 0 && unknown.isEmpty
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

    /// Hears of each event, and of what became of it here; false ends the replay.
    public typealias Listener = (RecordedStep) -> Bool

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
    /// What stands between the event before and the next one.
    private var before: [TraceItem] = []
    /// How many of these came before the page began.
    private var countBeforePage = 0
    private var hasEnded = false

    /// Replays these pages of `recording`.
    public static func run(
        _ recording: Recording, pages: Range<Int>? = nil, hear: Listener? = nil
    ) -> Result {
        var replay = Replay(recording, hear)
        for page in pages ?? recording.pages.indices where !replay.hasEnded { replay.run(page) }
        replay.compareState()
        if !replay.hasEnded { replay.endWithRest() }
        return replay.result
    }

    private init(_ recording: Recording, _ hear: Listener?) {
        self.recording = recording
        self.hear = hear
    }

    private mutating func endWithRest() {
        // Without an event in the last page, what stands before it stands in another one.
        result.countInPage = place.ordinal == 0 ? countBeforePage : before.count
        swap(&result.rest, &before)
    }

    private mutating func run(_ index: Int) {
        let page = recording.pages[index]
        result.clock = page.clock
        do throws(TraceFlaw) {
            var reader = try recording.read(page, readsShell: hear != nil)
            begin(reader.state, page, index)
            for steps in page.index.steps {
                try recording.turn(&reader, to: steps, of: page)
                while let item = try reader.next() {
                    take(item, page.clock)
                    if hasEnded { return }
                }
            }
            settle(page.clock)
        } catch {
            // Its checksum is right, and it means nothing here.
            result.unknown.insert(error.description)
            (machine, awaitsComparison, event) = (nil, false, nil)
            recorded.clear()
        }
    }

    /// Begins a page: with its state, or, where the machine comes from the page before, with that,
    /// which has to be the same.
    private mutating func begin(_ state: PageState, _ page: Recording.Page, _ index: Int) {
        place = ReplayedStep.Place(page: index, ordinal: 0)
        countBeforePage = before.count
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
    private mutating func take(_ item: TraceItem, _ clock: ClockOffset) {
        switch item {
        case .event(let next, let verdict):
            settle(clock)
            compareState()
            event = next
            recorded.verdict = verdict
        // Before any event they would be about one that is not there.
        case .command(let command): if event != nil { recorded.commands.append(command) }
        case .record(let record):
            guard event != nil else { break }
            recorded.records.append(record)
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
        if hear != nil { before.append(item) }
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
        if let hear { tell(hear, event, verdict, clock) }
        place.ordinal += 1
    }

    private mutating func tell(
        _ hear: Listener, _ event: Event, _ verdict: Verdict?, _ clock: ClockOffset
    ) {
        var step = RecordedStep(
            place: place, event: event, recorded: recorded, before: before,
            countBeforePage: countBeforePage, replayed: nil, clock: clock)
        before.removeAll(keepingCapacity: true)
        countBeforePage = 0
        if let machine, let verdict {
            step.replayed = replayedStep(event, verdict, machine, clock)
        }
        hasEnded = !hear(step)
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
