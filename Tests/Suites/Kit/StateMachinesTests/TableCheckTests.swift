import StateMachines
import Testing

private enum Outside { enum Mode: UInt8, Predicate { case x, y } }
private enum Inside { enum Mode: UInt8, Predicate { case x, y } }

/// What cannot work is refused, with its places: types, payloads, states, rows.
@Suite enum TableCheckTests: TurnstileTable {
    // MARK: - Types

    private enum Skewed: TurnstileTable {
        enum Side: UInt8, Predicate { case left = 1, right }
        typealias Predicates = Side
    }

    @Test static func `a predicate whose raw values do not count from 0`() {
        let found = Skewed.mistakes(initial: .locked) {
            Skewed.define(.locked) {
                Skewed.matching(Skewed.Side.left).when(.coin).then(.unlocked)
            }
        }
        #expect(found.kinds == [.unsuitableType])
        #expect(
            found.map(\.message) == ["the raw values of the predicate Side do not count from 0"])
    }

    private enum Lacking: TableSyntax {
        enum State: UInt8, Enumerated {
            case on, off, lost
            static var allCases: [State] { [.on, .off] }
        }
        enum Event: Enumerated {
            case push, pull, shake
            static var allCases: [Event] { [.push, .pull] }
        }
        typealias Command = TableCommand
        enum Mood: Predicate {
            case good, bad, worse
            static var allCases: [Mood] { [.good, .bad] }
        }
        typealias Predicates = Mood
    }

    @Test static func `cases that allCases lacks`() {
        let found = Lacking.mistakes(initial: .on) {
            Lacking.define(.on) {
                Lacking.matching(Lacking.Mood.worse).when(.push).then(.off)
                Lacking.when(.push).then(.lost)
                Lacking.when(.shake).then(.off)
            }
            Lacking.define(.lost) { Lacking.when(.push).then(.off) }
        }
        #expect(
            found.filter { $0.kind == .unsuitableType }.map(\.message) == [
                "a value of the predicate Mood is missing from allCases",
                "the state lost is missing from allCases",
                "the event shake is missing from allCases",
                "the state lost is missing from allCases",
            ])
        let lost = Lacking.mistakes(initial: .lost) {
            Lacking.define(.on) { Lacking.when(.push).then(.off) }
        }
        #expect(lost.map(\.message) == ["the state lost is missing from allCases"])
    }

    private enum Valueless: TurnstileTable {
        enum Never: Predicate {}
        typealias Predicates = Never
    }

    @Test static func `a predicate without a value`() {
        let found = Valueless.mistakes(initial: .locked) { Valueless.final(.locked) }
        #expect(found.map(\.message) == ["the predicate Never has no values"])
    }

    private enum Twice: TurnstileTable {
        enum Side: UInt8, Predicate { case left, right }
        typealias Predicates = Both<Side, Side>
    }

    @Test static func `the same predicate twice`() {
        let found = Twice.mistakes(initial: .locked) { Twice.final(.locked) }
        #expect(found.kinds == [.repeatedPredicate])
        #expect(found.map(\.message) == ["the predicate Side is declared twice"])
    }

    // MARK: - Names

    private enum Modes: TurnstileTable {
        typealias Predicates = Both<Outside.Mode, Inside.Mode>
    }

    @Test static func `predicates of one name are told apart in messages`() {
        let found = Modes.mistakes(initial: .locked, tolerating: [.undefinedStates]) {
            Modes.define(.locked) {
                Modes.when(.coin, or: .reset).then(.unlocked)
                Modes.matching(Outside.Mode.x).when(.pass).then()
            }
            Modes.final(.unlocked)
        }
        #expect(
            found.map(\.message) == [
                "locked, pass: not decided when StateMachinesTests.Outside.Mode.y, "
                    + "StateMachinesTests.Inside.Mode.x",
                "no row asks for the predicate StateMachinesTests.Inside.Mode",
            ])
        let contradictory = Modes.mistakes(initial: .locked) {
            Modes.define(.locked) {
                Modes.matching(Inside.Mode.x, and: Inside.Mode.y).when(.coin).then()
                Modes.matching(Outside.Mode.x).when(.pass).then()
            }
        }
        #expect(
            contradictory.map(\.message) == [
                "cannot match StateMachinesTests.Inside.Mode.x and "
                    + "StateMachinesTests.Inside.Mode.y at the same time"
            ])
    }

    private enum OneMode: TurnstileTable {
        typealias Predicates = Outside.Mode
    }

    @Test static func `a foreign predicate is told from the table's of the same name`() {
        let found = OneMode.mistakes(initial: .locked) {
            OneMode.define(.locked) {
                OneMode.matching(Outside.Mode.x).when(.coin).then()
                OneMode.matching(Inside.Mode.x).when(.pass).then()
            }
        }
        #expect(
            found.map(\.message) == [
                "the predicate StateMachinesTests.Inside.Mode is not one of the table's"
            ])
    }

    // MARK: - States

    @Test static func `a state that nothing defines and nothing leads to`() {
        let found = mistakes(initial: .locked, tolerating: .undecidedPairs) {
            define(.locked) { when(.coin).then(.unlocked) }
            final(.unlocked)
        }
        #expect(found.kinds == [.undefinedState])
        #expect(found.map(\.message) == ["nothing defines alarming, and nothing leads to it"])
        #expect(found[0].locations[0].file.hasSuffix("TableFixture.swift"))
        let tolerated = mistakes(
            initial: .locked, tolerating: [.undecidedPairs, .undefinedStates]
        ) {
            define(.locked) { when(.coin).then(.unlocked) }
            final(.unlocked)
        }
        #expect(tolerated.isEmpty)
    }

    @Test static func `a state that is final and defined`() {
        let line = #line as UInt
        let found = mistakes(initial: .locked) {
            define(.locked) { when(.coin).then(.unlocked) }
            final(.unlocked)
            define(.unlocked) { when(.pass).then(.locked) }
        }
        #expect(found.kinds == [.finalAndDefined])
        #expect(found.lines == [[line + 3, line + 4]])
    }

    // MARK: - Rows

    private enum Enforced: TurnstileTable {
        enum Enforcement: UInt8, Predicate { case weak, strong }
        typealias Predicates = Enforcement
    }

    @Test static func `rows that more specific rows leave nothing to`() {
        typealias Enforcement = Enforced.Enforcement
        let line = #line as UInt
        let found = Enforced.mistakes(initial: .locked) {
            Enforced.define(.locked) {
                Enforced.when(.coin).then(.unlocked)
                Enforced.when(.coin).then(.alarming)
                Enforced.override { Enforced.when(.coin).then(.locked) }
                Enforced.matching(Enforcement.weak).when(.coin).then(.locked)
                Enforced.matching(Enforcement.strong).when(.coin).then(.unlocked)
            }
        }
        #expect(
            found.kinds == [
                .rowNeverTaken, .rowNeverTaken, .rowNeverTaken, .nothingToOverride,
            ])
        #expect(
            found.lines == [
                [line + 3, line + 6, line + 7], [line + 4, line + 6, line + 7],
                [line + 5, line + 6, line + 7], [line + 5],
            ])
    }

    @Test static func `an adopted row has to be taken in one of the states that adopt it`() {
        typealias Enforcement = Enforced.Enforcement
        let general = Enforced.superState { Enforced.when(.coin).then(.unlocked) }
        let specific = Enforced.superState(adopts: general) {
            Enforced.matching(Enforcement.weak).when(.coin).then(.locked)
            Enforced.matching(Enforcement.strong).when(.coin).then(.alarming)
        }
        let once = Enforced.mistakes(initial: .locked) {
            Enforced.define(.locked, adopts: specific)
        }
        #expect(once.kinds == [.rowNeverTaken])
        let twice = Enforced.mistakes(initial: .locked) {
            Enforced.define(.locked, adopts: specific)
            Enforced.define(.unlocked, adopts: general)
        }
        #expect(twice.isEmpty)
    }

    @Test static func `an empty block in a super state that is adopted by two ways`() {
        let root = superState {
            when(.reset).then(.locked)
            when(.coin) { commands(.lock) {} }
        }
        let found = mistakes(initial: .locked) {
            define(.locked, adopts: superState(adopts: root), superState(adopts: root))
        }
        #expect(found.kinds == [.emptyBlock])
    }

    @Test static func `a thousand rows for one event, and too many rows`() {
        let found = mistakes(initial: .locked) {
            define(.locked) { (0..<1_000).map { _ in when(.coin).then(.unlocked) } }
        }
        #expect(found.kinds == [.duplicateRows])
        let tooMany = mistakes(initial: .locked) {
            define(.locked) { (0...30_000).map { _ in when(.coin).then(.unlocked) } }
        }
        #expect(tooMany.kinds == [.unsuitableType])
    }

    @Test static func `super states that adopt in a great many ways`() {
        var top = superState { when(.coin).then(.unlocked) }
        for _ in 0..<40 {
            top = superState(adopts: superState(adopts: top), superState(adopts: top))
        }
        #expect(mistakes(initial: .locked) { define(.locked, adopts: top) }.isEmpty)
    }

    @Test static func `what a super state has for entry and exit is done once`() throws {
        let root = superState(onEntry: [.a1], onExit: [.a2]) { when(.reset).then(.locked) }
        let left = superState(adopts: root, onEntry: [.a3]) { when(.coin).then(.unlocked) }
        let right = superState(adopts: root, onExit: [.a4]) { when(.pass).then(.alarming) }
        var machine = try sketch(initial: .unlocked) {
            define(.unlocked) { when(.pass).then(.locked) }
            define(.locked, adopts: left, right)
            define(.locked, adopts: root, onEntry: [.a5])
        }
        #expect(machine.handle(.pass) == .handled([.a1, .a3, .a5]))
        #expect(machine.handle(.coin) == .handled([.a4, .a2]))
    }
}

