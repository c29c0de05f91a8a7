import StateMachines
import Testing

private enum Enforcement: UInt8, Predicate { case weak, strong }
private enum Reward: UInt8, Predicate { case positive, negative }
private enum A: UInt8, Predicate { case x, y, z }
private enum B: UInt8, Predicate { case x, y, z }
private enum C: UInt8, Predicate { case x, y, z }

/// Which combinations of predicates a row holds for, in every form that it can be written in.
@Suite struct MatchingTests {
    private enum Three: TurnstileTable {
        typealias Predicates = Both<A, Both<B, C>>

        typealias Form = (
            row: Block<Three, Complete>, holds: @Sendable (A, B, C) -> Bool
        )

        /// Each form with the meaning that it has.
        static var forms: [Form] {
            [
                (matching(A.x) { row }, { a, _, _ in a == .x }),
                (matching(A.x, or: A.y) { row }, { a, _, _ in a != .z }),
                (matching(A.x, or: A.y, A.z) { row }, { _, _, _ in true }),
                (matching(A.x, and: B.x) { row }, { a, b, _ in a == .x && b == .x }),
                (
                    matching(A.x, and: B.x, C.x) { row },
                    { a, b, c in a == .x && b == .x && c == .x }
                ),
                (
                    matching(A.x, or: A.y, A.z, and: B.x, C.x) { row },
                    { _, b, c in b == .x && c == .x }
                ),
                (
                    matching(A.x, or: A.y) { matching(B.x, or: B.y) { row } },
                    { a, b, _ in a != .z && b != .z }
                ),
                (
                    matching(A.x, and: B.z) { matching(C.y, or: C.z) { row } },
                    { a, b, c in a == .x && b == .z && c != .x }
                ),
            ]
        }
        static var row: Row<Three, Complete> { when(.coin).then(.unlocked) }

        /// Rows for another event, so that the table asks for each of its predicates.
        static var others: Block<Three, Complete> {
            matching(A.x, and: B.x, C.x) { when(.pass).then() }
        }
    }

    @Test(arguments: 0..<8) func `each form holds where it says`(number: Int) throws {
        let form = Three.forms[number]
        let table = try Table<Three>(initial: .locked, tolerating: .everything) {
            Three.define(.locked) {
                form.row
                Three.others
            }
        }
        for a in A.allCases {
            for b in B.allCases {
                for c in C.allCases {
                    var state = TableState.locked
                    let outcome = table.handle(.coin, Both(a, Both(b, c)), in: &state)
                    #expect(outcome.isHandled == form.holds(a, b, c), "\(a) \(b) \(c)")
                }
            }
        }
    }

    private enum Two: TurnstileTable {
        typealias Predicates = Both<Enforcement, Reward>
    }

    /// What comes of an event from the locked state: for weak and positive, weak and negative,
    /// strong and positive, strong and negative.
    private func targets(
        _ event: TableEvent, from start: TableState = .locked, in table: Table<Two>
    ) -> [TableState?] {
        Enforcement.allCases.flatMap { enforcement in
            Reward.allCases.map { reward in
                var state = start
                let outcome = table.handle(event, Both(enforcement, reward), in: &state)
                return outcome.isHandled ? state : nil
            }
        }
    }

    @Test func `rows of two predicates, each of which asks for one or none`() throws {
        let table = try Table<Two>(initial: .locked, tolerating: .everything) {
            Two.define(.locked) {
                Two.matching(Enforcement.weak).when(.pass).then(.locked).commands(.lock)
                Two.matching(Enforcement.strong).when(.pass).then(.alarming).commands(.alarmOn)
                Two.when(.coin).then(.unlocked).commands(.unlock)
            }
            Two.define(.unlocked) {
                Two.matching(Reward.positive).when(.coin).then(.unlocked).commands(.thankYou)
                Two.matching(Reward.negative).when(.coin).then(.unlocked).commands(.beGrumpy)
                Two.when(.pass).then(.locked).commands(.lock)
            }
        }
        #expect(targets(.pass, in: table) == [.locked, .locked, .alarming, .alarming])
        #expect(targets(.coin, in: table) == Array(repeating: .unlocked, count: 4))
        #expect(targets(.pass, from: .unlocked, in: table) == Array(repeating: .locked, count: 4))
        for (reward, command) in [(Reward.positive, TableCommand.thankYou), (.negative, .beGrumpy)]
        {
            for enforcement in Enforcement.allCases {
                var state = TableState.unlocked
                let outcome = table.handle(.coin, Both(enforcement, reward), in: &state)
                #expect(outcome == .handled(command))
            }
        }
    }

    @Test func `a row that no longer overlaps the other settles a clash`() throws {
        let table = try Table<Two>(initial: .locked, tolerating: .everything) {
            Two.define(.locked) {
                Two.matching(Enforcement.weak, and: Reward.positive).when(.coin).then(.unlocked)
                Two.matching(Reward.negative).when(.coin).then(.locked)
            }
        }
        #expect(targets(.coin, in: table) == [.unlocked, .locked, nil, .locked])
    }

    @Test func `conditions go round predicates, and predicates round events`() throws {
        let table = try Table<Two>(initial: .locked, tolerating: .everything) {
            Two.define(.locked) {
                Two.when(.pass) {
                    Two.condition({ state, _ in state == .locked }) {
                        Two.matching(Enforcement.weak).then(.unlocked)
                        Two.matching(Enforcement.strong).then(.alarming)
                    }
                }
                Two.matching(Reward.positive) {
                    Two.when(.coin).then(.unlocked)
                    Two.when(.reset).then(.alarming)
                }
                Two.matching(Reward.negative) {
                    Two.when(.coin).then(.alarming)
                    Two.when(.reset).then(.locked)
                }
            }
        }
        #expect(targets(.pass, in: table) == [.unlocked, .unlocked, .alarming, .alarming])
        #expect(targets(.coin, in: table) == [.unlocked, .alarming, .unlocked, .alarming])
        #expect(targets(.reset, in: table) == [.alarming, .locked, .alarming, .locked])
    }

    @Test func `what a block asks for cannot be asked for again, nor otherwise`() {
        let found = Three.mistakes(initial: .locked) {
            Three.define(.locked) {
                Three.matching(A.x, and: B.x) {
                    Three.matching(A.x).when(.coin).then()
                    Three.matching(A.y).when(.pass).then()
                }
                Three.matching(C.x).when(.reset).then()
            }
        }
        #expect(
            found.map(\.message) == [
                "cannot match A.x and A.y at the same time", "the predicate A.x is asked for twice",
            ])
    }
}
