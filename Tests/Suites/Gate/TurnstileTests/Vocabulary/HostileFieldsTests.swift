import Seeds
import StateMachines
import Testing

@testable import Turnstile

/// Fields that nobody wrote who knew what they mean: they make a value or none, and end nothing.
@Suite struct HostileFieldsTests {
    @Test func `whatever is done to fields, they make a value that is written and read, or none`()
        throws
    {
        var chance = SeededGenerator.announced()
        var visitor = RandomVisitor(chance)
        var taken = 0
        for type in VocabularyTests.types { taken += try spoil(type, &visitor, &chance) }
        // Some are spelled otherwise, and mean the same.
        #expect(taken > 0)
    }

    private func spoil<Value: Composite>(
        _ type: Value.Type, _ visitor: inout RandomVisitor, _ chance: inout SeededGenerator
    ) throws -> Int {
        var taken = 0
        for _ in 0..<400 {
            var written = visitor.value(of: type).fieldValue
            for _ in 0...Int.random(in: 0...2, using: &chance) { written.spoil(&chance) }
            do throws(FieldError) {
                let value = try type.init(written)
                taken += 1
                if try type.init(value.fieldValue) != value { Issue.record("\(written)") }
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
        return taken
    }

    @Test func `a name that comes twice is no name`() {
        let names = [Fields.Field(.name, .text("started")), .init(.name, .text("stopped"))]
        let error = #expect(throws: FieldError.self) { try Record(.fields(Fields(names))) }
        #expect(error?.description == "name: unexpected or duplicate field")
    }

    @Test(arguments: [.min, .max, .max / 1_000 + 1] as [Int64])
    func `a length that has no number of nanoseconds is none`(microseconds: Int64) throws {
        var fields = Fields([.init(.output, .text("alarm")), .init(.duration, .integer(7))])
        #expect(try Request("test", fields) == .test(.alarm, for: .microseconds(7)))
        fields.all[1] = .init(.duration, .integer(microseconds))
        #expect(throws: FieldError.self) { try Request("test", fields) }
    }

    @Test(arguments: [Int.min, -1, 0, 4, .max]) func `a version that nobody knows`(version: Int) {
        for form in Record.forms {
            #expect(throws: FieldError.self) {
                try Record(form.name, form.fields, version: version)
            }
        }
    }

    // Compared with every name letter by letter it takes longer than that by far.
    @Test(.timeLimit(.minutes(1))) func `a name of many letters is nobody's misspelling`() {
        let long = String(repeating: "coin_accepted", count: 20_000)
        let fields = Fields([Fields.Field(.mode, .text(long))])
        for name in ["mode_changed", long] {
            let error = #expect(throws: FieldError.self) { try Record(name, fields) }
            #expect(error?.description.contains("did you mean") == false)
        }
    }

    @Test func `lines that nobody wrote are no state`() {
        var chance = SeededGenerator.announced()
        let pieces = [
            "mode_entry", "granted", "passage", "fault", "value", "=", " ", "\n", "free", "entry",
            "until_nsec", "requester=person", "operator=", "operator_number=", "-1", "4294967296",
            "\u{301}", "\u{600}", "9223372036854775808", "on", "", "=x", "F1_x", "paid",
        ]
        for _ in 0..<3_000 {
            let lines = (0..<Int.random(in: 1...3, using: &chance)).map { _ in
                let words = (0..<Int.random(in: 0...5, using: &chance)).map { _ in
                    pieces.randomElement(using: &chance)!
                }
                return (name: pieces.randomElement(using: &chance)!, value: words.joined())
            }
            guard let state = try? RetainedState(lines: lines) else { continue }
            #expect((try? RetainedState(lines: state.lines)) == state)
        }
    }
}

extension FieldValue {
    private static let hostile: [FieldValue] = [
        .boolean(true), .integer(0), .integer(-1), .integer(.min), .integer(.max),
        .integer(Int64(UInt32.max) + 1), .text(""), .text("9223372036854775808"), .text("-0"),
        .text("+1"), .text("0x1"), .text("\u{301}"), .text("\0"), .text("free"), .text("person"),
        .text(String(repeating: "x", count: 100)), .fields(Fields()), .list([]),
        .list([.list([.integer(1)])]), .fields(Fields([.init(.name, .text("person"))])),
    ]

    /// Has something in it be otherwise.
    mutating func spoil(_ chance: inout SeededGenerator) {
        switch self {
        case .boolean, .integer, .text: self = Self.hostile.randomElement(using: &chance)!
        case .list(var values):
            if values.isEmpty || chance.oneIn(4) {
                values.append(Self.hostile.randomElement(using: &chance)!)
            } else {
                let index = values.indices.randomElement(using: &chance)!
                if chance.oneIn(3) {
                    values.append(values[index])
                } else {
                    values[index].spoil(&chance)
                }
            }
            self = .list(values)
        case .fields(var fields):
            fields.spoil(&chance)
            self = .fields(fields)
        }
    }
}

extension Fields {
    fileprivate mutating func spoil(_ chance: inout SeededGenerator) {
        let name = FieldName.allCases.randomElement(using: &chance)!
        guard let index = all.indices.randomElement(using: &chance) else {
            all.append(Field(name, .text("x")))
            return
        }
        switch Int.random(in: 0..<7, using: &chance) {
        case 0: all.remove(at: index)
        case 1: all.append(all[index])
        case 2: all[index].name = name
        case 3: all.insert(Field(name, .integer(1)), at: index)
        case 4: all.shuffle(using: &chance)
        default: all[index].value.spoil(&chance)
        }
    }
}
