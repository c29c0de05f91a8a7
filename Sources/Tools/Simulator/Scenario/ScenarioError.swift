public import Moves
import Settings

/// Why a scenario is not played, or not to its end.
public enum ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be read: `file: reason`.
    case unreadable(String)
    /// All that is wrong with its text, in the order of that; at least one.
    case mistakes([WordError], file: String)
    /// An expectation failed: what was expected, and what was found: `file:line: sentence`.
    case unexpected(String)

    /// A line for each mistake, as compilers write them: `file:line:column: message`.
    public var description: String {
        switch self {
        case .unreadable(let sentence), .unexpected(let sentence): sentence
        case .mistakes(let mistakes, let file):
            mistakes.map { "\(Position.text(of: $0.position, in: file)): \($0.message)" }
                .joined(separator: "\n")
        }
    }
}
