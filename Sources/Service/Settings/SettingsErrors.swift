import System

/// The mistakes in a configuration file, in the order of the file.
public struct SettingsErrors: Error, Hashable, Sendable, CustomStringConvertible {
    public var file: String
    /// At least one.
    public var problems: [SettingsProblem]
    /// Whether the file cannot be read at all.
    public var isUnreadable: Bool

    public init(file: String, problems: [SettingsProblem], isUnreadable: Bool = false) {
        self.file = file
        self.problems = problems
        self.isUnreadable = isUnreadable
    }

    /// A line for each mistake, in the form of compilers: `file:line:column: message`.
    public var description: String {
        problems.map { "\(Position.text(of: $0.position, in: file)): \($0.message)".onOneLine }
            .joined(separator: "\n")
    }
}

/// A mistake in a configuration file.
public struct SettingsProblem: Hashable, Sendable {
    /// Nil for the file as a whole.
    public var position: Position?
    /// What is wrong, what is allowed, and the nearest known word.
    public var message: String

    public init(_ message: String, at position: Position? = nil) {
        self.position = position
        self.message = message
    }
}

/// What is wrong with a file or a value, to follow its name.
struct Mistake: Error, Hashable {
    let message: String

    init(_ message: String) { self.message = message }
}

extension SettingsProblem: Comparable {
    /// In the order of the file, the file as a whole first.
    public static func < (a: SettingsProblem, b: SettingsProblem) -> Bool {
        if a.position == b.position { return a.message < b.message }
        guard let first = a.position else { return true }
        guard let second = b.position else { return false }
        return first < second
    }
}

/// A place in a text. Lines and columns count from 1, columns in Unicode scalars.
public struct Position: Hashable, Comparable, Sendable, CustomStringConvertible {
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// In the form of compilers: `12:9`.
    public var description: String { "\(line):\(column)" }

    /// In the form of compilers, `file:12:9`; nil is the file as a whole.
    public static func text(of position: Position?, in file: String) -> String {
        position.map { "\(file):\($0)" } ?? file
    }

    public static func < (a: Position, b: Position) -> Bool {
        (a.line, a.column) < (b.line, b.column)
    }
}
