/// What became of an event.
///
/// There is no fourth way: an event that a machine has nothing to say about is never silent.
@frozen
public enum Outcome<Command> {
    /// The event was taken: these are the commands to run, in order, often none.
    case handled(Commands<Command>)
    /// The event was expected here and changes nothing, for this reason.
    case ignored(Reason)
    /// Nobody decided what this event means in this state.
    case unhandled

    /// The event was taken and nothing is to be done.
    @inlinable public static var handled: Outcome { .handled(Commands()) }

    /// The event was taken and one thing is to be done.
    @inlinable
    public static func handled(_ command: Command) -> Outcome { .handled(Commands(command)) }

    /// Whether the event was taken.
    @inlinable public var isHandled: Bool {
        switch self {
        case .handled: true
        case .ignored, .unhandled: false
        }
    }

    /// The commands to run: none unless the event was handled.
    @inlinable public var commands: Commands<Command> {
        switch self {
        case .handled(let commands): commands
        case .ignored, .unhandled: Commands()
        }
    }

    /// The same outcome in another vocabulary of commands.
    @inlinable
    public func map<Other>(_ translate: (Command) -> Other) -> Outcome<Other> {
        switch self {
        case .handled(let commands): .handled(commands.translated(by: translate))
        case .ignored(let reason): .ignored(reason)
        case .unhandled: .unhandled
        }
    }

    /// What became of an event that two regions were both told of.
    ///
    /// It was handled when either handled it, with the commands of this one first; failing that it
    /// was ignored when either ignored it, for the first reason given.
    @inlinable
    @inline(__always)
    public consuming func joined(with other: consuming Outcome) -> Outcome {
        switch consume self {
        case .handled(var commands):
            if case .handled(let more) = other { commands.append(contentsOf: more) }
            return .handled(commands)
        case .ignored(let reason):
            switch consume other {
            case .handled(let commands): return .handled(commands)
            case .ignored, .unhandled: return .ignored(reason)
            }
        case .unhandled:
            return other
        }
    }
}

/// What became of an event whose commands were handed over one by one: an ``Outcome`` without
/// them.
@frozen
public enum Verdict: Hashable, Sendable {
    /// The event was taken.
    case handled
    /// The event was expected here and changes nothing, for this reason.
    case ignored(Reason)
    /// Nobody decided what this event means in this state.
    case unhandled

    /// What became of an event that two regions were both told of: see ``Outcome/joined(with:)``.
    @inlinable
    @inline(__always)
    public func joined(with other: Verdict) -> Verdict {
        switch (self, other) {
        case (.handled, _), (_, .handled): .handled
        case (.ignored(let reason), _), (.unhandled, .ignored(let reason)): .ignored(reason)
        case (.unhandled, .unhandled): .unhandled
        }
    }
}

extension Outcome {
    /// The outcome of an event with this verdict, for which these commands were handed over.
    @inlinable
    public init(_ verdict: Verdict, _ commands: Commands<Command>) {
        self =
            switch verdict {
            case .handled: .handled(commands)
            case .ignored(let reason): .ignored(reason)
            case .unhandled: .unhandled
            }
    }

    /// Hands over the commands, in order, and says what is left: the verdict.
    @inlinable
    @inline(__always)
    public consuming func read(_ perform: (Command) -> Void) -> Verdict {
        switch consume self {
        case .handled(let commands):
            commands.forEach(perform)
            return .handled
        case .ignored(let reason): return .ignored(reason)
        case .unhandled: return .unhandled
        }
    }
}

extension Outcome: Equatable where Command: Equatable {}
extension Outcome: Sendable where Command: Sendable {}

/// Why an event changes nothing: a fixed text, written where the decision is.
@frozen
public struct Reason: ExpressibleByStringLiteral, Sendable {
    /// The text.
    public let text: StaticString

    /// A reason in so many words.
    @inlinable
    public init(stringLiteral text: StaticString) {
        self.text = text
    }
}

extension Reason: CustomStringConvertible {
    /// The text.
    public var description: String { text.description }
}

extension Reason: Hashable {
    /// Reasons are equal when their texts are.
    public static func == (a: Reason, b: Reason) -> Bool { a.description == b.description }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
