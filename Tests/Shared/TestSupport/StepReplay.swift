public import Controller
import StateMachines
public import Turnstile

/// The machines, taken once more through what was recorded of them.
public struct StepReplay {
    /// The machine, from the first state on that was recorded.
    public private(set) var turnstile: Turnstile?
    /// Those of the shell, likewise.
    public private(set) var shell: ShellMachines?
    /// The first thing that was not as it was recorded; nil while all is.
    public private(set) var complaint: String?
    /// What the machines said, as far as it was not met among the steps yet.
    private var commands: ArraySlice<Command> = []
    private var records: ArraySlice<Record> = []
    private var shellCommands: ArraySlice<ShellCommand> = []

    /// Machines that nothing is known of.
    public init() {}

    /// Goes one step further.
    public mutating func replay(_ step: TraceStep) {
        switch step {
        case .command(let command): expect(commands.popFirst(), command)
        case .record(let record): expect(records.popFirst(), record)
        case .shellCommand(let command):
            expect(shellCommands.popFirst(), command)
            expect(read(command), command)
        case .state, .event, .postponed, .shell:
            expectNothingLeft(before: step)
            replay(with: step)
        }
    }

    /// Complains about what a machine said and no step tells of.
    public mutating func finish() { expectNothingLeft(before: nil) }

    /// Complains where the machines are not as these.
    public mutating func compare(with other: Turnstile, _ others: ShellMachines) {
        expect(turnstile, other)
        expect(shell, others)
    }

    private mutating func replay(with step: TraceStep) {
        switch step {
        case .state(let machine, let machines, _):
            if turnstile != nil { compare(with: machine, machines) }
            turnstile = machine
            shell = read(machines)
            expect(shell, machines)
        case .event(let event, let verdict): handle(event, verdict)
        case .postponed(let duration): turnstile?.postpone(by: duration)
        case .shell(let event, _):
            let outcome = shell?.handle(event)
            if outcome?.isHandled != true { complain("\(event) is \(outcome as Any)") }
            shellCommands = ArraySlice(outcome?.commands ?? [])
            expect(read(event), event)
        case .command, .record, .shellCommand: break
        }
    }

    private mutating func handle(_ event: Event, _ verdict: Verdict) {
        guard var turnstile else { return complain("\(event) comes before any state") }
        let said = turnstile.handle(event) { command in
            if case .record(let record) = command {
                records.append(record)
            } else {
                commands.append(command)
            }
        }
        expect(said, verdict)
        self.turnstile = turnstile
        shell?.follow(turnstile)
    }

    /// The same value, by its fields.
    private mutating func read<Value: FieldConvertible>(_ value: Value) -> Value? {
        do throws(FieldError) {
            return try Value(value.fieldValue)
        } catch {
            complain("\(value) cannot be read: \(error)")
            return nil
        }
    }

    private mutating func expectNothingLeft(before step: TraceStep?) {
        guard !(commands.isEmpty && records.isEmpty && shellCommands.isEmpty) else { return }
        complain("\(commands) \(records) \(shellCommands) are missing before \(step as Any)")
    }

    private mutating func expect<Value: Equatable>(_ value: Value?, _ recorded: Value) {
        if value != recorded { complain("\(value as Any) was recorded as \(recorded)") }
    }

    private mutating func complain(_ text: String) {
        if complaint == nil { complaint = text }
    }
}

/// A recorder that replays what it takes at once, asks for the state now and then, and compares
/// the machines with those that go on.
public final class ReplayingRecorder: StepRecorder {
    /// After how many takings it asks for the state.
    private static let stride = 50

    /// The shell whose steps it takes.
    public weak var controller: Controller?
    /// Called with what was not as it was recorded.
    public var onComplaint: (String) -> Void
    /// The steps that it has taken, where it keeps them.
    public private(set) var steps: [TraceStep] = []
    private let keeps: Bool
    private var replay = StepReplay()
    private var takings = 0
    private var hasComplained = false

    /// A recorder that keeps the steps, or only replays them.
    public init(keeps: Bool, onComplaint: @escaping (String) -> Void) {
        self.keeps = keeps
        self.onComplaint = onComplaint
    }

    /// Whether it is time to ask for the state.
    public var wantsState: Bool { takings % Self.stride == Self.stride - 1 }

    /// Nothing fails here.
    public func takeFailure() -> String? { nil }

    /// Replays the steps.
    public func take(_ steps: inout [TraceStep]) {
        takings += 1
        if keeps { self.steps += steps }
        for step in steps { replay.replay(step) }
        replay.finish()
        if let controller { replay.compare(with: controller.turnstile, controller.shell) }
        steps.removeAll(keepingCapacity: true)
        guard let complaint = replay.complaint, !hasComplained else { return }
        hasComplained = true
        onComplaint(complaint)
    }

    /// Hands over what was kept and forgets it.
    public func takeSteps() -> [TraceStep] {
        defer { steps = [] }
        return steps
    }
}
