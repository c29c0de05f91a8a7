import StateMachines
import Testing

private enum Enforcement: UInt8, Predicate { case weak, strong }
private enum Reward: UInt8, Predicate { case positive, negative }

/// A table in the kit's own words and in names of one letter.
private enum ShortNames: TurnstileTable {
    typealias Predicates = Both<Enforcement, Reward>

    static func long() throws -> Table<Self> {
        try Table(initial: .locked) {
            let rewarding = superState(onEntry: [.smile]) { when(.reset).then(.locked) }
            define(.locked, adopts: superState(adopts: rewarding), onExit: [.unlock]) {
                override { when(.reset).then().commands(.a1) }
                when(.coin) {
                    matching(Enforcement.weak, and: Reward.positive).then(.unlocked)
                    then(.alarming) { matching(Reward.negative).commands(.a2) }
                    matching(Enforcement.strong, and: Reward.positive).ignored("not today")
                }
                then(.alarming) { when(.pass) { matching(Enforcement.weak, or: .strong) } }
            }
            define(.unlocked) {
                commands(.thankYou) {
                    matching(Enforcement.weak) { when(.coin, or: .reset).then() }
                    matching(Reward.positive, and: Enforcement.strong) {
                        condition({ state, _ in state == .unlocked }) {
                            when(.coin, or: .reset).then(.locked)
                        }
                    }
                    matching(Reward.negative, and: Enforcement.strong) {
                        condition { _, event in event == .coin }
                            .when(.coin, or: .reset).then(.locked).commands(.lock)
                    }
                }
                when(.pass).then(.locked)
            }
            define(.alarming, adopts: rewarding) { when(.coin, or: .pass).ignored("it sounds") }
        }
    }

    typealias d = Define<Self>
    typealias s = SuperState<Self>
    typealias w = When<Self>
    typealias t = Then<Self>
    typealias m = Matching<Self>
    typealias c = Commanding<Self>
    typealias o = Override<Self>

    static func short() throws -> Table<Self> {
        try Table(initial: .locked) {
            let rewarding = s(onEntry: [.smile]) { w(.reset).t(.locked) }
            d(.locked, adopts: s(adopts: rewarding), onExit: [.unlock]) {
                o { w(.reset).then().c(.a1) }
                w(.coin) {
                    m(Enforcement.weak, and: Reward.positive).then(.unlocked)
                    t(.alarming) { m(Reward.negative).commands(.a2) }
                    m(Enforcement.strong, and: Reward.positive).ignored("not today")
                }
                t(.alarming) { w(.pass) { m(Enforcement.weak, or: .strong) } }
            }
            d(.unlocked) {
                c(.thankYou) {
                    m(Enforcement.weak) { w(.coin, or: .reset).then() }
                    m(Reward.positive, and: Enforcement.strong) {
                        m({ state, _ in state == .unlocked }) { w(.coin, or: .reset).t(.locked) }
                    }
                    m(Reward.negative, and: Enforcement.strong) {
                        m { _, event in event == .coin }
                            .when(.coin, or: .reset).t(.locked).c(.lock)
                    }
                }
                w(.pass).t(.locked)
            }
            d(.alarming, adopts: rewarding) { w(.coin, or: .pass).ignored("it sounds") }
        }
    }
}

// There are no aliases for methods, but there is another way.
extension When where Syntax == ShortNames {
    fileprivate func t(_ state: TableState) -> Row<Syntax, Complete> { then(state) }
}
extension Row where Syntax == ShortNames {
    fileprivate func c(_ command: TableCommand) -> Row { commands(command) }
}

@Suite struct ShortNamesTests {
    @Test func `short names say the same`() throws {
        let (long, short) = (try ShortNames.long(), try ShortNames.short())
        var commands: Set<TableCommand> = []
        for state in TableState.allCases {
            for event in TableEvent.allCases {
                for enforcement in Enforcement.allCases {
                    for reward in Reward.allCases {
                        let facts = Both(enforcement, reward)
                        var (one, other) = (state, state)
                        let outcome = long.handle(event, facts, in: &one)
                        #expect(short.handle(event, facts, in: &other) == outcome)
                        #expect(one == other)
                        commands.formUnion(outcome.commands)
                    }
                }
            }
        }
        #expect(commands == [.smile, .unlock, .a1, .a2, .thankYou, .lock])
    }

    @Test func `mistakes are found under short names as well`() {
        typealias w = When<TableMistakeTests>
        typealias t = Then<TableMistakeTests>
        let line = #line as UInt
        let found = TableMistakeTests.mistakes(initial: .locked) {
            Define<TableMistakeTests>(.locked) {
                w(.coin).then(.locked)
                t(.unlocked) { w(.coin) }
                t(.locked) {}
                Commanding<TableMistakeTests>(.lock) {}
                Override<TableMistakeTests> { w(.pass).then() }
            }
            Define<TableMistakeTests>(.unlocked, adopts: SuperState())
        }
        #expect(
            found.kinds == [.clash, .emptyBlock, .emptyBlock, .nothingToOverride, .emptyBlock])
        #expect(
            found.lines == [[line + 3, line + 4], [line + 5], [line + 6], [line + 7], [line + 9]])
    }
}
