/// Two machines that are told of the same events: the orthogonal regions of a statechart.
///
/// More than two nest, `Regions<A, Regions<B, C>>`; the optimiser sees through it. Up to eight are
/// declared at once, `Regions(a, b, c)`, and had at once, `regions.parts()`; ``Regions3`` to
/// ``Regions8`` are the names of their types.
///
/// No region sees another. Where the state of one decides what an event means to another, SCXML's
/// `In`, the machine round them looks at both and passes the event on, or not.
@frozen
public struct Regions<First: StateMachine, Second: StateMachine>: StateMachine
where First.Event == Second.Event, First.Command == Second.Command {
    /// The region that hears of an event first.
    public var first: First
    /// The region that hears of it next.
    public var second: Second

    /// The two, side by side.
    @inlinable
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// Tells both; handled when either handled it, with the first one's commands first.
    @inlinable
    @inline(__always)
    public mutating func handle(_ event: First.Event) -> Outcome<First.Command> {
        // What `joined` does, by hand: to be given the second outcome makes it a fifth slower.
        switch first.handle(event) {
        case .handled(var commands):
            if case .handled(let more) = second.handle(event) {
                commands.append(contentsOf: more)
            }
            return .handled(commands)
        case .ignored(let reason):
            switch second.handle(event) {
            case .handled(let commands): return .handled(commands)
            case .ignored, .unhandled: return .ignored(reason)
            }
        case .unhandled:
            return second.handle(event)
        }
    }

    /// Tells both, and hands over the first one's commands first.
    @inlinable
    @inline(__always)
    public mutating func handle(
        _ event: First.Event, perform: (First.Command) -> Void
    ) -> Verdict {
        let verdict = first.handle(event, perform: perform)
        return verdict.joined(with: second.handle(event, perform: perform))
    }

    /// Those of the first, then those of the second.
    public func undecidedRegions(of event: First.Event) -> [UndecidedRegion] {
        first.undecidedRegions(of: event).map { $0.inside("first") }
            + second.undecidedRegions(of: event).map { $0.inside("second") }
    }
}

extension Regions: TimedMachine where First: TimedMachine, Second: TimedMachine {
    /// The earlier of the two.
    @inlinable public var deadline: Instant? { .earliest(first.deadline, second.deadline) }
}

extension Regions: CustomStringConvertible {
    /// Both states, such as `locked | silent`.
    public var description: String { "\(name(of: first)) | \(name(of: second))" }
}

extension Regions: Equatable where First: Equatable, Second: Equatable {}
extension Regions: Hashable where First: Hashable, Second: Hashable {}
extension Regions: Sendable where First: Sendable, Second: Sendable {}
#if !hasFeature(Embedded)
    extension Regions: Encodable where First: Encodable, Second: Encodable {}
    extension Regions: Decodable where First: Decodable, Second: Decodable {}
#endif

extension Regions: SelectiveMachine
where First: SelectiveMachine, Second: SelectiveMachine, First.Kind == Second.Kind {
    /// What either listens to.
    @inlinable public var listens: KindSet<First.Kind> { first.listens.union(second.listens) }
}

/// One of two: an event or command of the first or of the second part of a ``Product``.
@frozen
public enum Either<First, Second> {
    /// Of the first part.
    case first(First)
    /// Of the second part.
    case second(Second)
}

extension Either: CustomStringConvertible {
    /// The value's own.
    public var description: String {
        switch self {
        case .first(let first): name(of: first)
        case .second(let second): name(of: second)
        }
    }
}

extension Either: Equatable where First: Equatable, Second: Equatable {}
extension Either: Hashable where First: Hashable, Second: Hashable {}
extension Either: Sendable where First: Sendable, Second: Sendable {}

extension Either: CaseIterable where First: CaseIterable, Second: CaseIterable {
    /// Those of the first, then those of the second.
    public static var allCases: [Either] {
        First.allCases.map(Either.first) + Second.allCases.map(Either.second)
    }
}

extension Either: Kinded where First: Enumerated, Second: Enumerated {
    /// The values are their own kinds.
    public typealias Kind = Either
}

extension Either: Enumerated where First: Enumerated, Second: Enumerated {
    /// The place in `allCases`: the second part counts on where the first ends.
    @inlinable public var ordinal: Int {
        switch self {
        case .first(let first): first.ordinal
        case .second(let second): First.count + second.ordinal
        }
    }
}

/// An event of a ``Product``: for one part or for both, each in its own vocabulary.
@frozen
public enum Routed<First, Second> {
    /// For the first part alone.
    case first(First)
    /// For the second part alone.
    case second(Second)
    /// For both, the first part first.
    case both(First, Second)
}

extension Routed: CustomStringConvertible {
    /// The event's own, or both.
    public var description: String {
        switch self {
        case .first(let first): name(of: first)
        case .second(let second): name(of: second)
        case .both(let first, let second): "\(name(of: first)) | \(name(of: second))"
        }
    }
}

extension Routed: Equatable where First: Equatable, Second: Equatable {}
extension Routed: Hashable where First: Hashable, Second: Hashable {}
extension Routed: Sendable where First: Sendable, Second: Sendable {}

/// Two machines side by side, each with events and commands of its own.
///
/// An ``Adapter`` gives it one vocabulary. More than two nest.
@frozen
public struct Product<First: StateMachine, Second: StateMachine>: StateMachine {
    /// The part that takes its share of an event first.
    public var first: First
    /// The part that takes its share next.
    public var second: Second

