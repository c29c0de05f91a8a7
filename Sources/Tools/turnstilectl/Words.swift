public import ArgumentParser
public import Turnstile

// The vocabulary's names as arguments.

extension Direction: ExpressibleByArgument {}

extension Output: ExpressibleByArgument {
    /// The output of this name.
    public init?(argument: String) {
        guard let output = Output.allCases.first(where: { $0.name == argument }) else { return nil }
        self = output
    }

    /// The names of all.
    public static var allValueStrings: [String] { allCases.map { $0.name } }

    /// The name.
    public var defaultValueDescription: String { name }
}

extension Line: ExpressibleByArgument {
    /// The line of this name.
    public init?(argument: String) {
        guard let line = Line.words.first(where: { $0.name == argument }) else { return nil }
        self = line
    }

    /// The names of all.
    public static var allValueStrings: [String] { words.map(\.name) }
}

/// A mode, or the ordinary one.
enum ModeWord: String, CaseIterable, ExpressibleByArgument {
    case locked, controlled, free, ordinary

    var mode: Mode? { Mode(rawValue: rawValue) }
}

/// An enforcement, or the ordinary one.
enum EnforcementWord: String, CaseIterable, ExpressibleByArgument {
    case weak, strong, ordinary

    var enforcement: Enforcement? { Enforcement(rawValue: rawValue) }
}
