public import StateMachines
public import Turnstile

/// Which lines fail, which work again, when they are looked at, and whether an edge got lost.
public struct LineWatch: StateMachine, Hashable, Sendable {
    let interval: Duration
    /// When to look next; nil before the start.
    public private(set) var deadline: Instant?
    private let wired: Equipment
    /// The lines that failed and are not known to work again; during a look, those since it began.
    private var failed = Equipment(inputs: InputLevels(), outputs: OutputSet())
    /// Those that had failed when the look began.
    private var failedBefore = Equipment(inputs: InputLevels(), outputs: OutputSet())
    /// Those that have recovered, as the machine is still to be told.
    private var recovered = Equipment(inputs: InputLevels(), outputs: OutputSet())
    /// Inputs that carried another level at the last look than their edges told.
    private var suspects = InputLevels()
    /// The first thing that the look found wrong, as far as it keeps the gate from its work.
    private var problem: String?

    /// What may happen to the lines.
    public enum Event: Hashable, Sendable {
        case started(at: Instant)
        case failed(Line, LineFailure)
        case lookBegan(at: Instant)
        /// The look finds this wrong with a line; the text is a whole sentence.
        case found(Line, LineFailure, String)
        case inputsRead(InputLevels, heard: InputLevels)
        /// All was looked at. The inputs were heard to carry these levels, and the machine takes
        /// them to carry those.
        case lookEnded(heard: InputLevels, taken: InputLevels)
        /// The machine was told that a line has recovered, and did what it does about it.
        case recoveryTold
    }

    /// What is to be done about it.
    public enum Command: Hashable, Sendable {
        case report(Line, LineFailure)
        case reportRecovered(Line)
        case reportLoss(InputLevels)
        /// To end: no line works any more, and whatever the gate is doing, only a new start can
        /// have lines that do.
        case giveUp
        /// To think about a sign of life, with this wrong; nil where nothing is.
        case assess(String?)
    }

    /// Lines that nobody has looked at, and nobody will before the start.
    init(_ wired: Equipment, interval: Duration) {
        self.wired = wired
        self.interval = interval
    }

    /// Follows a look from its beginning to its end, and what fails at any time.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .started(let now):
            deadline = now + interval
            return .handled
        case .failed(let line, let failure):
            failed.insert(line)
            // What was driven since another one had recovered has not.
            recovered.subtract(failed)
            return .handled(.report(line, failure))
        case .lookBegan(let now):
            deadline = now + interval
            failedBefore = failed
            failed = Equipment(inputs: InputLevels(), outputs: OutputSet())
            problem = nil
            return .handled
        case .found(let line, let failure, let text):
            guard Self.isCritical(line, failure) else { return .ignored("it only tells people") }
            guard problem == nil else { return .ignored("something else was found first") }
            problem = text
            return .handled
        case .inputsRead(let levels, let heard): return compare(levels, heard)
        case .lookEnded(let heard, let taken): return conclude(heard, taken)
        case .recoveryTold: return .handled(nextConclusion())
        }
    }

    /// Whether a failure keeps the gate from its work: what only tells people, such as a lamp, is a
    /// fault, and no reason to end the service.
    private static func isCritical(_ line: Line, _ failure: LineFailure) -> Bool {
        switch line {
        case .input: true
        case .output: Fault.line(line, failure).effect != .none
        }
    }

    /// A level that no edge told of, at two looks in a row, means that an edge got lost: with
    /// libgpiod 1.6 it vanishes unseen.
    private mutating func compare(
        _ levels: InputLevels, _ heard: InputLevels
    ) -> Outcome<Command> {
        let strange = levels.symmetricDifference(heard)
        guard strange.isDisjoint(with: suspects) else {
            suspects = []
            return .handled(.reportLoss(levels))
        }
        suspects = strange
        return .handled
    }

    /// A line has recovered when a look finds nothing wrong with it. An input has when it carries,
    /// besides, what the machine takes it to carry: of what changed while it could not be read no
    /// edge told.
    private mutating func conclude(
        _ heard: InputLevels, _ taken: InputLevels
    ) -> Outcome<Command> {
        guard !isEveryLineLost else { return .handled(.giveUp) }
        let doubtful = suspects.union(heard.symmetricDifference(taken))
        failed.inputs.formUnion(failedBefore.inputs.intersection(doubtful))
        recovered = failedBefore
        recovered.subtract(failed)
        return .handled(nextConclusion())
    }

    /// One recovery at a time, since it may lead to what fails; when all are told, what was found.
    private mutating func nextConclusion() -> Command {
        if let input = Input.allCases.first(where: { recovered.inputs[$0] }) {
            recovered.inputs[input] = false
            return .reportRecovered(.input(input))
        }
        if let output = Output.allCases.first(where: { recovered.outputs[$0] }) {
            recovered.outputs[output] = false
            return .reportRecovered(.output(output))
        }
        return .assess(problem)
    }

    private var isEveryLineLost: Bool {
        !(wired.inputs.isEmpty && wired.outputs.isEmpty)
            && failed.inputs.isSuperset(of: wired.inputs)
            && failed.outputs.isSuperset(of: wired.outputs)
    }
}

extension Equipment {
    fileprivate mutating func insert(_ line: Line) {
        switch line {
        case .input(let input): inputs[input] = true
        case .output(let output): outputs[output] = true
        }
    }

    fileprivate mutating func subtract(_ other: Equipment) {
        inputs.subtract(other.inputs)
        outputs.subtract(other.outputs)
    }
}

extension LineWatch: Composite {
    /// What it is called.
    public static var title: String { "line_watch" }
    /// That of a gate without lines.
    public static var blank: LineWatch { LineWatch(.blank, interval: .zero) }

    /// What is known of the lines.
    public func visit(_ fields: inout some FieldVisitor) -> LineWatch {
        let wired = fields.field(.equipment, wired)
        var watch = LineWatch(wired, interval: fields.exactDuration(.interval, interval))
        watch.deadline = fields.optional(.nextLook, deadline)
        watch.failed = fields.field(.failed, failed)
        watch.failedBefore = fields.field(.failedBefore, failedBefore)
        watch.recovered = fields.field(.recovered, recovered)
        watch.suspects = fields.inputs(.suspects, suspects)
        watch.problem = fields.optional(.detail, problem)
        return watch
    }
}
