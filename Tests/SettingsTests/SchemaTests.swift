import Testing

@testable import Settings

/// What the schema says of each key is what the reader does.
@Suite struct SchemaTests {
    /// A key that takes one value.
    struct Value: CustomTestStringConvertible, Sendable {
        /// The key with those above it.
        let place: String
        /// The texts at the edge of what it allows.
        let edge: Edge
        var testDescription: String { place }
    }

    /// Every key of the file that takes one value.
    static let values: [Value] = {
        var values: [Value] = []
        func visit(_ entries: [SchemaEntry], in place: String) {
            for entry in entries {
                let place = place.isEmpty ? entry.name : "\(place).\(entry.name)"
                switch entry.form {
                case .value(_, let edge): values.append(Value(place: place, edge: edge))
                case .section(let entries): visit(entries, in: place)
                }
            }
        }
        visit(Schema.root.entries, in: "")
        return values
    }()

    /// What is said of `text` as the value at `place`, by the key alone: of the value where it
    /// stands, or of one that is a list or section where its key does.
    private func complaints(
        about text: String, at place: String, isList: Bool = false
    ) -> [SettingsProblem] {
        let keys = place.split(separator: ".")
        let opening = keys.map { "{\($0): " }.joined()
        let yaml = opening + text + String(repeating: "}", count: keys.count)
        let tree = YAMLTree(SourceText(Array(yaml.utf8)))
        let column = opening.count + 1 - (isList ? keys[keys.count - 1].count + 2 : 0)
        var reader = Reader(problems: tree.problems, isComplete: false)
        _ = reader.read(Schema.root, at: "", from: tree.root)
        #expect(tree.isComplete, "\(yaml)")
        for problem in reader.problems {
            #expect(problem.message.hasPrefix("\(place): "))
            #expect(problem.position == Position(line: 1, column: column))
        }
        return reader.problems
    }

    @Test func everyRoleAndPolicyHasItsKeys() {
        #expect(Self.values.count > 70)
        #expect(Set(Self.values.map(\.place)).count == Self.values.count)
    }

    @Test(arguments: values)
    func whatIsJustAllowedIsTaken(value: Value) {
        #expect(!value.edge.accepted.isEmpty)
        for text in value.edge.accepted {
            #expect(complaints(about: text, at: value.place).isEmpty, "\(text)")
        }
    }

    @Test(arguments: values)
    func whatIsJustNotAllowedIsRefused(value: Value) {
        #expect(!value.edge.refused.isEmpty)
        for text in value.edge.refused + ["~", "null", "''"] {
            #expect(complaints(about: text, at: value.place).count == 1, "\(text)")
        }
    }

    @Test(arguments: values)
    func whatIsNoValueIsRefused(value: Value) {
        for text in ["[]", "{}", "[a, b]", "{a: b}"] {
            #expect(
                complaints(about: text, at: value.place, isList: true).count == 1, "\(text)")
        }
    }

    @Test(arguments: [
        "1", "-1s", "+1s", "01s", "1 s", "1S", "1e3s", "0x10s", "1s ", "s1", "１s", "1ｓ",
        "9223372036854775807s", "9223372036854775808s", "99999999999999999999999h", "-0s",
    ])
    func noDurationIsWrittenIn(text: String) {
        #expect(complaints(about: "'\(text)'", at: "passage.pass_wait").count == 1)
    }
}
