/// What a machine under ``RunToCompletion`` wants: something done outside, or an event of its own.
@frozen
public enum Effect<Event, Command> {
    /// Do this.
    case perform(Command)
    /// Let this happen next, before anything from outside does.
    case raise(Event)
}

extension Effect: Equatable where Event: Equatable, Command: Equatable {}
extension Effect: Hashable where Event: Hashable, Command: Hashable {}
extension Effect: Sendable where Event: Sendable, Command: Sendable {}

/// What a machine under ``RunToCompletion`` leads to: something done outside, or the trace of an
/// event of its own that came to nothing.
@frozen
public enum Completion<Event, Command> {
    /// Do this.
    case perform(Command)
    /// This event was raised and changed nothing, for this reason.
    case ignored(Event, Reason)
    /// This event was raised, and nobody had decided what it means.
    case unhandled(Event)
}

extension Completion: Equatable where Event: Equatable, Command: Equatable {}
extension Completion: Hashable where Event: Hashable, Command: Hashable {}
extension Completion: Sendable where Event: Sendable, Command: Sendable {}

/// A machine that may raise events for itself while it handles one.
///
/// The events raised are handled in the order in which they were raised, each to its end, before
/// `handle` returns; the commands come out in the order in which they were given. Nothing gets
/// lost: an event that was raised and not handled comes out among them, see ``Completion``.
@frozen
public struct RunToCompletion<Base: StateMachine, Inside>: StateMachine
where Base.Command == Effect<Base.Event, Inside> {
    /// The machine that raises.
    public var base: Base

    /// How many events one event from outside may lead to; more is a machine that runs in circles,
    /// which stops the program.
    @inlinable public static var limit: Int { 1_000 }

    /// That machine, with the events that it raises handled.
    @inlinable
    public init(_ base: Base) {
        self.base = base
    }

    /// Handles the event and all that it raises.
    @inlinable
    public mutating func handle(_ event: Base.Event) -> Outcome<Completion<Base.Event, Inside>> {
        var commands = Commands<Completion<Base.Event, Inside>>()
        let verdict = handle(event) { commands.append($0) }
        return Outcome(verdict, commands)
    }

    /// The same, with each command handed over as it comes.
    @inlinable
    public mutating func handle(
        _ event: Base.Event, perform: (Completion<Base.Event, Inside>) -> Void
    ) -> Verdict {
        var raised = Commands<Base.Event>()
        let verdict = base.handle(event) { Self.sort($0, perform, &raised) }
        var next = 0
        while next < raised.count {
            precondition(next < Self.limit, "the machine raises events in a circle")
            let event = raised[next]
            next += 1
            switch base.handle(event, perform: { Self.sort($0, perform, &raised) }) {
            case .handled: break
            case .ignored(let reason): perform(.ignored(event, reason))
            case .unhandled: perform(.unhandled(event))
            }
        }
        return verdict
    }

    @usableFromInline
    @inline(__always)
    static func sort(
        _ effect: Base.Command, _ perform: (Completion<Base.Event, Inside>) -> Void,
        _ raised: inout Commands<Base.Event>
    ) {
        switch effect {
        case .perform(let command): perform(.perform(command))
        case .raise(let event): raised.append(event)
        }
    }

    /// The base's. An event that it raised and left undecided is among the commands.
    public func undecidedRegions(of event: Base.Event) -> [UndecidedRegion] {
        base.undecidedRegions(of: event)
    }
}

extension RunToCompletion: TimedMachine where Base: TimedMachine {
    /// The base's.
    @inlinable public var deadline: Instant? { base.deadline }
}

extension RunToCompletion: CustomStringConvertible {
    /// The base's.
    public var description: String { name(of: base) }
}

extension RunToCompletion: Equatable where Base: Equatable {}
extension RunToCompletion: Hashable where Base: Hashable {}
extension RunToCompletion: Sendable where Base: Sendable {}
#if !hasFeature(Embedded)
    extension RunToCompletion: Encodable where Base: Encodable {}
    extension RunToCompletion: Decodable where Base: Decodable {}
#endif

extension RunToCompletion: SelectiveMachine where Base: SelectiveMachine {
    /// What the base listens to.
    @inlinable public var listens: KindSet<Base.Kind> { base.listens }
}
