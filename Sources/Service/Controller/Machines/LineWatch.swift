public import StateMachines
public import Turnstile

/// Tracks failed and recovered lines and lost edges, and times the periodic check.
public struct LineWatch: TimedMachine, Hashable, Sendable {
    let interval: Duration
    /// When the next check is due; nil before the start.
    public private(set) var deadline: Instant?
    private let wired: Equipment
    /// The lines that failed and have not recovered; during a check, those found since it began.
    private var failed = Equipment(inputs: InputLevels(), outputs: OutputSet())
    /// The failed lines when the check began.
    private var failedBefore = Equipment(inputs: InputLevels(), outputs: OutputSet())
    /// The recovered lines that have not been reported yet.
    private var recovered = Equipment(inputs: InputLevels(), outputs: OutputSet())
    /// Inputs whose level at the last check differed from their edges.
    private var suspects = InputLevels()
    /// The first critical problem that the check found.
    private var problem: String?

    /// `lookBegan` to `lookEnded` are one check.
    public enum Event: Hashable, Sendable {
        case started(at: Instant)
        case failed(Line, LineFailure)
        case lookBegan(at: Instant)
        /// The check found this failure; the text is a whole sentence.
        case found(Line, LineFailure, String)
        case inputsRead(InputLevels, heard: InputLevels)
        /// `heard`: the inputs' levels by their edges; `taken`: those that the machine has.
        case lookEnded(heard: InputLevels, taken: InputLevels)
        /// The machine has handled the recovery of a line.
        case recoveryTold
    }

    public enum Command: Hashable, Sendable {
        case report(Line, LineFailure)
        case reportRecovered(Line)
        case reportLoss(InputLevels)
        /// End the service: no line works, and only a new start can request them anew.
        case giveUp
        /// Decide on a sign of life, given this problem; nil for none.
        case assess(String?)
    }

    init(_ wired: Equipment, interval: Duration) {
        self.wired = wired
        self.interval = interval
    }

    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .started(let now):
            deadline = now + interval
            return .handled
        case .failed(let line, let failure):
            failed.insert(line)
            // A line may fail again before its recovery is reported.
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

    /// Whether a failure impairs operation. A failed lamp is a fault, but no reason to end the
    /// service.
    private static func isCritical(_ line: Line, _ failure: LineFailure) -> Bool {
        switch line {
        case .input: true
        case .output: Fault.line(line, failure).effect != .none
        }
    }

    /// A level without an edge at two checks in a row means a lost edge: libgpiod 1.6 does not
    /// report the loss.
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

    /// A line has recovered when a check finds no failure. An input also has to carry the level
    /// that the machine has: changes while it was unreadable made no edge.
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

    /// One recovery at a time, since its handling may fail another line; then the check's result.
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
    public static var title: String { "line_watch" }
    public static var blank: LineWatch { LineWatch(.blank, interval: .zero) }

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
