/// When the commands of leaving and entering a state are run.
@frozen
public enum EntryExitPolicy: Sendable {
    /// Only when the state changes.
    case onChange
    /// On every transition, even one from a state to itself.
    case always
}

/// A machine whose states have commands of their own for being entered and left.
///
/// Write ``react(to:)`` as if there were no such commands; ``StateMachine/handle(_:)`` puts them
/// round it: first those of the state that is left, then the transition's, then those of the state
/// that is entered.
///
/// A machine inside a state runs the commands of its own changes, since its own `handle` is called
/// by ``TimedMachine/forward(_:to:in:)``; ``position`` of the outer machine leaves the inner one
/// out. The outer machine joins the inner one's commands to its own, innermost first on the way out
/// and last on the way in:
///
///     var entryCommands: Commands<Command> {
///         switch self {
///         case .functioning(let inner): [.lightGreen] + inner.entryCommands
///         case .broken: [.callMechanic]
///         }
///     }
///
/// A state that remembers the inner machine, `broken(was: Functioning)`, is its history.
public protocol Statechart<Event, Command>: StateMachine {
    // Declared again so that `react(to:)` can tell what they are.
    associatedtype Event
    associatedtype Command
    /// Which state the machine is in, where payloads and inner machines do not count.
    associatedtype Position: Equatable
    /// Which state the machine is in.
    var position: Position { get }
    /// What is to be done when the present state is entered.
    var entryCommands: Commands<Command> { get }
    /// What is to be done when the present state is left.
    var exitCommands: Commands<Command> { get }
    /// Whether a transition from a state to itself leaves and enters it: by default it does not.
    static var entryExitPolicy: EntryExitPolicy { get }
    /// Makes the transition that `event` asks for, without the commands of entry and exit.
    mutating func react(to event: Event) -> Outcome<Command>
}

extension Statechart {
    /// Nothing.
    @inlinable public var entryCommands: Commands<Command> { Commands() }
    /// Nothing.
    @inlinable public var exitCommands: Commands<Command> { Commands() }
    /// Only a change of state counts.
    @inlinable public static var entryExitPolicy: EntryExitPolicy { .onChange }

    /// The transition with the commands of exit before its own and those of entry after.
    @inlinable
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        let before = self
        let outcome = react(to: event)
        guard case .handled(let commands) = outcome else { return outcome }
        guard Self.entryExitPolicy == .always || position != before.position else { return outcome }
        var all = before.exitCommands
        all.append(contentsOf: commands)
        all.append(contentsOf: entryCommands)
        return .handled(all)
    }

    /// The same, with each command handed over as it comes.
    @inlinable
    public mutating func handle(_ event: Event, perform: (Command) -> Void) -> Verdict {
        let before = self
        let outcome = react(to: event)
        guard case .handled(let commands) = outcome else { return outcome.read(perform) }
        let moves = Self.entryExitPolicy == .always || position != before.position
        if moves { before.exitCommands.forEach(perform) }
        commands.forEach(perform)
        if moves { entryCommands.forEach(perform) }
        return .handled
    }
}

extension Statechart where Self: Kinded {
    /// The kind of the state.
    @inlinable public var position: Kind { kind }
}
