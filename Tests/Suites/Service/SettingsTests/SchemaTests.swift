import Testing

@testable import Settings

/// What the schema says of each key is what the reader does.
@Suite struct SchemaTests {
    /// A key that takes one value, or a list of them.
    struct Value: CustomTestStringConvertible, Sendable {
        /// The key with those above it; items of a list by their number.
        var place = ""
        /// The file as far as the key.
        var opening = ""
        /// The key as it is written, with a colon.
        var key = ""
        /// The file behind the value.
        var closing = ""
        /// The texts at the edge of what it allows.
        var edge = Edge(accepted: [], refused: [])
        /// Whether it takes a list of values as well.
        var takesLists = false
        var testDescription: String { place }

        /// The place of a key in a mapping that stands here.
        func key(_ name: String) -> Value {
            var value = self
            value.place += place.isEmpty ? name : ".\(name)"
            value.opening += key + "{"
            value.key = "\(name): "
            value.closing = "}" + closing
            return value
        }

        /// The place of the first item of a list that stands here.
        var item: Value {
            var value = self
            value.place += ".1"
            value.key += "["
            value.closing = "]" + closing
            return value
        }

        /// The same place, with what is allowed there.
        func with(_ edge: Edge, takesLists: Bool = false) -> Value {
            var value = self
            (value.edge, value.takesLists) = (edge, takesLists)
            return value
        }
    }

    /// Every key of the file that takes values.
    static let values: [Value] = {
        func values(in entries: [SchemaEntry], at place: Value) -> [Value] {
            entries.flatMap { entry in
                let place = place.key(entry.name)
                return switch entry.form {
                case .value(_, let edge): [place.with(edge)]
                case .values(_, let edge): [place.with(edge, takesLists: true)]
                case .table(_, _, let edge): [place.key("1").with(edge)]
                case .section(let entries): values(in: entries, at: place)
                case .list(let entries, _): values(in: entries, at: place.item)
                }
            }
        }
        return values(in: Schema.root.entries, at: Value())
    }()

    /// The tables of the file, with what is allowed as a key there.
    static let tables: [Value] = ["coin", "coin.second", "coin.third"].compactMap { place in
        guard case .table(_, let columns, _) = Schema.entry(at: "\(place).values")?.form
        else { return nil }
        let section = place.split(separator: ".").reduce(Value()) { $0.key(String($1)) }
        return section.key("values").with(columns)
    }

    /// What is said of `text` where a value belongs, by its key alone: of the value where it
    /// stands, or of one that is a list or section where its key does.
    private func complaints(
        about text: String, at value: Value, isList: Bool = false
    ) -> [SettingsProblem] {
        let yaml = value.opening + value.key + text + value.closing
        let text = SourceText(Array(yaml.utf8))
        let tree = YAMLTree(text)
        let column = 1 + value.opening.count + (isList ? 0 : value.key.count)
        var reader = Reader(text, problems: tree.problems, isComplete: false)
        _ = reader.read(Schema.root, at: "", from: tree.root)
        #expect(tree.isComplete, "\(yaml)")
        for problem in reader.problems {
            #expect(problem.message.hasPrefix("\(value.place): "))
            #expect(problem.position == Position(line: 1, column: column))
        }
        return reader.problems
    }

    @Test func everyRoleAndPolicyHasItsKeys() {
        #expect(Self.values.count > 200)
        #expect(Set(Self.values.map(\.place)).count == Self.values.count)
        #expect(Self.tables.count == 3)
    }

    @Test(arguments: values)
    func whatIsJustAllowedIsTaken(value: Value) {
        #expect(!value.edge.accepted.isEmpty)
        for text in value.edge.accepted {
            #expect(complaints(about: text, at: value).isEmpty, "\(text)")
        }
        guard value.takesLists else { return }
        let list = "[\(value.edge.accepted.joined(separator: ", "))]"
        #expect(complaints(about: list, at: value).isEmpty)
    }

    @Test(arguments: values)
    func whatIsJustNotAllowedIsRefused(value: Value) {
        #expect(!value.edge.refused.isEmpty)
        for text in value.edge.refused + ["~", "null", "''"] {
            #expect(complaints(about: text, at: value).count == 1, "\(text)")
        }
    }

    @Test(arguments: values)
    func whatIsNoValueIsRefused(value: Value) {
        for text in ["[]", "{}", "{a: b}"] + (value.takesLists ? [] : ["[a, b]"]) {
            #expect(complaints(about: text, at: value, isList: true).count == 1, "\(text)")
        }
    }

    @Test(arguments: values.filter(\.takesLists))
    func whatIsWrongInAListIsRefusedWhereItStands(value: Value) {
        for text in value.edge.refused + ["~", "[]", "{a: b}"] {
            let item = value.item
            #expect(complaints(about: text, at: item).count == 1, "\(text)")
        }
    }

    @Test(arguments: tables)
    func aTableTakesItsKeysAndNoOthers(table: Value) {
        for text in table.edge.accepted {
            #expect(complaints(about: "{\(text): 100}", at: table).isEmpty, "\(text)")
        }
        for text in table.edge.refused + ["''", "~"] {
            let yaml = table.opening + table.key + "{\(text): 100}" + table.closing
            #expect(
                problems(yaml).filter { $0.contains(" \(table.place): ") }.count == 1, "\(text)")
        }
        for text in ["{}", "[]", "[1, 2]", "50", "~"] {
            let isList = text != "50" && text != "~"
            #expect(complaints(about: text, at: table, isList: isList).count == 1, "\(text)")
        }
    }

    @Test(arguments: [
        "1", "-1s", "+1s", "01s", "1 s", "1S", "1e3s", "0x10s", "1s ", "s1", "１s", "1ｓ",
        "9223372036854775807s", "9223372036854775808s", "99999999999999999999999h", "-0s",
    ])
    func noDurationIsWrittenIn(text: String) {
        let place = Value().key("passage").key("pass_wait")
        #expect(complaints(about: "'\(text)'", at: place).count == 1)
    }

    @Test(arguments: ["", "-", "--", "mon-", "-mon", "mon-mon-mon", "Ｍon", "mon,tue", "all-fri"])
    func noDayIsWrittenIn(text: String) {
        let place = Value().key("schedule").item.key("days")
        #expect(complaints(about: "'\(text)'", at: place).count == 1)
    }

    @Test(arguments: ["", ":", "1:1", "24:01", "06:0x", "+6:00", "06:00 ", "０6:00", "006:00", "6"])
    func noTimeOfDayIsWrittenIn(text: String) {
        let place = Value().key("schedule").item.key("to")
        #expect(complaints(about: "'\(text)'", at: place).count == 1)
    }
}
