public import Settings

/// A mistake in the words of a line.
public struct WordError: Error, Hashable, Sendable {
    /// Where, or nil where it is the text as a whole.
    public var position: Position?
    /// What is wrong, what is allowed, and the nearest known word.
    public var message: String

    /// Wrong words at this place.
    public init(_ message: String, at position: Position? = nil) {
        self.position = position
        self.message = message
    }
}
