import Seeds
import StateMachines
import Stories
import Testing

@testable import Controller
@testable import Turnstile

/// A field that came later is missing in what an earlier version wrote, and in what its clients ask
/// for.
@Suite struct LaterFieldTests {
    /// What the later version says of the rest.
    private static let others = Later(value: 4, .locked, count: 8, time: .seconds(9), [.entry])

    @Test func `what an earlier version wrote is read with what was meant then`() throws {
        let written = Holder(Earlier(value: 4)).fields
        #expect(try Holder<Later>(written) == Holder(Later(value: 4)))
    }

    @Test func `what an earlier version asks for leaves the rest as it is`() throws {
        let asked = Holder(Earlier(value: 4)).fields
        #expect(try Holder<Later>(asked, over: Holder(Self.others)) == Holder(Self.others))
    }

    @Test func `what stands in a place of its own keeps what nobody speaks of`() throws {
        let asked = Holder(Earlier(value: 5)).fields
        let read = try Holder<Later>(asked, over: Holder(Self.others))
        var expected = Self.others
        expected.value = 5
        var whole = Holder(expected)
        // Another element in a list is a new one, of which nothing is in force.
        whole.list = [Later(value: 5)]
        #expect(read == whole)
    }

    @Test func `an element is the one in its place, or a new one`() throws {
        let former = [Self.others, Later(value: 6, .locked), Self.others]
        var asked = Holder(Earlier(value: 4))
        asked.list = [4, 4, 4, 4].map { Earlier(value: $0) }
        var over = Holder(Self.others)
        over.list = former
        let new = Later(value: 4)
        let read = try Holder<Later>(asked.fields, over: over)
        #expect(read.list == [Self.others, new, Self.others, new])
    }

    @Test func `of another form, and of what was not there, nothing is in force`() throws {
        var over = Holder(Self.others)
        over.choice = .second(Self.others)
        over.chosen.choice = .second(Self.others)
        over.option = nil
        let read = try Holder<Later>(Holder(Earlier(value: 4)).fields, over: over)
        var expected = Holder(Self.others)
        expected.choice = .first(Later(value: 4))
        expected.chosen.choice = .first(Later(value: 4))
        expected.option = Later(value: 4)
        #expect(read == expected)
    }

    @Test func `who knows the field says what it is`() throws {
        let value = Holder(Later(value: 4, .free, count: 1))
        #expect(try Holder<Later>(value.fields) == value)
        #expect(try Holder<Later>(value.fields, over: Holder(Self.others)) == value)
    }

    @Test(arguments: [true, false])
    func `what was always there, and what makes no sense, is refused as ever`(
        isAsked: Bool
    ) throws {
        let former = isAsked ? Self.others : nil
        let good = Later(value: 4).fields
        for (index, field) in good.all.enumerated() {
            var (twice, wrong, misspelt, without) = (good, good, good, good)
            twice.all.append(field)
            wrong.all[index].value = .fields(Fields())
            misspelt.all[index].name = .wasOccupied
            without.all.remove(at: index)
            for fields in [twice, wrong, misspelt] {
                #expect(throws: FieldError.self) { try Later(fields, over: former) }
            }
            let read = try? Later(without, over: former)
            #expect((read == nil) == (field.name == .value), "\(field.name)")
        }
    }

    @Test func `its shape says what was meant before`() {
        let fields = Shape(of: Later.self).forms[0].fields
        #expect(
            fields.map(\.before) == [
                nil, .text("controlled"), .integer(7), .integer(3_000_000), .list([]),
            ])
        #expect(fields.allSatisfy { !$0.isOptional })
    }

    /// So it is with what is published: a field may be missing where the shape says what it means.
    @Test func `what is missing was always there, or means what it did before`() throws {
        var visitor = RandomVisitor(SeededGenerator.announced())
        var missed = 0
        for type in VocabularyTests.types {
            guard let shape = VocabularyTests.shapes.first(where: { $0.title == type.title })
            else { continue }
            for _ in SeededGenerator.rounds(200) {
                missed += try expectMissed(of: type, shape, &visitor)
            }
        }
        #expect(missed > 200)
    }

    private func expectMissed<Value: Composite>(
        of type: Value.Type, _ shape: Shape, _ visitor: inout RandomVisitor
    ) throws -> Int {
        let value = visitor.value(of: type)
        let name = (value as? any Named)?.name ?? ""
        let form = shape.forms.first { $0.name == name } ?? shape.forms[0]
        guard case .fields(let written) = value.fieldValue else { return 0 }
        for field in form.fields where !field.isOptional && !field.isDerived {
            var fields = written
            fields.all.removeAll { $0.name == field.name }
            guard let before = field.before else {
                let error = #expect(throws: FieldError.self) { try type.init(.fields(fields)) }
                #expect(error?.problem == .missing && error?.path == [field.name.rawValue])
                continue
            }
            #expect(try type.init(.fields(fields), over: value) == value)
            fields.all.append(Fields.Field(field.name, before))
            let expected = try type.init(.fields(fields))
            fields.all.removeLast()
            #expect(try type.init(.fields(fields)) == expected)
        }
        return form.fields.count
    }

    @Test func `a line of what is retained may end before what came later`() {
        let error = #expect(throws: FieldError.self) {
            try RetainedState(lines: [(name: "passage", value: "entry paid")])
        }
        #expect(error == FieldError(.missing, at: ["passage", "value"]))
    }

    @Test func `the policy that waits is the latest, and else the one in force`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        let inForce = story.turnstile.gate.policy
        #expect(story.turnstile.latestPolicy == inForce)
        let other = Story.policy { $0.passWait = .seconds(9) }
        #expect(story.ask(.adopt(other)) == .deferred)
        #expect(story.turnstile.latestPolicy == other)
        #expect(story.turnstile.gate.policy == inForce)
    }

    @Test func `a policy says all that every version knew`() throws {
        let policy = Story.policy()
        var fields = policy.fields
        #expect(try Policy(fields, over: Story.policy { $0.price = 7 }) == policy)
        fields.all.removeAll { $0.name == .price }
        let error = #expect(throws: FieldError.self) { try Policy(fields, over: policy) }
        #expect(error == FieldError(.missing, at: ["price"]))
    }
}

