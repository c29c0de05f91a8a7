/// What became of an event.
///
/// There is no fourth way: an event that a machine has nothing to say about is never silent.
public enum Outcome<Command> {
    /// The event was taken: these are the commands to run, in order, often none.
    case handled(Commands<Command>)
    /// The event was expected here and changes nothing, for this reason.
    case ignored(Reason)
    /// Nobody decided what this event means in this state.
    case unhandled

    /// The event was taken and nothing is to be done.
    public static var handled: Outcome { .handled(Commands()) }

    /// The event was taken and one thing is to be done.
    public static func handled(_ command: Command) -> Outcome { .handled(Commands(command)) }

    /// The commands to run: none unless the event was handled.
    public var commands: Commands<Command> {
        switch self {
        case .handled(let commands): commands
        case .ignored, .unhandled: Commands()
        }
    }
}

extension Outcome: Equatable where Command: Equatable {}
extension Outcome: Sendable where Command: Sendable {}

/// Why an event changes nothing: a fixed text, written where the decision is.
public struct Reason: ExpressibleByStringLiteral, Sendable {
    /// The text.
    public let text: StaticString

    /// A reason in so many words.
    public init(stringLiteral text: StaticString) {
        self.text = text
    }
}

extension Reason: CustomStringConvertible {
    /// The text.
    public var description: String { text.description }
}

extension Reason: Equatable {
    /// Reasons are equal when their texts are.
    public static func == (a: Reason, b: Reason) -> Bool { a.description == b.description }
}
