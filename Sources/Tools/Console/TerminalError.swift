public import System

/// Why the terminal cannot be used: which call failed, and why.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The whole sentence.
    public let description: String

    /// What the system could not do.
    public init(_ error: SystemError) {
        description = "terminal: \(error)"
    }

    /// An error with its sentence.
    init(_ description: String) {
        self.description = description
    }
}
