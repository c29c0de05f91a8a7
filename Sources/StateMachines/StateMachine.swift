/// A pure state machine: a value that events change and that answers with commands.
///
/// A machine has no clock, no I/O and no randomness. Whatever it wants done it says in commands,
/// which are values; whatever it learns it learns from events, which are values too. The same
/// state and the same event therefore always give the same next state and the same outcome, and a
/// test needs nothing but the machine.
///
///     enum Lamp: StateMachine {
///         case off, on
///         enum Event { case pressed }
///         enum Command: Equatable { case light, darken }
///
///         mutating func handle(_ event: Event) -> Outcome<Command> {
///             switch (self, event) {
///             case (.off, .pressed): self = .on; return .handled(.light)
///             case (.on, .pressed): self = .off; return .handled(.darken)
///             }
///         }
///     }
public protocol StateMachine<Event, Command> {
    /// What may happen to the machine.
    associatedtype Event
    /// What the machine may want done.
    associatedtype Command

    /// Changes the state as `event` asks, and says what is to be done about it.
    ///
    /// A machine that returns ``Outcome/ignored(_:)`` or ``Outcome/unhandled`` has not changed.
    mutating func handle(_ event: Event) -> Outcome<Command>

    /// When the machine next wants to hear that time has passed, or nil while it waits for nothing.
    ///
    /// The state owns its deadline, so a timer can never be stale: a shell keeps one timer, set to
    /// the deadline of the whole machine after each event. A composed machine's deadline is the
    /// earliest of its parts'.
    var deadline: Instant? { get }
}

extension StateMachine {
    /// A machine that never waits.
    public var deadline: Instant? { nil }
}
