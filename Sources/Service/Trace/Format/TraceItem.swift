public import Controller
public import StateMachines
public import Turnstile

/// One thing that a trace tells.
public enum TraceItem: Hashable, Sendable {
    /// The machine heard of this. What it said about it follows.
    case event(Event, RecordedVerdict)
    case command(Command)
    case record(Record)
    case postponed(by: Duration)
    indirect case shell(ShellEvent, at: Instant)
    indirect case shellCommand(ShellCommand)
    /// So many steps before this are missing: they came faster than they could be written, or there
    /// was nowhere to write them.
    case lost(Int)
    /// What has no meaning here, by a later version: nobody can replay past it if it `isEvent`.
    case unknown(String, isEvent: Bool)
}

/// What became of an event, as it was written down.
public enum RecordedVerdict: Hashable, Sendable {
    case handled
    case ignored(String)
    /// Nobody had decided what it means.
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