    /// The two, side by side.
    @inlinable
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// Gives each part what is meant for it.
    @inlinable
    @inline(__always)
    public mutating func handle(
        _ event: Routed<First.Event, Second.Event>
    ) -> Outcome<Either<First.Command, Second.Command>> {
        switch event {
        case .first(let event): return first.handle(event).map(Either.first)
        case .second(let event): return second.handle(event).map(Either.second)
        case .both(let one, let other):
            let outcome = first.handle(one).map(Either<First.Command, Second.Command>.first)
            return outcome.joined(with: second.handle(other).map(Either.second))
        }
    }

    /// Gives each part what is meant for it, and hands over the first one's commands first.
    @inlinable
    @inline(__always)
    public mutating func handle(
        _ event: Routed<First.Event, Second.Event>,
        perform: (Either<First.Command, Second.Command>) -> Void
    ) -> Verdict {
        switch event {
        case .first(let event): return first.handle(event) { perform(.first($0)) }
        case .second(let event): return second.handle(event) { perform(.second($0)) }
        case .both(let one, let other):
            let verdict = first.handle(one) { perform(.first($0)) }
            return verdict.joined(with: second.handle(other) { perform(.second($0)) })
        }
    }

    /// Those of each part that the event is for.
    public func undecidedRegions(
        of event: Routed<First.Event, Second.Event>
    ) -> [UndecidedRegion] {
        switch event {
        case .first(let event): first.undecidedRegions(of: event).map { $0.inside("first") }
        case .second(let event): second.undecidedRegions(of: event).map { $0.inside("second") }
        case .both(let one, let other):
            first.undecidedRegions(of: one).map { $0.inside("first") }
                + second.undecidedRegions(of: other).map { $0.inside("second") }
        }
    }
}

extension Product: TimedMachine where First: TimedMachine, Second: TimedMachine {
    /// The earlier of the two.
    @inlinable public var deadline: Instant? { .earliest(first.deadline, second.deadline) }
}

extension Product: CustomStringConvertible {
    /// Both states, such as `capsLockOff | numLockOn`.
    public var description: String { "\(name(of: first)) | \(name(of: second))" }
}

extension Product: Equatable where First: Equatable, Second: Equatable {}
extension Product: Hashable where First: Hashable, Second: Hashable {}
extension Product: Sendable where First: Sendable, Second: Sendable {}
#if !hasFeature(Embedded)
    extension Product: Encodable where First: Encodable, Second: Encodable {}
    extension Product: Decodable where First: Decodable, Second: Decodable {}
#endif

extension Product: SelectiveMachine where First: SelectiveMachine, Second: SelectiveMachine {
    /// What each part listens to. Both together have to have at most 64 kinds of event.
    @inlinable public var listens: KindSet<Either<First.Kind, Second.Kind>> {
        precondition(
            First.Kind.count + Second.Kind.count <= 64, "a kind set holds at most 64 kinds")
        return KindSet(bits: first.listens.bits | second.listens.bits << First.Kind.count)
    }
}

/// A machine in other words: another machine with its events and commands translated.
///
///     struct Keyboard: Adapter {
///         var base = Product(MainKeypad.capsLockOff, NumericKeypad.numLockOn)
///         static func route(_ key: Key) -> Routed<MainKeypad.Event, NumericKeypad.Event>? { … }
///         static func translate(_ command: Either<Output, Output>) -> Output { … }
///     }
public protocol Adapter<Event, Command>: StateMachine {
    // Declared again so that the two functions can tell what they are.
    associatedtype Event
    associatedtype Command
    /// The machine that does the work.
    associatedtype Base: StateMachine
    /// The machine that does the work.
    var base: Base { get set }
    /// The event as the base knows it, or nil when it means nothing to it: then it is unhandled.
    static func route(_ event: Event) -> Base.Event?
    /// What the base wants done, in this machine's words.
    static func translate(_ command: Base.Command) -> Command
}

extension Adapter {
    /// What the base makes of the event, translated there and back.
    @inlinable
    @inline(__always)
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        guard let event = Self.route(event) else { return .unhandled }
        return base.handle(event).map(Self.translate)
    }

    /// The same, each command translated as it comes.
    @inlinable
    @inline(__always)
    public mutating func handle(_ event: Event, perform: (Command) -> Void) -> Verdict {
        guard let event = Self.route(event) else { return .unhandled }
        return base.handle(event) { perform(Self.translate($0)) }
    }

    /// The base's, or this machine itself when the event means nothing to the base.
    public func undecidedRegions(of event: Event) -> [UndecidedRegion] {
        guard let event = Self.route(event) else {
            return [UndecidedRegion(state: name(of: self))]
        }
        return base.undecidedRegions(of: event)
    }
}

extension Adapter where Self: TimedMachine, Base: TimedMachine {
    /// The base's.
    @inlinable public var deadline: Instant? { base.deadline }
}

extension Adapter where Self: SelectiveMachine, Base: SelectiveMachine, Kind == Base.Kind {
    /// What the base listens to.
    @inlinable public var listens: KindSet<Kind> { base.listens }
}

extension Adapter where Base.Command == Command {
    /// What the base makes of the event.
    @inlinable
    @inline(__always)
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        guard let event = Self.route(event) else { return .unhandled }
        return base.handle(event)
    }

    /// The command as it is: both speak the same words.
    @inlinable public static func translate(_ command: Base.Command) -> Command { command }
}
