/// Why fields make no value: what is wrong, where, and what is allowed.
public struct FieldError: Error, Hashable, Sendable {
    /// The kinds of problem.
    public enum Problem: Hashable, Sendable {
        /// A required field is missing.
        case missing
        /// There is such a field, and there must be none, or it comes once more.
        case unexpected
        /// It is of another type, or beyond its range.
        case type(FieldType)
        /// It is not one of these names.
        case name([String])
        /// It follows from other fields that it is this; nil for nothing at all.
        case contradiction(String?)
        /// The value contradicts others.
        case impossible
        /// It is of a version that this one does not read.
        case version
    }

    /// The problem.
    public var problem: Problem
    /// The text that was found, if any.
    public var found: String?
    /// The names on the way to it: `schedule`, `2`, `days`.
    public var path: [String]

    /// A problem of a value; its container adds the name to the path.
    init(_ problem: Problem, found: String? = nil, at path: [String] = []) {
        self.problem = problem
        self.found = found
        self.path = path
    }

    /// There is no field of this name, in any value.
    public init(unknownField name: String) {
        self.init(.name(FieldName.allCases.map { $0.rawValue }), found: name)
    }

    /// The same error, within the field of this name.
    func below(_ name: String) -> FieldError {
        FieldError(problem, found: found, at: [name] + path)
    }
}

extension FieldError: CustomStringConvertible {
    /// One sentence: `days.2: 'sonday' is not one of monday, …, sunday: did you mean 'sunday'?`.
    public var description: String {
        let place = path.isEmpty ? "" : path.joined(separator: ".") + ": "
        return place + sentence
    }

    private var sentence: String {
        let found = found.map { "'\(Self.shown($0))'" } ?? "nothing"
        switch problem {
        case .missing: return "the field is missing"
        case .unexpected: return "unexpected or duplicate field"
        case .type(let type): return "\(found) is not \(type.words)"
        case .name(let names):
            let nearest = self.found.flatMap { Spelling.nearest(to: $0, among: names) }
            let question = nearest.map { ": did you mean '\($0)'?" } ?? ""
            let shown = names.prefix(30).joined(separator: ", ")
            return "\(found) is not one of \(shown)\(names.count > 30 ? ", …" : "")\(question)"
        case .contradiction(let value):
            return "\(found), but the other fields say \(value.map { "'\($0)'" } ?? "nothing")"
        case .impossible: return "\(found) does not go with the other fields"
        case .version: return "version \(found) is not known here"
        }
    }

    /// The text that was found, for people: printable, and cut to a line.
    private static func shown(_ text: String) -> String {
        var shown = ""
        var room = 40
        for scalar in text.unicodeScalars {
            guard room > 0 else { return shown + "…" }
            room -= 1
            if scalar.isSteering {
                shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