extension Case<TablePayloadCheckTests.State, Int> {
    fileprivate static let held = Case(.held) {
        if case .held(let count) = $0 { count } else { nil }
    }
}
extension Case<TablePayloadCheckTests.Event, Int> {
    fileprivate static let added = Case(.added) {
        if case .added(let count) = $0 { count } else { nil }
    }
}

/// Rows that work with payloads are in the states and about the events that have them.
@Suite enum TablePayloadCheckTests: TableSyntax {
    enum State: Kinded, Sendable {
        case empty
        case held(Int)
        enum Kind: UInt8, Enumerated { case empty, held }
        var kind: Kind { if case .held = self { .held } else { .empty } }
    }
    enum Event: Kinded, Sendable {
        case added(Int)
        case cleared
        enum Kind: UInt8, Enumerated { case added, cleared }
        var kind: Kind { if case .added = self { .added } else { .cleared } }
    }
    typealias Command = TableCommand

    static func adding(_ event: Event.Kind, or others: Event.Kind...) -> Row<Self, Complete> {
        others.isEmpty
            ? when(event).then(.held, from: .held, with: .added) { .held($0 + $1) }
            : when(event, or: others[0]).then(.held, from: .held, with: .added) { .held($0 + $1) }
    }

    @Test static func `a payload that the state or the event does not have`() {
        let found = mistakes(initial: .empty) {
            define(.empty) { adding(.added) }
            define(.held) { adding(.added, or: .cleared) }
        }
        #expect(found.kinds == [.wrongCase, .wrongCase])
        #expect(
            Set(found.map(\.message)) == [
                "empty, added: works with the payload of the state held",
                "held, cleared: works with the payload of the event added",
            ])
        let both = mistakes(initial: .empty) { define(.empty) { adding(.cleared) } }
        #expect(both.kinds == [.wrongCase, .wrongCase])
    }

    @Test static func `an adopted row may ask for payloads where it is overridden`() throws {
        let base = superState {
            adding(.added)
            when(.cleared).then(.empty)
        }
        var machine = try sketch(initial: .empty) {
            define(.empty, adopts: base) {
                override {
                    when(.added).then(.held) { _, event in
                        if case .added(let count) = event { .held(count) } else { .empty }
                    }
                }
            }
            define(.held, adopts: base)
        }
        _ = machine.handle(.added(2))
        _ = machine.handle(.added(3))
        #expect(Case.held.value(of: machine.state) == 5)
    }
}
