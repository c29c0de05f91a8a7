/// Why the terminal cannot be used: which call failed, and why.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The whole sentence.
    public let description: String

    /// An error with its sentence.
    init(_ description: String) {
        self.description = description
    }
}
