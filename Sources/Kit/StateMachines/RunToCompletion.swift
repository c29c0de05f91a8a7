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
    /// This event was raised beyond the limit, and not handled: see ``RunToCompletion/limit``.
    case dropped(Event)
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

    /// How many raised events one event from outside may lead to; a machine that raises more runs
    /// in circles. Those beyond are dropped, and come out as ``Completion/dropped(_:)``.
    public var limit: Int

    /// That machine, with the events that it raises handled.
    @inlinable
    public init(_ base: Base, limit: Int = 1_000) {
        self.base = base
        self.limit = limit
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
        handleRaised(&raised, perform)
        return verdict
    }

    /// Handles the events that were raised, and those that they raise.
    @inlinable
    mutating func handleRaised(
        _ raised: inout Commands<Base.Event>,
        _ perform: (Completion<Base.Event, Inside>) -> Void
    ) {
        var next = 0
        while next < raised.count {
            let event = raised[next]
            next += 1
            guard next <= limit else {
                perform(.dropped(event))
                continue
            }
            switch base.handle(event, perform: { Self.sort($0, perform, &raised) }) {
            case .handled: break
            case .ignored(let reason): perform(.ignored(event, reason))
            case .unhandled: perform(.unhandled(event))
            }
        }
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

extension RunToCompletion where Base: EntryExitMachine {
    /// What is to be done when a shell starts in the present state: its commands of entry, and all
    /// that the events which they raise lead to.
    @inlinable
    public mutating func start() -> Commands<Completion<Base.Event, Inside>> {
        var commands = Commands<Completion<Base.Event, Inside>>()
        start { commands.append($0) }
        return commands
    }

    /// The same, with each command handed over as it comes.
    @inlinable
    public mutating func start(perform: (Completion<Base.Event, Inside>) -> Void) {
        var raised = Commands<Base.Event>()
        base.entryCommands.forEach { Self.sort($0, perform, &raised) }
        handleRaised(&raised, perform)
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
    private enum RunToCompletionKeys: CodingKey { case base, limit }

    extension RunToCompletion: Encodable where Base: Encodable {
        /// Writes the base and the limit.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: RunToCompletionKeys.self)
            try container.encode(base, forKey: .base)
            try container.encode(limit, forKey: .limit)
        }
    }

    extension RunToCompletion: Decodable where Base: Decodable {
        /// Reads the base and the limit, if it was written.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RunToCompletionKeys.self)
            self.init(try container.decode(Base.self, forKey: .base))
            limit = try container.decodeIfPresent(Int.self, forKey: .limit) ?? limit
        }
    }
#endif

extension RunToCompletion: SelectiveMachine where Base: SelectiveMachine {
    /// What the base listens to.
    @inlinable public var listens: KindSet<Base.Kind> { base.listens }
}
