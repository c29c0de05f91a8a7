import Foundation
import Seeds
import StateMachines
import Testing

/// Random tables, right and wrong ones, beside the plainest reading that there could be.
///
/// With `TURNSTILED_TABLES` in the environment it is so many of them.
@Suite struct RandomTableTests {
    @Test func `a random table is judged and run as its rows read one by one`() {
        let wanted = ProcessInfo.processInfo.environment["TURNSTILED_TABLES"].flatMap { Int($0) }
        let count = wanted ?? 150
        var tally = Tally()
        // One after the other from the first seed, so that each can be the first one as well.
        let seed = SeededGenerator.announced().seed
        for number in 0..<count {
            var writer = Writer(SeededGenerator(seed: seed &+ UInt64(number)))
            let written = writer.table()
            let isRight =
                switch Int.random(in: 0..<5, using: &writer.random) {
                case 0: tally.check(PlainWords.self, written)
                case 1: tally.check(PayloadWords.self, written)
                case 2: tally.check(LazyWords.self, written)
                case 3: tally.check(HalfLazyWords.self, written)
                default: tally.check(ValueWords.self, written)
                }
            if !isRight { Issue.record("\(writer.random)") }
        }
        if wanted != nil { print("\(tally)") }
        #expect(tally.runCount > tally.count / 20, "few of the tables were without a mistake")
        #expect(tally.kinds.count >= 15, "\(tally.kinds)")
    }

    /// What was checked.
    struct Tally: CustomStringConvertible {
        var count = 0
        var runCount = 0
        var kinds: [TableProblem.Kind: Int] = [:]

        var description: String {
            "\(count) random tables, \(runCount) without a mistake and run: "
                + kinds.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
        }

        /// Checks a table, and what is left of it without its mistakes.
        ///
        /// - Returns: whether kit and plain reading agree.
        mutating func check<Words: RandomWords>(
            _ words: Words.Type, _ written: WrittenTable
        ) -> Bool {
            var written = written
            // Of a kind whose value is named there is no other value.
            written.tolerance.insert(.otherValues)
            for _ in 0..<4 {
                count += 1
                let plain = PlainReading(written)
                let expected = plain.mistakes()
                let table: Table<Words>
                do throws(TableError) {
                    table = try Rendering<Words>.build(written)
                } catch {
                    let found = Set(
                        error.problems.map {
                            PlainReading.Mistake(
                                kind: $0.kind, lines: Set($0.locations.map(\.line)))
                        })
                    guard found == expected else {
                        return Self.fail(
                            "only the kit finds \(found.subtracting(expected)), only the plain "
                                + "reading \(expected.subtracting(found))")
                    }
                    for mistake in found { kinds[mistake.kind, default: 0] += 1 }
                    let lines = found.reduce(into: Set<UInt>()) { $0.formUnion($1.lines) }
                    written = written.without(lines)
                    written.tolerance = .everything
                    continue
                }
                guard expected.isEmpty else {
                    return Self.fail("only the plain reading finds \(expected)")
                }
                runCount += 1
                return Self.runs(table, as: plain)
            }
            return true
        }

        private static func fail(_ comment: String) -> Bool {
            Issue.record("\(comment)")
            return false
        }

        /// Whether the table does in every situation what the plain reading says.
        private static func runs<Words: RandomWords>(
            _ table: Table<Words>, as plain: PlainReading
        ) -> Bool {
            for kind in Place.allCases {
                let start = Words.state(kind, noting: -1)
                let machine = TableMachine(
                    table, state: start, predicates: Words.predicates(.p0, .q0))
                guard Array(machine.entryCommands) == plain.entering(kind),
                    Array(machine.exitCommands) == plain.leaving(kind)
                else { return fail("other commands of entry or exit in \(kind)") }
                for happening in Happening.allCases {
                    let event = Words.event(happening)
                    for facts in PlainReading.Facts.all {
                        let expected = plain.outcome(happening, facts, in: kind)
                        let next =
                            expected.next.map { Words.state($0, noting: expected.noting) } ?? start
                        var state = start
                        let holding = Words.predicates(facts.p, facts.q)
                        let outcome = table.handle(event, holding, in: &state)
                        var commands: [Int] = []
                        var performing = start
                        let verdict = table.handle(
                            event, holding, in: &performing
                        ) { commands.append($0) }
                        guard outcome == expected.outcome, state == next, performing == next,
                            Outcome(verdict, Commands(commands)) == expected.outcome
                        else {
                            return fail(
                                "\(Words.self), \(kind), \(happening), \(facts): "
                                    + "\(outcome), \(state); expected "
                                    + "\(expected.outcome), \(next)")
                        }
                    }
                }
            }
            return true
        }
    }
}
