import StateMachines
import Testing

/// Every way to have a row, an override or nothing on four levels of adoption.
@Suite enum OverrideTests: TurnstileTable {
    enum Level: CaseIterable { case nothing, row, otherRow, replacement }

    /// The row of a level for the event `coin`; its command tells which level it is.
    static func rows(_ level: Level, _ command: TableCommand) -> [Block<Self, Complete>] {
        switch level {
        case .nothing: []
        case .row: [when(.coin) { condition { _, _ in true }.then(.unlocked).commands(command) }]
        case .otherRow: [when(.coin) { condition { _, _ in true }.then(.locked).commands(command) }]
        case .replacement: [override { when(.coin).then(.alarming).commands(command) }]
        }
    }

    static func define(_ levels: [Level]) -> [Define<Self>] {
        let root = superState {
            when(.reset).then(.locked)
            rows(levels[0], .a1)
        }
        let middle = superState(adopts: root) {
            commands(.smile) { when(.pass).then() }
            rows(levels[1], .a2)
        }
        let last = superState(adopts: middle) {
            rows(levels[2], .a3)
            override { when(.reset).then() }
        }
        return [
            define(.locked, adopts: last) {
                override { when(.pass).then() }
                rows(levels[3], .a4)
            }
        ]
    }

    /// What is wrong with the levels, told in the plainest way.
    static func expected(_ levels: [Level]) -> Set<TableProblem.Kind> {
        let used = levels.indices.filter { levels[$0] != .nothing }
        var problems: Set<TableProblem.Kind> = []
        let isMisplaced = used.first.map { levels[$0] == .replacement } ?? false
        if isMisplaced {
            problems.insert(used.count > 1 ? .overrideOutOfOrder : .nothingToOverride)
        }
        // What is left is the last override that replaces something, and the rows below it; an
        // override out of order is let off.
        let placed = isMisplaced ? used.dropFirst() : used[...]
        let last = placed.lastIndex { levels[$0] == .replacement } ?? placed.startIndex
        if placed[last...].count > 1 { problems.insert(.clash) }
        return problems
    }

    static let all: [[Level]] = {
        let pairs = Level.allCases.flatMap { one in Level.allCases.map { [one, $0] } }
        return pairs.flatMap { upper in pairs.map { upper + $0 } }
    }()

    @Test static func `overrides do on every level what the rules say`() throws {
        #expect(all.count == 256)
        let commands: [TableCommand] = [.a1, .a2, .a3, .a4]
        for levels in all {
            // Two rows that lead to the same state are duplicates, a clash of the milder kind.
            let found = mistakes(initial: .locked) { define(levels) }.kinds
                .map { $0 == .duplicateRows ? .clash : $0 }
            #expect(Set(found) == expected(levels), "\(levels)")
            guard found.isEmpty else { continue }
            var machine = try sketch(initial: .locked) { define(levels) }
            let winner = levels.lastIndex { $0 != .nothing }
            let outcome = machine.handle(.coin)
            #expect(outcome == winner.map { .handled(commands[$0]) } ?? .unhandled, "\(levels)")
        }
    }
}
