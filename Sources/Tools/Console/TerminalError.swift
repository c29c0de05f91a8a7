public import System

/// Why the terminal cannot be used: which call failed, and why.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ error: SystemError) {
        description = "terminal: \(error)"
    }

    init(_ description: String) {
        self.description = description
    }
}
