public import ArgumentParser
public import Turnstile

// The vocabulary's names as arguments.

extension Direction: ExpressibleByArgument {}

extension Output: ExpressibleByArgument {
    public init?(argument: String) {
        guard let output = Output.allCases.first(where: { $0.name == argument }) else { return nil }
        self = output
    }

    public static var allValueStrings: [String] { allCases.map { $0.name } }
}

extension Line: ExpressibleByArgument {
    public init?(argument: String) {
        guard let line = Line.words.first(where: { $0.name == argument }) else { return nil }
        self = line
    }

    public static var allValueStrings: [String] { words.map(\.name) }
}

enum ModeWord: String, CaseIterable, ExpressibleByArgument {
    case locked, controlled, free, ordinary

    var mode: Mode? { Mode(rawValue: rawValue) }
}

enum EnforcementWord: String, CaseIterable, ExpressibleByArgument {
    case weak, strong, ordinary

    var enforcement: Enforcement? { Enforcement(rawValue: rawValue) }
}
