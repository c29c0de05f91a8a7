import StateMachines
import Testing

private enum Enforcement: UInt8, Predicate { case weak, strong }
private enum Reward: UInt8, Predicate { case positive, negative }
private enum A: Predicate { case x, y, z }
private enum B: Predicate { case x, y, z }
private enum Elsewhere { enum A: Predicate { case x, y, z } }

@Suite struct PredicateTests {
    @Suite fileprivate enum One: TurnstileTable {
        typealias Predicates = Enforcement

        @Test static func `a predicate decides between rows, and rows without one do not care`()
            throws
        {
            let table = try Table<Self>(initial: .locked, tolerating: .everything) {
                define(.locked) {
                    matching(Enforcement.weak).when(.pass).then(.locked).commands(.smile)
                    matching(Enforcement.strong).when(.pass).then(.alarming).commands(.defconOne)
                    when(.coin).then(.unlocked).commands(.unlock)
                }
            }
            var machine = TableMachine(table, predicates: .weak)
            #expect(machine.handle(.pass) == .handled(.smile))
            let before = machine
            machine.predicates = .strong
            #expect(machine != before)
            #expect(machine.handle(.pass) == .handled(.defconOne))
            for enforcement in Enforcement.allCases {
                var state = TableState.locked
                #expect(table.handle(.coin, enforcement, in: &state) == .handled(.unlock))
            }
        }

        @Test static func `every nesting of blocks says the same`() throws {
            typealias Statements = [Define<Self>]
            let tables: [Table<Self>] = [
                try Table(initial: .locked, tolerating: .everything) {
                    define(.locked) {
                        when(.pass) {
                            matching(Enforcement.weak).then(.locked).commands(.smile)
                            matching(Enforcement.strong).then(.locked).commands(.defconOne)
                        }
                    }
                },
                try Table(initial: .locked, tolerating: .everything) {
                    define(.locked) {
                        then(.locked) {
                            when(.pass) {
                                matching(Enforcement.weak).commands(.smile)
                                matching(Enforcement.strong).commands(.defconOne)
                            }
                        }
                    }
                },
                try Table(initial: .locked, tolerating: .everything) {
                    define(.locked) {
                        when(.pass) {
                            then(.locked) {
                                commands(.smile) { matching(Enforcement.weak) }
                                matching(Enforcement.strong).commands(.defconOne)
                            }
                        }
                    }
                },
                try Table(initial: .locked, tolerating: .everything) {
                    define(.locked) {
                        Matching(Enforcement.weak).when(.pass).then().commands(.smile)
                        matching(Enforcement.strong) {
                            condition({ _, _ in true }) {
                                when(.pass).then(.locked).commands(.defconOne)
                            }
                        }
                    }
                },
            ]
            for table in tables {
                var state = TableState.locked
                #expect(table.handle(.pass, .weak, in: &state) == .handled(.smile))
                #expect(table.handle(.pass, .strong, in: &state) == .handled(.defconOne))
                #expect(table.handle(.coin, .strong, in: &state) == .unhandled)
            }
        }
    }

