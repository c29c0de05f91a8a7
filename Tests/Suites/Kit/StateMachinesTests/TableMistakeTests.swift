import StateMachines
import Testing

@Suite enum TableMistakeTests: TurnstileTable {
    @Test static func `an empty table`() {
        let found = mistakes(initial: .locked) {}
        #expect(found.kinds == [.emptyTable])
    }

    @Test static func `empty blocks, wherever they stand`() {
        let found = mistakes(initial: .locked) {
            define(.locked) {}
            define(.unlocked) {
                when(.coin) {}
                then(.locked) {}
                commands(.lock) {}
                override {}
            }
            define(.alarming)
            define(.alarming, adopts: superState())
        }
        #expect(found.kinds == Array(repeating: .emptyBlock, count: 7))
    }

    @Test static func `commands alone are no empty block`() {
        let found = mistakes(initial: .locked) {
            define(.locked, adopts: superState(onEntry: [.lock])) { when(.coin).then(.unlocked) }
            define(.unlocked, onExit: [.lock])
        }
        #expect(found.isEmpty)
    }

    @Test static func `a super state that is adopted twice in one statement`() {
        let line = #line as UInt
        let found = mistakes(initial: .locked) {
            let root = superState { when(.reset).then(.locked) }
            let twice = superState(adopts: root, root)
            define(.locked, adopts: twice)
            define(.unlocked, adopts: root, root)
            define(.alarming, adopts: root, twice)
        }
        #expect(found.kinds == [.repeatedAdoption, .repeatedAdoption])
        #expect(found.lines == [[line + 3], [line + 5]])
    }

