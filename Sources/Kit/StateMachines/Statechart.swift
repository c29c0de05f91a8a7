/// What a ``Statechart`` makes of an event: an ``Outcome`` that says what is left and entered.
@frozen
public enum Transition<Command> {
    /// The present state is left and the new one entered, even the same: these are the commands
    /// between those of exit and of entry.
    case external(Commands<Command>)
    /// The state is neither left nor entered. What is inside it may have changed, by commands of
    /// its own.
    case `internal`(Commands<Command>)
    /// The event was expected here and changes nothing, for this reason.
    case ignored(Reason)
    /// Nobody decided what this event means in this state.
    case unhandled

    /// The present state is left and the new one entered, with no command between.
    @inlinable public static var external: Transition { .external(Commands()) }

    /// The present state is left and the new one entered, with one command between.
    @inlinable
    public static func external(_ command: Command) -> Transition { .external(Commands(command)) }

    /// The state is neither left nor entered, and nothing is to be done.
    @inlinable public static var `internal`: Transition { .internal(Commands()) }

    /// The state is neither left nor entered, and one thing is to be done.
    @inlinable
    public static func `internal`(_ command: Command) -> Transition {
        .internal(Commands(command))
    }
}

extension Transition: Equatable where Command: Equatable {}
extension Transition: Sendable where Command: Sendable {}

/// A machine whose states have commands of their own for being entered and left.
///
/// Write ``react(to:)`` as if there were no such commands, and say of each transition whether it is
/// external; ``StateMachine/handle(_:)`` puts them round it: first those of the state that is left,
/// then the transition's, then those of the state that is entered.
///
///     mutating func react(to event: Event) -> Transition<Command> {
///         switch (self, event) {
///         case (.working(let inner), .failed): enter(.broken(was: inner))
///         case (.working(let inner), .reset): replace(inner, by: .locked, in: Self.working)
///         case (.working(let inner), .coin): forward(.coin, to: inner, in: Self.working)
///         …
///
/// A machine inside a state runs the commands of its own changes when events are forwarded to it,
/// and when it is replaced. Those of being left and entered with the state round it are joined to
/// that one's, innermost first on the way out and last on the way in:
///
///     var entryCommands: Commands<Command> {
///         switch self {
///         case .working(let inner): [.lightGreen] + inner.entryCommands
///         case .broken: [.callMechanic]
///         }
///     }
///
/// A state that remembers the inner machine, `broken(was: Working)`, is its history.
public protocol Statechart<Event, Command>: EntryExitMachine {
    // Declared again so that `react(to:)` can tell what they are.
    associatedtype Event
    associatedtype Command
    /// Which state the machine is in, where payloads and inner machines do not count.
    associatedtype Position: Equatable
    /// Which state the machine is in.
    var position: Position { get }
    /// Makes the transition that `event` asks for, without the commands of entry and exit.
    ///
    /// An internal transition that changes the ``position`` is a programming error.
    mutating func react(to event: Event) -> Transition<Command>
}

extension Statechart {
    /// The transition with the commands of exit before its own and those of entry after.
    @inlinable
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        var commands = Commands<Command>()
        let verdict = handle(event) { commands.append($0) }
        return Outcome(verdict, commands)
    }

    /// The same, with each command handed over as it comes.
    @inlinable
    public mutating func handle(_ event: Event, perform: (Command) -> Void) -> Verdict {
        let before = self
        switch react(to: event) {
        case .external(let commands):
            before.exitCommands.forEach(perform)
            commands.forEach(perform)
            entryCommands.forEach(perform)
            return .handled
        case .internal(let commands):
            precondition(
                position == before.position, "an internal transition has changed the state")
            commands.forEach(perform)
            return .handled
        case .ignored(let reason): return .ignored(reason)
        case .unhandled: return .unhandled
        }
    }

    /// Leaves the present state for `state`, with these commands between exit and entry.
    @inlinable
    public mutating func enter(
        _ state: Self, doing commands: Commands<Command> = Commands()
    ) -> Transition<Command> {
        self = state
        return .external(commands)
    }

    /// Leaves `inner`, a machine inside the present state, for another one, with these commands
    /// between its exit and the other's entry. The state round them is neither left nor entered.
    @inlinable
    public mutating func replace<Inner: EntryExitMachine>(
        _ inner: Inner, by other: Inner, in state: (Inner) -> Self,
        doing commands: Commands<Command> = Commands()
    ) -> Transition<Command> where Inner.Command == Command {
        self = state(other)
        return .internal(inner.exitCommands + commands + other.entryCommands)
    }
}

extension Statechart where Self: TimedMachine {
    /// Lets `inner` handle its share of an event, by ``TimedMachine/forward(_:to:in:)``: the state
    /// round it is neither left nor entered.
    @inlinable
    @inline(__always)
    public mutating func forward<Inner: StateMachine>(
        _ event: Inner.Event?, to inner: Inner, in state: (Inner) -> Self
    ) -> Transition<Command> where Inner.Command == Command {
        let outcome: Outcome<Command> = forward(event, to: inner, in: state)
        switch outcome {
        case .handled(let commands): return .internal(commands)
        case .ignored(let reason): return .ignored(reason)
        case .unhandled: return .unhandled
        }
    }
}

extension Statechart where Self: Kinded {
    /// The kind of the state.
    @inlinable public var position: Kind { kind }
}