    @Suite fileprivate enum Two: TurnstileTable {
        typealias Predicates = Both<Enforcement, Reward>

        @Test static func `the row that asks for more goes first`() throws {
            let table = try Table<Self>(initial: .locked, tolerating: .everything) {
                define(.locked) {
                    matching(Enforcement.weak).when(.coin).then(.locked).commands(.a2)
                    matching(Enforcement.weak, and: Reward.positive)
                        .when(.coin).then(.unlocked).commands(.a1)
                }
            }
            var state = TableState.locked
            #expect(table.handle(.coin, .init(.weak, .negative), in: &state) == .handled(.a2))
            #expect(table.handle(.coin, .init(.strong, .positive), in: &state) == .unhandled)
            #expect(table.handle(.coin, .init(.weak, .positive), in: &state) == .handled(.a1))
        }

        @Test static func `rows that ask for different predicates clash unless one asks for more`()
        {
            #expect(
                mistakes(initial: .locked) {
                    define(.locked) {
                        matching(Enforcement.weak).when(.coin).then(.unlocked)
                        matching(Reward.negative).when(.coin).then(.locked)
                    }
                }.kinds == [.implicitClash])
            #expect(
                mistakes(initial: .locked) {
                    define(.locked) {
                        matching(Enforcement.weak, and: Reward.positive).when(.coin).then(.unlocked)
                        matching(Reward.negative).when(.coin).then(.locked)
                    }
                }.isEmpty)
        }

        @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
        static func `three overlapping rows are judged right in any order`(order: [Int]) {
            let rows: [Block<Self, Complete>] = [
                override { when(.coin).then(.unlocked) },
                matching(Enforcement.weak) { when(.coin).then(.unlocked) },
                matching(Reward.negative) { when(.coin).then(.locked) },
            ]
            // The two specific rows clash over weak and negative, whatever the general one says.
            let found = mistakes(initial: .locked) {
                define(.locked) {
                    rows[order[0]]
                    rows[order[1]]
                    rows[order[2]]
                }
            }
            #expect(Set(found.kinds) == [.implicitClash, .nothingToOverride])
            // A row that is more specific than both settles it.
            let settled = mistakes(initial: .locked) {
                define(.locked) {
                    rows[1]
                    matching(Enforcement.weak, and: Reward.negative).when(.coin).then(.alarming)
                    rows[2]
                }
            }
            #expect(settled.isEmpty)
        }
    }

    @Suite fileprivate enum Names: TurnstileTable {
        typealias Predicates = Both<A, Both<B, Elsewhere.A>>

        @Test static func `or-lists and and-lists`() throws {
            let table = try Table<Self>(initial: .locked, tolerating: .everything) {
                define(.locked) {
                    matching(A.x, or: A.y, and: B.x, Elsewhere.A.z).when(.coin).then(.unlocked)
                    matching(A.x, or: A.y) {
                        matching(B.y, or: B.z) { when(.pass).then(.alarming) }
                    }
                }
            }
            for a in A.allCases {
                for b in B.allCases {
                    for other in Elsewhere.A.allCases {
                        let facts = Predicates(a, Both(b, other))
                        var state = TableState.locked
                        _ = table.handle(.coin, facts, in: &state)
                        #expect((state == .unlocked) == (a != .z && b == .x && other == .z))
                        state = .locked
                        _ = table.handle(.pass, facts, in: &state)
                        #expect((state == .alarming) == (a != .z && b != .x))
                    }
                }
            }
        }

        /// The mistakes of one row, those of its matching alone.
        static func matchingMistakes(_ row: Block<Self, Complete>) -> [TableProblem] {
            mistakes(initial: .locked) { define(.locked) { row } }.filter {
                $0.kind == .duplicatePredicate || $0.kind == .contradictoryMatching
            }
        }

        @Test static func `contradictions and repetitions in one statement`() {
            #expect(
                matchingMistakes(matching(A.x, and: A.y) { when(.coin).then() })
                    .map(\.message)
                    == [
                        "cannot match StateMachinesTests.A.x and StateMachinesTests.A.y at the "
                            + "same time"
                    ])
            #expect(
                matchingMistakes(matching(A.x, or: A.z, and: A.y) { when(.coin).then() }).kinds
                    == [.contradictoryMatching, .contradictoryMatching])
            #expect(
                matchingMistakes(matching(A.x, and: A.x) { when(.coin).then() }).kinds
                    == [.duplicatePredicate])
            #expect(
                matchingMistakes(matching(A.x, or: A.x) { when(.coin).then() }).kinds
                    == [.duplicatePredicate])
            #expect(
                matchingMistakes(matching(A.x, and: Elsewhere.A.x) { when(.coin).then() }).isEmpty)
        }

        @Test static func `contradictions and repetitions across blocks`() {
            #expect(
                matchingMistakes(matching(A.x) { matching(A.y) { when(.coin).then() } }).kinds
                    == [.contradictoryMatching])
            #expect(
                matchingMistakes(
                    matching(A.x, or: A.y) { matching(A.z) { when(.coin).then() } }
                ).kinds == [.contradictoryMatching, .contradictoryMatching])
            #expect(
                matchingMistakes(matching(A.x, and: B.x) { matching(A.x).when(.coin).then() }).kinds
                    == [.duplicatePredicate])
            #expect(
                matchingMistakes(
                    matching(A.x, or: A.y) {
                        matching(A.x).when(.coin).then()
                        matching(A.y).when(.pass).then()
                    }
                ).kinds == [.duplicatePredicate, .duplicatePredicate])
        }

        @Test static func `a predicate that is not the table's, and one that no row asks for`() {
            let found = mistakes(initial: .locked) {
                define(.locked) {
                    matching(A.x, and: Enforcement.weak).when(.coin).then()
                    matching(B.x).when(.pass).then()
                }
            }
            #expect(
                found.map(\.message).sorted() == [
                    "no row asks for the predicate StateMachinesTests.Elsewhere.A",
                    "the predicate Enforcement is not one of the table's",
                ])
        }
    }
}
