public import Controller
public import StateMachines
public import Turnstile

/// One item of a trace.
public enum TraceItem: Hashable, Sendable {
    /// An event of the machine. Its commands and records follow.
    case event(Event, RecordedVerdict)
    case command(Command)
    case record(Record)
    case postponed(by: Duration)
    indirect case shell(ShellEvent, at: Instant)
    indirect case shellCommand(ShellCommand)
    /// So many steps before this are missing: they came too fast, or could not be written; 0 if
    /// the number is unknown.
    case lost(Int)
    /// An item of a later version. If it `isEvent`, the replay cannot continue.
    case unknown(String, isEvent: Bool)
}

/// The recorded verdict on an event.
public enum RecordedVerdict: Hashable, Sendable {
    case handled
    case ignored(String)
    case unhandled

    package init(_ verdict: Verdict) {
        self =
            switch verdict {
            case .handled: .handled
            case .ignored(let reason): .ignored(reason.description)
            case .unhandled: .unhandled
            }
    }
}

extension TraceItem {
    /// The item of a step; nil for a state, which begins a page.
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
