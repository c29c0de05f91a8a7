import Charts
import Foundation
import Seeds
import StateMachines
import Testing

/// Random charts beside the recommendation's algorithm, written down as it stands there.
///
/// With `TURNSTILED_CHARTS` in the environment it is so many of them, and others in each run.
@Suite struct RandomChartTests {
    @Test func `a random chart does what the recommendation's algorithm does`() {
        let wanted = ProcessInfo.processInfo.environment["TURNSTILED_CHARTS"].flatMap { Int($0) }
        var tally = Tally()
        // One after the other from the first seed, so that each can be the first one as well.
        let seed = wanted == nil ? 2_026 : SeededGenerator.announced().seed
        for number in 0..<(wanted ?? 150) {
            var writer = ChartWriter(SeededGenerator(seed: seed &+ UInt64(number)))
            let written = writer.written()
            if !tally.check(written, &writer) { Issue.record("\(writer.random)\n\(written)") }
        }
        if wanted != nil { print("\(tally)") }
        #expect(tally.charts == (wanted ?? 150), "some of the charts were refused")
        #expect(tally.isVaried, "\(tally)")
    }

    /// What was checked.
    struct Tally: CustomStringConvertible {
        var charts = 0
        var events = 0
        var handled = 0
        var changes = 0
        var ended = 0
        var endless = 0
        var losses = 0
        var timeouts = 0
        var longest = 0

        var isVaried: Bool {
            changes > events / 20 && ended > 0 && endless > 0 && losses > 0 && timeouts > 0
        }

        var description: String {
            "\(charts) random charts, \(events) events: \(handled) handled, "
                + "\(changes) with another configuration, \(timeouts) with a timeout, "
                + "\(losses) with an event of its own unhandled; "
                + "\(ended) charts came to an end, \(endless) events none; "
                + "\(longest) commands for one event"
        }

        /// Checks a chart with random events.
        ///
        /// - Returns: whether kit and recommendation agree.
        mutating func check(_ written: WrittenChart, _ writer: inout ChartWriter) -> Bool {
            let chart: Chart<RandomWords>
            do throws(ChartError) {
                chart = try ChartRendering.build(written)
            } catch {
                Issue.record("refused: \(error.problems)")
                return false
            }
            charts += 1
            var now = Instant.milliseconds(Int.random(in: 0...9, using: &writer.random))
            let context = Int.random(in: 0...9, using: &writer.random)
            var plain = PlainChart(written, context: context, at: now)
            var (machine, commands) = chart.start(context: context, at: now)
            var performing = machine
            guard agrees("start", machine, Array(commands), plain) else { return false }
            for _ in 0..<25 {
                let event = writer.happening(after: now)
                now = event.instant
                let before = plain.active
                let verdict = plain.handle(event)
                count(verdict, plain, since: before)
                let outcome = machine.handle(event)
                var performed: [RandomWords.Command] = []
                let performedVerdict = performing.handle(event) { performed.append($0) }
                let expected = Outcome(verdict, Commands<RandomWords.Command>(plain.commands))
                guard outcome == expected, performedVerdict == verdict,
                    verdict != .handled || performed == plain.commands
                else {
                    Issue.record(
                        """
                        \(event): \(outcome); performing \(performedVerdict) \(performed); \
                        expected \(expected)
                        """)
                    return false
                }
                guard agrees("\(event)", machine, plain.commands, plain),
                    agrees("\(event), performing", performing, plain.commands, plain),
                    machine == performing
                else { return false }
            }
            let around = plain.entryAndExit
            guard machine.listens == plain.listens, Array(machine.entryCommands) == around.entry,
                Array(machine.exitCommands) == around.exit
            else {
                Issue.record(
                    """
                    \(machine.listens), \(machine.entryCommands), \(machine.exitCommands); \
                    expected \(plain.listens), \(around)
                    """)
                return false
            }
            if plain.hasEnded { ended += 1 }
            return true
        }

        private mutating func count(
            _ verdict: Verdict, _ plain: PlainChart, since before: KindSet<Place>
        ) {
            events += 1
            if verdict == .handled { handled += 1 }
            if plain.active != before { changes += 1 }
            if plain.isEndless { endless += 1 }
            if plain.hasFired { timeouts += 1 }
            if plain.commands.contains(where: { if case .unhandled = $0 { true } else { false } }) {
                losses += 1
            }
            longest = max(longest, plain.commands.count)
        }

        private func agrees(
            _ moment: String, _ machine: ChartMachine<RandomWords>,
            _ commands: [RandomWords.Command], _ plain: PlainChart
        ) -> Bool {
            let isSame =
                machine.active == plain.active && machine.context == plain.context
                && machine.deadline == plain.deadline && machine.hasEnded == plain.hasEnded
                && commands == plain.commands
            if !isSame {
                Issue.record(
                    """
                    \(moment): \(machine.active) \(machine.context), \(commands), due \
                    \(String(describing: machine.deadline)), ended \(machine.hasEnded); expected \
                    \(plain.active) \(plain.context), \(plain.commands), due \
                    \(String(describing: plain.deadline)), ended \(plain.hasEnded)
                    """)
            }
            return isSame
        }
    }
}
