import Foundation
import Keeping
import Seeds
import StateMachines
import Testing

@testable import Controller
@testable import Turnstile

/// A value of the domain is its name and its fields, and nothing else.
@Suite struct VocabularyTests {
    /// Every type that has fields.
    static let types = published + states

    /// Those that are read for ever.
    static let published: [any Composite.Type] = [
        Record.self, Coin.self, Authorisation.self, CoinRefusal.self, Fault.self, Event.self,
        Event.Kind.self, Balances.self, Command.self, Status.self, Status.State.self,
        Status.Limitation.self, Policy.self, CoinPolicy.self, CoinValues.self, CoinRow.self,
        Regime.self, ScheduleEntry.self, Register.self, RetainedState.self,
        RetainedState.Passage.self, Gate.Queue.Person.self, Term<Mode>.self,
        Term<Enforcement>.self, Request.self, Requester.self, Operator.self, Answer.self,
        Answer.Result.self, StatusReport.self, Gate.Standing.self, StatusReport.Way.self,
        StatusReport.InForce<Mode>.self, StatusReport.InForce<Enforcement>.self,
        StatusReport.Raised<Fault>.self, StatusReport.Raised<Alarm>.self, StatusReport.End.self,
        Equipment.self, StatusReport.OutputReport.self, StatusReport.Due.self,
        ShellEvent.self, ShellCommand.self,
    ]

    /// What a machine knows, from which the same machine alone can go on.
    static let states: [any Composite.Type] = [
        ShellMachines.self, DrivenOutput.self, DrivenLock.self, LockDrive.self, LineWatch.self,
        SignsOfLife.self, WatchdogPolicy.self, Recurrence.self, StoreWatch.self,
        RetentionWatch.self, Snapshots.self, ClockWatch.self, ClockWatch.Event.self,
    ]

    /// The fields of all of them.
    static let shapes = Vocabulary.shapes + ShellVocabulary.shapes + ShellVocabulary.states
    /// The lists of names.
    static let lists = Vocabulary.lists + ShellVocabulary.lists

    @Test func `any value is read as it was written`() throws {
        let chance = SeededGenerator.announced()
        var visitor = RandomVisitor(chance)
        for type in Self.types { try expectRoundTrips(of: type, &visitor) }
    }

    private func expectRoundTrips<Value: Composite>(
        of type: Value.Type, _ visitor: inout RandomVisitor
    ) throws {
        var seen: [String: [String: Int]] = [:]
        for _ in 0..<(type is any Named.Type ? 4_000 : 400) {
            let value = visitor.value(of: type)
            let written = value.fieldValue
            let read = try type.init(written)
            if read != value { Issue.record("\(value) is read as \(read): \(written)") }
            note(value, at: "\(type)", in: &seen)
        }
        // What no field tells of never varies, and would be lost without a difference.
        for (place, values) in seen where values.count == 1 && values.values.first! >= 30 {
            // A coin stands under its acceptor, and every output has a machine.
            if place == "ShellMachines.drives" { continue }
            if place.contains(/counted\.(first|second|third)\.some\.acceptor/) { continue }
            Issue.record("\(place) is always \(values.keys.first!): no field tells of it")
        }
    }

    /// Notes what every part of a value is, and how often.
    private func note(_ value: Any, at place: String, in seen: inout [String: [String: Int]]) {
        let mirror = Mirror(reflecting: value)
        func note(_ text: String) { seen[place, default: [:]][text, default: 0] += 1 }
        if value is Duration || value is [Int: Int] || value is String {
            return note("\(value)")
        }
        if mirror.displayStyle == .enum, let name = mirror.children.first?.label { note(name) }
        // A list is told by its length: its elements are noted in values of their own.
        if value is any Collection { return note("\(mirror.children.count)") }
        if mirror.children.isEmpty || mirror.displayStyle == .optional {
            note(mirror.children.isEmpty ? "\(value)" : "some")
        }
        for (index, part) in mirror.children.enumerated() {
            self.note(part.value, at: "\(place).\(part.label ?? "\(index)")", in: &seen)
        }
    }

