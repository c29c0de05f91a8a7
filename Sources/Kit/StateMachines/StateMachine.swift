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
    /// A machine that returns ``Outcome/ignored(_:)`` or ``Outcome/unhandled`` has not changed:
    /// `StateGraph.unfaithfulSteps` finds those that have.
    mutating func handle(_ event: Event) -> Outcome<Command>

    /// The same, for a hot path: each command goes to `perform` instead of into a list.
    ///
    /// It is given for every machine. Composed machines and tables build no list on the way, so
    /// that they cost about what switches written by hand do:
    ///
    ///     let verdict = machine.handle(event) { shell.run($0) }
    ///
    /// Commands come in the order of ``handle(_:)``. They may come before the whole machine has
    /// heard of the event, and `perform` cannot look at the machine, which is just changing.
    /// A type that replaces one of the two where a composed kind gives both replaces the other too.
    mutating func handle(_ event: Event, perform: (Command) -> Void) -> Verdict

    /// The regions of this machine that would leave `event` undecided, without its happening.
    ///
    /// Where regions run side by side, one that handles or ignores an event hides that another did
    /// not decide what it means. A machine without regions is its own only one. ``Regions``,
    /// ``Product``, ``Adapter`` and ``RunToCompletion`` look into their parts. A machine with
    /// regions inside a state has to do so itself, since it alone knows what it forwards to them:
    ///
    ///     func undecidedRegions(of event: Event) -> [UndecidedRegion] {
    ///         switch self {
    ///         case .working(let regions): regions.undecidedRegions(of: event)
    ///         case .broken: …
    func undecidedRegions(of event: Event) -> [UndecidedRegion]
}

/// A region that leaves an event undecided.
public struct UndecidedRegion: Hashable, Sendable, CustomStringConvertible {
    /// The way to the region, such as `second.first`; empty when the machine has no regions.
    public let path: String
    /// The region's state, as it describes itself.
    public let state: String

    /// A region in this state.
    public init(path: String = "", state: String) {
        self.path = path
        self.state = state
    }

    /// The same region, seen from the machine in which it lies in this part.
    public func inside(_ part: String) -> UndecidedRegion {
        UndecidedRegion(path: path.isEmpty ? part : "\(part).\(path)", state: state)
    }

    /// Such as `second.first: locked`.
    public var description: String { path.isEmpty ? state : "\(path): \(state)" }
}

extension StateMachine {
    /// Goes through the list that ``handle(_:)`` gives.
    @inlinable
    @inline(__always)
    public mutating func handle(_ event: Event, perform: (Command) -> Void) -> Verdict {
        handle(event).read(perform)
    }

    /// The machine itself, when it leaves the event undecided.
    public func undecidedRegions(of event: Event) -> [UndecidedRegion] {
        switch outcome(of: event) {
        case .unhandled: [UndecidedRegion(state: name(of: self))]
        case .handled, .ignored: []
        }
    }

    /// What would become of `event`, without its happening.
    ///
    /// The question is put to a copy, and commands are values: asking can have no effect.
    @inlinable
    public func outcome(of event: Event) -> Outcome<Command> {
        var copy = self
        return copy.handle(event)
    }

    /// Whether `event` would be handled now, without its happening.
    @inlinable
    public func permits(_ event: Event) -> Bool { outcome(of: event).isHandled }

    /// Handles `event` and tells the whole story of it: before, event, outcome, after.
    @inlinable
    public mutating func step(_ event: Event) -> Step<Self> {
        let before = self
        let outcome = handle(event)
        return Step(before: before, event: event, outcome: outcome, after: self)
    }
}

/// One event in the life of a machine, as a record can keep it.
@frozen
public struct Step<Machine: StateMachine> {
    /// The machine before the event.
    public let before: Machine
    /// What happened.
    public let event: Machine.Event
    /// What became of it.
    public let outcome: Outcome<Machine.Command>
    /// The machine after the event.
    public let after: Machine

    /// A record of these four.
    @inlinable
    public init(
        before: Machine, event: Machine.Event, outcome: Outcome<Machine.Command>, after: Machine
    ) {
        self.before = before
        self.event = event
        self.outcome = outcome
        self.after = after
    }
}

extension Step: Equatable
where Machine: Equatable, Machine.Event: Equatable, Machine.Command: Equatable {}
extension Step: Sendable
where Machine: Sendable, Machine.Event: Sendable, Machine.Command: Sendable {}

extension Step: CustomStringConvertible {
    /// One line, such as `locked, coin: unlocked [unlock]` or `locked, reset: unhandled`.
    public var description: String {
        let result =
            switch outcome {
            case .handled(let commands): "\(name(of: after)) \(commands)"
            case .ignored(let reason): "ignored, \(reason)"
            case .unhandled: "unhandled"
            }
        return "\(name(of: before)), \(name(of: event)): \(result)"
    }
}

/// What a person calls `value`: as it describes itself.
@usableFromInline
package func name<Value>(of value: Value) -> String {
    #if hasFeature(Embedded)
        // There is no reflection on a microcontroller, so a value cannot name itself.
        return "?"
    #else
        return String(describing: value)
    #endif
}