    @Test static func `duplicates, with their lines`() {
        let line = #line as UInt
        let found = mistakes(initial: .locked) {
            define(.locked) {
                when(.coin).then(.unlocked).commands(.unlock)
                when(.coin).then(.unlocked).commands(.lock)
            }
        }
        #expect(found.kinds == [.duplicateRows])
        #expect(found.lines == [[line + 3, line + 4]])
        let columns = found[0].locations.map(\.column)
        #expect(
            found[0].description
                == "StateMachinesTests/TableMistakeTests.swift:\(line + 3):\(columns[0]): locked, "
                + "coin: a second row leads to unlocked "
                + "(see StateMachinesTests/TableMistakeTests.swift:\(line + 4):\(columns[1]))"
        )
    }

    @Test static func `two rows on one line are told apart`() {
        let line = #line as UInt
        let found = mistakes(initial: .locked) {
            define(.locked) { [when(.coin).then(.unlocked), when(.coin).then(.locked)] }
        }
        #expect(found.kinds == [.clash])
        #expect(found.lines == [[line + 2, line + 2]])
        let columns = found[0].locations.map(\.column)
        #expect(columns[0] < columns[1])
        #expect(found[0].description.contains(".swift:\(line + 2):\(columns[0]): locked, coin: "))
        #expect(found[0].description.hasSuffix(".swift:\(line + 2):\(columns[1]))"))
    }

    @Test static func `the same event twice in one row`() {
        let found = mistakes(initial: .locked) {
            define(.locked) { when(.coin, or: .coin).then(.unlocked) }
        }
        #expect(found.kinds == [.duplicateRows])
    }

    @Test static func `a clash, whatever the order of the rows`() {
        for flipped in [false, true] {
            let first = when(.coin).then(flipped ? .locked : .unlocked)
            let second = when(.coin).then(flipped ? .unlocked : .locked)
            let found = mistakes(initial: .locked) {
                define(.locked) {
                    first
                    second
                }
            }
            #expect(found.kinds == [.clash])
        }
    }

    @Test static func `conditions cannot be told apart, so they clash`() {
        let found = mistakes(initial: .locked) {
            define(.locked) {
                when(.coin) {
                    condition { _, _ in true }.then(.unlocked)
                    condition { _, _ in false }.then(.locked)
                }
            }
        }
        #expect(found.kinds == [.clash])
    }

    @Test static func `what is inherited clashes unless overridden`() {
        let s1 = superState { when(.coin).then(.unlocked).commands(.unlock) }
        let s2 = superState(adopts: s1) { when(.coin).then(.locked).commands(.beGrumpy) }
        #expect(mistakes(initial: .locked) { define(.locked, adopts: s2) }.kinds == [.clash])
        let own = mistakes(initial: .locked) {
            define(.locked, adopts: s1) { when(.coin).then(.locked).commands(.beGrumpy) }
        }
        #expect(own.kinds == [.clash])
        let s3 = superState { when(.coin).then(.unlocked).commands(.a3) }
        #expect(
            mistakes(initial: .locked) { define(.locked, adopts: s1, s3) }.kinds == [.duplicateRows]
        )
    }

    @Test static func `nothing to override`() {
        let found = mistakes(initial: .locked) {
            define(.locked) { override { when(.coin).then(.locked).commands(.beGrumpy) } }
        }
        #expect(found.kinds == [.nothingToOverride])
    }

    @Test static func `an override does not reach a super state beside its own`() {
        let s1 = superState { override { when(.coin).then(.locked).commands(.a1) } }
        let s2 = superState { when(.coin).then(.unlocked).commands(.a2) }
        let found = mistakes(initial: .locked) { define(.locked, adopts: s1, s2) }
        #expect(found.kinds == [.clash, .nothingToOverride])
    }

    @Test static func `overrides out of order`() {
        let s1 = superState { override { when(.coin).then(.locked).commands(.beGrumpy) } }
        let s2 = superState(adopts: s1) { when(.coin).then(.unlocked).commands(.unlock) }
        #expect(
            mistakes(initial: .locked) { define(.locked, adopts: s2) }.kinds == [
                .overrideOutOfOrder
            ])
    }

    @Test static func `an override is inherited like any row, and clashes like any`() {
        let s1 = superState { when(.coin).then(.unlocked).commands(.a1) }
        let s2 = superState(adopts: s1) { override { when(.coin).then(.locked).commands(.a2) } }
        let found = mistakes(initial: .locked) {
            define(.locked, adopts: s2) { when(.coin).then(.alarming).commands(.a3) }
        }
        #expect(found.kinds == [.clash])
    }

    @Test static func `in one block the word override means nothing`() {
        let found = mistakes(initial: .locked) {
            define(.locked) {
                when(.coin).then(.locked).commands(.a1)
                override { when(.coin).then(.locked).commands(.a2) }
            }
        }
        #expect(found.kinds == [.duplicateRows])
        let adopted = superState {
            when(.coin).then(.locked).commands(.a1)
            override { when(.coin).then(.unlocked).commands(.a2) }
        }
        #expect(mistakes(initial: .locked) { define(.locked, adopts: adopted) }.kinds == [.clash])
    }

    @Test static func `what was left open`() {
        let line = #line as UInt
        let found = mistakes(initial: .locked, tolerating: []) {
            define(.locked) {
                when(.coin).then(.unlocked)
                when(.pass, or: .reset).ignored("not paid")
            }
            define(.alarming) { when(.coin, or: .pass, .reset).then() }
        }
        #expect(
            found.map(\.message)
                == [
                    "locked, coin: leads to unlocked, which is not defined",
                    "nothing leads out of alarming, which is not declared final",
                    "nothing leads to alarming",
                ].sorted {
                    ($0.hasPrefix("locked") ? 0 : 1, $0) < ($1.hasPrefix("locked") ? 0 : 1, $1)
                })
        #expect(found.lines == [[line + 3], [line + 6], [line + 6]])
        let undecided = mistakes(initial: .locked, tolerating: .undefinedStates) {
            define(.locked) { when(.coin).then(.unlocked) }
            final(.unlocked)
        }
        #expect(
            undecided.map(\.message) == ["locked, pass: not decided", "locked, reset: not decided"])
    }

    @Test static func `an initial state that is not defined`() {
        let found = mistakes(initial: .alarming, tolerating: [.unreachableStates]) {
            final(.locked)
            final(.unlocked)
        }
        #expect(found.map(\.message) == ["the initial state alarming is not defined"])
    }

    private enum Vast: TurnstileTable {
        enum Digit: UInt8, Predicate { case d0, d1, d2, d3, d4, d5, d6, d7, d8, d9 }
        typealias Four = Both<Both<Digit, Digit>, Both<Digit, Digit>>
        typealias Predicates = Both<Four, Four>
    }

    @Test static func `a table that would fill the memory`() {
        let found = Vast.mistakes(initial: .locked) { Vast.final(.locked) }
        #expect(found.kinds == [.unsuitableType, .repeatedPredicate])
    }

    private enum Strict: TurnstileTable {
        enum Enforcement: Predicate { case weak, strong }
        typealias Predicates = Enforcement
    }

    @Test static func `a pair that is decided for some predicates only`() {
        let found = Strict.mistakes(initial: .locked, tolerating: .undefinedStates) {
            Strict.define(.locked) {
                Strict.when(.coin, or: .reset).then(.unlocked)
                Strict.matching(Strict.Enforcement.weak).when(.pass).then()
            }
            Strict.final(.unlocked)
        }
        #expect(found.map(\.message) == ["locked, pass: not decided when Enforcement.strong"])
    }

    private enum Skewed: TableSyntax {
        enum State: UInt8, Enumerated { case off = 1, on }
        typealias Event = TableEvent
        typealias Command = TableCommand
    }

    @Test static func `raw values that do not count from 0`() {
        let found = Skewed.mistakes(initial: .off) {
            Skewed.define(.off) { Skewed.when(.coin).then(.on) }
        }
        #expect(found.kinds == [.unsuitableType])
    }

    @Test static func `all of it is thrown at once`() {
        let found = mistakes(initial: .locked) {
            define(.locked) {
                when(.coin).then(.locked)
                when(.coin).then(.locked)
                when(.pass).then(.locked)
                when(.pass).then(.unlocked)
                override { when(.reset).then() }
            }
            define(.alarming) {}
        }
        #expect(found.kinds == [.duplicateRows, .clash, .nothingToOverride, .emptyBlock])
    }
}