    @Test(arguments: shapes + Turnstile.stateShapes)
    func `no two values share a name, and no two fields of a value`(shape: Shape) {
        #expect(Set(shape.forms.map(\.name)).count == shape.forms.count)
        for form in shape.forms {
            #expect(Set(form.fields.map(\.name)).count == form.fields.count, "\(form.name)")
        }
    }

    @Test func `every type is among the shapes, and all that they are of is described`() {
        let titles = Set(Self.shapes.map(\.title))
        #expect(titles.count == Self.shapes.count)
        // An event's fields are its kind's, beside the time.
        #expect(Set(Self.types.map { $0.title }).subtracting(titles) == [Event.Kind.title])
        let lists = Set(Self.lists.map(\.title))
        for field in Self.shapes.flatMap(\.forms).flatMap(\.fields) {
            switch field.type.element {
            case .fields(let title): #expect(titles.contains(title))
            case .word(let list):
                #expect(lists.contains(list) || titles.contains(list), "\(list)")
            default: break
            }
        }
    }

    @Test func `all that the state of the machine is made of is described once`() {
        let own = Turnstile.stateShapes.map(\.title) + Turnstile.stateLists.map(\.title)
        let others = Set(Vocabulary.shapes.map(\.title) + Vocabulary.lists.map(\.title))
        #expect(Set(own).count == own.count && others.isDisjoint(with: own))
        var named: Set<String> = [Turnstile.title]
        for field in Turnstile.stateShapes.flatMap(\.forms).flatMap(\.fields) {
            switch field.type.element {
            case .fields(let title), .word(let title): named.insert(title)
            default: break
            }
        }
        #expect(named.subtracting(own).subtracting(others) == [])
        #expect(Set(Turnstile.stateShapes.map(\.title)).subtracting(named) == [])
    }

    @Test func `a list has no name twice`() {
        for list in Self.lists + Turnstile.stateLists {
            #expect(Set(list.names).count == list.names.count)
        }
    }

    @Test func `records are flat, so that a line tells each field`() {
        var visitor = RandomVisitor(SeededGenerator())
        for _ in 0..<1_000 {
            let record = visitor.value(of: Record.self)
            #expect(record.fields.all.allSatisfy { $0.value.line != nil }, "\(record)")
        }
    }

    @Test func `what steers a terminal or turns its neighbours is a number in JSON`() throws {
        let text = "é\u{7}\u{9B}\u{202E}\u{2066}\u{2028}\u{FEFF}\u{E0001}\"\\🚪"
        let json = FieldValue.text(text).description
        #expect(
            json == #""é\u0007\u009b\u202e\u2066\u2028\ufeff\udb40\udc01\"\\🚪""#)
        #expect(
            try JSONDecoder().decode([String].self, from: Data("[\(json)]".utf8)) == [text])
    }

    @Test func `a name in snake case, as in the documents`() {
        let names =
            FieldName.allCases.map(\.rawValue)
            + (Self.shapes + Turnstile.stateShapes).flatMap(\.forms).map(\.name)
        for name in names where !name.isEmpty {
            #expect(name.wholeMatch(of: /[a-z][a-z0-9]*(_[a-zA-Z0-9]+)*/) != nil, "\(name)")
        }
    }

    @Test func `every case has a form`() {
        expectForms(sequence(first: Event.Kind.timePassed, next: \.successor))
        expectForms(sequence(first: Requester.schedule, next: \.successor))
        expectForms(sequence(first: Answer.Result.done, next: \.successor))
        expectForms(sequence(first: Gate.Standing.inService, next: \.successor))
        expectForms(sequence(first: StatusReport.End.cause, next: \.successor))
        expectForms(sequence(first: Command.set(.dropArm, isOn: true), next: \.successor))
        expectForms(sequence(first: Status.State.starting, next: \.successor))
        expectForms(sequence(first: Status.Limitation.fault(.external), next: \.successor))
        expectForms(sequence(first: Authorisation.free, next: \.successor))
        expectForms(sequence(first: CoinValues.exact([:]), next: \.successor))
    }

    private func expectForms<Value: Named>(_ values: some Sequence<Value>) {
        let names = Set(Value.forms.map(\.name))
        for value in values {
            #expect(names.contains(value.name), "\(Value.title) \(value.name): forms")
        }
    }
}