/// A value as the version before has it.
private struct Earlier: Composite {
    var value: Int

    static var title: String { "sample" }
    static let blank = Earlier(value: 0)

    func visit(_ fields: inout some FieldVisitor) -> Earlier {
        Earlier(value: fields.count(.value, value))
    }
}

/// The same with what came later.
private struct Later: Composite {
    var value: Int
    var mode: Mode
    var count: Int
    var time: Duration
    var ways: [Direction]

    static var title: String { "sample" }
    /// What reading begins with is not what was meant before.
    static let blank = Later(value: 0, .free, count: 0, time: .zero, [.exit])

    init(
        value: Int, _ mode: Mode = .controlled, count: Int = 7, time: Duration = .seconds(3),
        _ ways: [Direction] = []
    ) {
        (self.value, self.mode, self.count, self.time, self.ways) = (value, mode, count, time, ways)
    }

    func visit(_ fields: inout some FieldVisitor) -> Later {
        var later = self
        later.value = fields.count(.value, value)
        later.mode = fields.field(.mode, mode, before: .controlled)
        later.count = fields.count(.count, count, before: 7)
        later.time = fields.duration(.duration, time, before: .seconds(3))
        later.ways = fields.field(.granted, ways, before: [])
        return later
    }
}

/// A value in each place that one may have in another.
private struct Holder<Part: Composite>: Composite {
    var part: Part
    var option: Part?
    var list: [Part]
    var each: PerAcceptor<Part>
    var beside: Beside<Part>
    var choice: Choice<Part>
    var chosen: Chosen<Part>

    static var title: String { "holder" }
    static var blank: Holder { Holder(.blank) }

    init(_ part: Part) {
        (self.part, option, list) = (part, part, [part])
        each = PerAcceptor(repeating: part)
        beside = Beside(part: part)
        choice = .first(part)
        chosen = Chosen(choice: .first(part))
    }

    func visit(_ fields: inout some FieldVisitor) -> Holder {
        var holder = self
        holder.part = fields.field(.policy, part)
        holder.option = fields.optional(.term, option)
        holder.list = fields.field(.schedule, list)
        holder.each = fields.field(.acceptors, each)
        holder.beside = fields.field(.regime, beside)
        holder.choice = fields.field(.values, choice)
        holder.chosen = fields.field(.lane, chosen)
        return holder
    }
}

/// A value whose fields are beside others.
private struct Beside<Part: Composite>: Composite {
    var part: Part

    static var title: String { "beside" }
    static var blank: Beside { Beside(part: .blank) }

    func visit(_ fields: inout some FieldVisitor) -> Beside { Beside(part: fields.inline(part)) }
}

/// A value in one of two forms.
private enum Choice<Part: Composite>: Named {
    case first(Part), second(Part)

    static var title: String { "choice" }
    static var forms: [Choice] { [.first(.blank), .second(.blank)] }

    var name: String {
        switch self {
        case .first: "first"
        case .second: "second"
        }
    }

    func visit(_ fields: inout some FieldVisitor) -> Choice {
        switch self {
        case .first(let part): .first(fields.inline(part))
        case .second(let part): .second(fields.inline(part))
        }
    }
}

/// The same beside other fields.
private struct Chosen<Part: Composite>: Composite {
    var choice: Choice<Part>

    static var title: String { "chosen" }
    static var blank: Chosen { Chosen(choice: .first(.blank)) }

    func visit(_ fields: inout some FieldVisitor) -> Chosen {
        Chosen(choice: fields.inline(choice, as: .name))
    }
}
