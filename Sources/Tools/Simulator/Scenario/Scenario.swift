import Settings
public import SimulatedHardware
public import Turnstile

/// What is done to a gate, when, and what is expected of it: a text that people write and read.
///
///     settings two-way.yaml
///     coin 150
///     expect record coin_accepted value=150
///     +1s push entry
///     expect record passage_completed kind=paid within 5s
public struct Scenario: Hashable, Sendable {
    public struct Step: Hashable, Sendable {
        /// When it is the turn of the line.
        public enum Time: Hashable, Sendable {
            /// So long after the line before was done.
            case after(Duration)
            /// So long after the beginning.
            case at(Duration)
        }

        public enum Action: Hashable, Sendable {
            case wait
            case move(WrittenMove)
            /// A request, in force for so long; nil for one without an end.
            case ask(Request, for: Duration?)
            case expect(Expectation)
        }

        /// Its line in the text, from 1.
        public var line: Int
        public var text: String
        public var time: Time
        public var action: Action
    }

    /// The file's name as it was given.
    public var file: String
    /// The settings that it is played with, relative to the file; nil where it does not say.
    public var settings: String?
    /// The lines that say something.
    public var steps: [Step]

    /// Where these settings are, as seen from where the scenario's file is named.
    public var settingsPath: String? {
        guard let settings, !settings.hasPrefix("/") else { return settings }
        let folder = file.lastIndex(of: "/").map { file[...$0] } ?? ""
        return folder + settings
    }
}

public struct WrittenMove: Hashable, Sendable {
    /// The words for it: `coin 50`.
    public let words: String
    public let event: World.Event
}

public struct Expectation: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
        /// A record of this name, after those expected before it.
        case record(String)
        /// No record of this name since something was last done.
        case noRecord(String)
        /// The answer to the last request: the name of its result.
        case answer(String)
        /// A line, by its role, is on or off.
        case line(Line, isOn: Bool)
        case status
    }

    /// A required field, by the path to it, and its value.
    public struct Field: Hashable, Sendable {
        /// The names: `entry.mode.value`.
        public var path: [FieldName]
        /// The value, as a line of the journal has it.
        public var value: String
    }

    public var subject: Subject
    /// The required fields; others may have any value.
    public var fields: [Field]
    /// The longest time until it holds; for ``Subject/noRecord(_:)``, how long it must hold.
    public var limit: Duration
}

extension Fields {
    func have(_ expected: [Expectation.Field]) -> Bool {
        expected.allSatisfy { texts(at: $0.path[...]).contains($0.value) }
    }

    /// The texts at this path: in a list, those of each element. A named value counts as its name.
    func texts(at path: ArraySlice<FieldName>) -> [String] {
        guard let name = path.first, let value = self[name] else { return [] }
        return value.texts(at: path.dropFirst())
    }
}

extension FieldValue {
    fileprivate func texts(at path: ArraySlice<FieldName>) -> [String] {
        switch self {
        case .list(let values): values.flatMap { $0.texts(at: path) }
        case .fields(let fields) where path.isEmpty: fields[.name]?.line.map { [$0] } ?? []
        case .fields(let fields): fields.texts(at: path)
        case .boolean, .integer, .text: path.isEmpty ? line.map { [$0] } ?? [] : []
        }
    }
}