extension FieldType {
    /// What a list is of; else the type itself.
    fileprivate var element: FieldType {
        if case .list(let type) = self { type.element } else { self }
    }
}

// The case after this one. A new case does not compile until it is here.

extension Event.Kind {
    fileprivate var successor: Event.Kind? {
        switch self {
        case .timePassed: .started([])
        case .started: .changed(.fire, isActive: true)
        case .changed: .edgesLost([])
        case .edgesLost: .lineFailed(.input(.fire), .unreadable)
        case .lineFailed: .lineRecovered(.input(.fire))
        case .lineRecovered: .onTimeWarning(.alarm)
        case .onTimeWarning: .outputCut(.alarm)
        case .outputCut: .clockRead(WeekTime(second: 1))
        case .clockRead: .clockStepped(by: .seconds(1))
        case .clockStepped: .requested(.selfTest, by: .settings)
        case .requested: .durable
        case .durable: .storageFailed
        case .storageFailed: .ledgerOpened(Balances())
        case .ledgerOpened: .stopped
        case .stopped: nil
        }
    }
}

extension Command {
    fileprivate var successor: Command? {
        switch self {
        case .set: .unused(.dropArm, isOn: true)
        case .unused: .record(.started)
        case .record: .answer(.blank)
        case .answer: .store
        case .store: nil
        }
    }
}

extension Requester {
    fileprivate var successor: Requester? {
        switch self {
        case .schedule: .settings
        case .settings: .contact(.stop)
        case .contact: .person(.blank)
        case .person: nil
        }
    }
}

extension Gate.Standing {
    fileprivate var successor: Gate.Standing? {
        switch self {
        case .inService: .outOfService(.external)
        case .outOfService: .service
        case .service: .stopped
        case .stopped: .emergency
        case .emergency: nil
        }
    }
}

extension StatusReport.End {
    fileprivate var successor: StatusReport.End? {
        switch self {
        case .cause: .causeThenKey
        case .causeThenKey: .key
        case .key: .at(.zero)
        case .at: nil
        }
    }
}

extension Answer.Result {
    fileprivate var successor: Answer.Result? {
        switch self {
        case .done: .deferred
        case .deferred: .refused(.occupied)
        case .refused: nil
        }
    }
}

extension Status.State {
    fileprivate var successor: Status.State? {
        switch self {
        case .starting: .emergency
        case .emergency: .awaitingReset
        case .awaitingReset: .awaitingClearLane
        case .awaitingClearLane: .stopped
        case .stopped: .service
        case .service: .testing(.alarm)
        case .testing: .outOfService(.external)
        case .outOfService: .passing(.exit)
        case .passing: .released(.exit)
        case .released: .free
        case .free: .locked
        case .locked: nil
        }
    }
}

extension Status.Limitation {
    fileprivate var successor: Status.Limitation? {
        switch self {
        case .fault: .coinsRefused(.released)
        case .coinsRefused: .cannotHoldOpen(.exit)
        case .cannotHoldOpen: nil
        }
    }
}

extension Authorisation {
    fileprivate var successor: Authorisation? {
        switch self {
        case .free: .contact
        case .contact: .person(1000)
        case .person: .credit(fare: 1)
        case .credit: nil
        }
    }
}

extension CoinValues {
    fileprivate var successor: CoinValues? {
        switch self {
        case .exact: .proportional(unit: 1)
        case .proportional: nil
        }
    }
}
