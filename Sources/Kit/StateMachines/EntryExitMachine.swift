/// A machine whose present state has commands for being entered and left: by a shell that starts
/// in it, and by the machine round it.
///
/// What has parts joins theirs: ``Regions`` and ``Product`` are entered first part first and left
/// in the opposite order, an ``Adapter`` is entered and left as its base is.
public protocol EntryExitMachine<Event, Command>: StateMachine {
    /// What is to be done when the present state is entered.
    var entryCommands: Commands<Command> { get }
    /// What is to be done when the present state is left.
    var exitCommands: Commands<Command> { get }
}

extension Regions: EntryExitMachine where First: EntryExitMachine, Second: EntryExitMachine {
    /// The first region's, then the second's.
    @inlinable public var entryCommands: Commands<First.Command> {
        first.entryCommands + second.entryCommands
    }
    /// The second region's, then the first's.
    @inlinable public var exitCommands: Commands<First.Command> {
        second.exitCommands + first.exitCommands
    }
}

extension Product: EntryExitMachine where First: EntryExitMachine, Second: EntryExitMachine {
    /// The first part's, then the second's.
    @inlinable public var entryCommands: Commands<Either<First.Command, Second.Command>> {
        first.entryCommands.translated(by: Either.first)
            + second.entryCommands.translated(by: Either.second)
    }
    /// The second part's, then the first's.
    @inlinable public var exitCommands: Commands<Either<First.Command, Second.Command>> {
        second.exitCommands.translated(by: Either.second)
            + first.exitCommands.translated(by: Either.first)
    }
}

extension Adapter where Self: EntryExitMachine, Base: EntryExitMachine {
    /// The base's, translated.
    @inlinable public var entryCommands: Commands<Command> {
        base.entryCommands.translated(by: Self.translate)
    }
    /// The base's, translated.
    @inlinable public var exitCommands: Commands<Command> {
        base.exitCommands.translated(by: Self.translate)
    }
}
