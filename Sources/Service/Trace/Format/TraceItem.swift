public import Controller
public import StateMachines
public import Turnstile

/// One thing that a trace tells.
public enum TraceItem: Hashable, Sendable {
    /// The machine heard of this. What it said about it follows.
    case event(Event, RecordedVerdict)
    /// It wanted this driven, told or made durable.
    case command(Command)
    /// It wanted this written down.
    case record(Record)
    /// Its waits for people and locks were moved on by this.
    case postponed(by: Duration)
    /// A machine of the shell heard of this.
    indirect case shell(ShellEvent, at: Instant)
    /// A machine of the shell wanted this done.
    indirect case shellCommand(ShellCommand)
    /// So many steps before this are missing: they came faster than they could be written, or there
    /// was nowhere to write them.
    case lost(Int)
    /// Something that has no meaning here, since a later version wrote it: its name, and whether
    /// the machine heard of it, which nobody can replay then.
    case unknown(String, isEvent: Bool)
}

/// What became of an event, as it was written down.
public enum RecordedVerdict: Hashable, Sendable {
    /// The event was taken.
    case handled
    /// It changed nothing, for this reason.
    case ignored(String)
    /// Nobody had decided what it means.
    case unhandled

    /// The verdict in this form.
    public init(_ verdict: Verdict) {
        self =
            switch verdict {
            case .handled: .handled
            case .ignored(let reason): .ignored(reason.description)
            case .unhandled: .unhandled
            }
    }
}

extension TraceItem {
    /// What is written of a step; nil for a state, which begins a page.
    init?(_ step: TraceStep) {
        switch step {
        case .state: return nil
        case .event(let event, let verdict): self = .event(event, RecordedVerdict(verdict))
        case .command(let command): self = .command(command)
        case .record(let record): self = .record(record)
        case .postponed(let duration): self = .postponed(by: duration)
        case .shell(let event, let time): self = .shell(event, at: time)
        case .shellCommand(let command): self = .shellCommand(command)
        }
    }
}
