public import StateMachines
public import Turnstile

/// One step of a trace: an event or a result of a machine. A replay takes the same machines through
/// the same steps.
public enum TraceStep: Hashable, Sendable {
    /// The whole state at this moment: a reader can begin here.
    indirect case state(Turnstile, ShellMachines, at: Instant)
    /// An event of the machine. Its commands and records follow.
    case event(Event, Verdict)
    case command(Command)
    case record(Record)
    /// The machine's waits for people and locks were postponed: nothing was driven meanwhile.
    case postponed(by: Duration)
    /// An event that a machine of the shell did not ignore. Its commands follow.
    ///
    /// Two kinds follow from the machine's own steps, and are no steps: the retained state after
    /// each event (``ShellMachines/follow(_:)``), and records, which do not change ``Snapshots``.
    case shell(ShellEvent, at: Instant)
    case shellCommand(ShellCommand)
}

extension TraceStep {
    package var isState: Bool {
        if case .state = self { true } else { false }
    }
}

/// Writes the trace.
public protocol StepRecorder: AnyObject {
    /// Whether the next steps must contain the state.
    var wantsState: Bool { get }
    /// Takes the steps, and leaves an empty list with room for the next. Called on the loop's
    /// thread after all outputs were driven; it never waits.
    func take(_ steps: inout [TraceStep])
    /// Why the trace is not kept, if the reason changed since the last call; nil otherwise.
    func takeFailure() -> String?
}
