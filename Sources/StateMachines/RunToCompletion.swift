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

/// A machine that may raise events for itself while it handles one.
///
/// The events raised are handled in the order in which they were raised, each to its end, before
/// `handle` returns; the commands come out in the order in which they were given. Nothing gets
/// lost: an event that was raised and that nobody handled comes out as ``Effect/raise(_:)``.
@frozen
public struct RunToCompletion<Base: StateMachine, Inside>: StateMachine
where Base.Command == Effect<Base.Event, Inside> {
    /// The machine that raises.
    public var base: Base

    /// How many events one event from outside may lead to; more is a machine that runs in circles.
    @inlinable public static var limit: Int { 1_000 }

    /// That machine, with the events that it raises handled.
    @inlinable
    public init(_ base: Base) {
        self.base = base
    }

    /// Handles the event and all that it raises.
    @inlinable
    public mutating func handle(_ event: Base.Event) -> Outcome<Effect<Base.Event, Inside>> {
        let outcome = base.handle(event)
        guard case .handled(let effects) = outcome else { return outcome }
        var results = Commands<Base.Command>()
        var raised = Commands<Base.Event>()
        Self.sort(effects, into: &results, raised: &raised)
        var next = 0
        while next < raised.count {
            precondition(next < Self.limit, "the machine raises events in a circle")
            let event = raised[next]
            next += 1
            switch base.handle(event) {
            case .handled(let effects): Self.sort(effects, into: &results, raised: &raised)
            case .ignored: break
            case .unhandled: results.append(.raise(event))
            }
        }
        return .handled(results)
    }

    @usableFromInline
    @inline(__always)
    static func sort(
        _ effects: Commands<Base.Command>, into results: inout Commands<Base.Command>,
        raised: inout Commands<Base.Event>
    ) {
        effects.forEach { effect in
            switch effect {
            case .perform: results.append(effect)
            case .raise(let event): raised.append(event)
            }
        }
    }

    /// The base's.
    @inlinable public var deadline: Instant? { base.deadline }
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
