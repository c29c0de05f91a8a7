public import StateMachines
public import Turnstile

/// One thing that a machine heard or said, in the order in which it happened: enough of them tell
/// all that was decided, and the same machines can be taken through them once more.
public enum TraceStep: Hashable, Sendable {
    /// The machine and those of the shell as they are at this moment: whoever begins to read here
    /// needs nothing before it.
    indirect case state(Turnstile, ShellMachines, at: Instant)
    /// The machine heard of this, and decided so. What it said about it comes next.
    case event(Event, Verdict)
    /// It wanted this driven, told or made durable.
    case command(Command)
    case record(Record)
    /// Its waits for people and locks were moved on by this: nothing was driven meanwhile.
    case postponed(by: Duration)
    /// A machine of the shell heard of this and did not ignore it. What it said comes next.
    ///
    /// Two things are told by what the machine itself heard and said, and are no steps: what
    /// outlives the process after each event (``ShellMachines/follow(_:)``), and what is recorded,
    /// which the registers' machine never changes by.
    case shell(ShellEvent, at: Instant)
    case shellCommand(ShellCommand)
}

extension TraceStep {
    package var isState: Bool {
        if case .state = self { true } else { false }
    }
}

/// Whoever keeps what was decided, step by step.
public protocol StepRecorder: AnyObject {
    /// Whether the state is to stand between the next steps.
    var wantsState: Bool { get }
    /// Takes the steps since it last took any, and leaves an empty list with room for the next. It
    /// comes when all is driven, on the loop's thread, and waits for nothing.
    func take(_ steps: inout [TraceStep])
    /// Why nothing is kept, once it is another reason than when this was last asked; nil else.
    func takeFailure() -> String?
}
