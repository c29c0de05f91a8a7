import Measuring
import Seeds
import StateMachines
import Testing

@Suite struct PulseMeasurementTests {
    /// Coins of these pulses, some seconds apart.
    private func coins(
        _ counts: [Int], width: Int = 50, gap: Int = 70, bounces: [Int] = []
    ) -> PulseMeasurement {
        var line = BouncingLine(bounces: bounces)
        for count in counts {
            for _ in 0..<count { line.pulse(width, gap: gap) }
            line.wait(1_500)
        }
        return PulseMeasurement(line.trace)
    }

    @Test func `coins, widths and gaps are told apart`() {
        let measurement = coins([1, 3, 3, 5])
        #expect(measurement.coins == [1, 3, 3, 5])
        #expect(measurement.widths == .init(repeating: .milliseconds(50), count: 12))
        #expect(measurement.gaps == .init(repeating: .milliseconds(70), count: 8))
        #expect(measurement.pauses == .init(repeating: .milliseconds(1_570), count: 3))
        #expect(measurement.values.map(\.pulses) == [1, 3, 5])
        #expect(measurement.values.map(\.coins) == [1, 2, 1])
        #expect(measurement.warnings == [])
        #expect(
            measurement.settings == [
                "pulse_width: 50ms", "train_quiet: 120ms",
                "values: {1: …, 3: …, 5: …}    # what coins of so many pulses are worth; "
                    + "came: 1: 1 coin, 3: 2 coins, 5: 1 coin",
            ])
    }

    @Test func `coins of one pulse each are coins`() {
        let measurement = coins([1, 1, 1])
        #expect(measurement.coins == [1, 1, 1])
        #expect(measurement.gaps.isEmpty)
    }

    @Test func `one coin of many pulses is one`() {
        #expect(coins([9]).coins == [9])
    }

    @Test func `what bounces is no pulse`() {
        let measurement = coins([2, 4], bounces: [1, 2, 1, 3])
        #expect(measurement.coins == [2, 4])
        #expect(measurement.widths == .init(repeating: .milliseconds(50), count: 6))
        #expect(measurement.bounce?.levels == 12 * 4)
        #expect(measurement.bounce?.longest == .milliseconds(3))
        #expect(measurement.bounce?.settling == .milliseconds(7))
        #expect(measurement.bounce?.debounce == .milliseconds(6))
    }

    @Test func `a pulse lasts from its first edge to the first of its end`() {
        var line = LineTrace()
        // It bounces when it closes, and not when it opens.
        for (isActive, time) in [(true, 0), (false, 1), (true, 3), (false, 50)] {
            line.take(.init(isActive, at: .zero + .milliseconds(time)))
        }
        let measurement = PulseMeasurement(line)
        #expect(measurement.widths == [.milliseconds(50)])
        #expect(measurement.bounce?.settling == .milliseconds(3))
    }

    @Test func `coins that come as soon as a silence can end one are told`() {
        var line = BouncingLine()
        for gap in [50, 260, 50, 1_000] { line.pulse(300, gap: gap) }
        let measurement = PulseMeasurement(line.trace)
        #expect(measurement.coins == [2, 2])
        // Longer than a pulse is longer than that pause.
        #expect(measurement.trainQuiet == .milliseconds(260))
        #expect(measurement.warnings.contains { $0.hasPrefix("two coins came within 260ms") })
    }

    @Test func `nothing is told of a line that does nothing`() {
        let measurement = PulseMeasurement(LineTrace())
        #expect(measurement.pulseWidth == nil && measurement.trainQuiet == nil)
        #expect(measurement.settings == [])
        #expect(measurement.warnings.first?.contains("no pulse came") == true)
    }

    @Test func `a pulse that has not ended is none`() {
        var line = BouncingLine()
        line.pulse(50, gap: 100)
        line.change(to: true)
        #expect(PulseMeasurement(line.trace).widths == [.milliseconds(50)])
    }

    @Test func `pulses that would be noise are told`() {
        var line = BouncingLine()
        for width in [50, 50, 110, 20, 50] { line.pulse(width, gap: 1_000) }
        let measurement = PulseMeasurement(line.trace)
        #expect(measurement.pulseWidth == .milliseconds(50))
        #expect(measurement.warnings.contains { $0.hasPrefix("2 of 5 pulses") })
    }

    @Test func `a silence that fits is longer than a gap and shorter than a pause`() {
        let slow = coins([2, 3, 2], width: 100, gap: 240)
        #expect(slow.coins == [2, 3, 2])
        #expect(slow.trainQuiet == .milliseconds(360))
        let quick = coins([1, 1], width: 20, gap: 100)
        #expect(quick.trainQuiet == .milliseconds(120))
    }

    /// Whatever the acceptor's measures are: as the settings allow them, with pulses that vary and
    /// bounce, and coins that people drop one after the other.
    @Test(arguments: 0..<200 as Range<UInt64>) func `any acceptor is measured`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let width = Int.random(in: 20...200, using: &random)
        let gap = Int.random(in: 30...250, using: &random)
        let counts = (0..<12).map { _ in Int.random(in: 1...6, using: &random) }
        var line = BouncingLine(bounces: [[], [1, 1], [2, 1]].randomElement(using: &random)!)
        for count in counts {
            for _ in 0..<count {
                let vary = Int.random(in: 95...105, using: &random)
                line.pulse(width * vary / 100, gap: gap * vary / 100)
            }
            line.wait(Int.random(in: 700...3_000, using: &random))
        }
        let measurement = PulseMeasurement(line.trace)
        #expect(measurement.coins == counts, "seed \(seed): \(width) ms, \(gap) ms")
        let proposed = measurement.pulseWidth.map { Int($0 / .milliseconds(1)) } ?? 0
        #expect(abs(proposed - width) <= max(4, width / 10), "seed \(seed)")
        let quiet = measurement.trainQuiet.map { Int($0 / .milliseconds(1)) } ?? 0
        #expect(quiet > gap && quiet <= 500 && quiet >= 120, "seed \(seed): \(quiet)")
    }
}

@Suite struct HistogramTests {
    @Test func `durations are counted in bins`() throws {
        let durations = [50, 51, 52, 55, 61].map { Duration.milliseconds($0) }
        let histogram = try #require(Histogram(durations, most: 6))
        #expect(histogram.counts == [2, 1, 1, 0, 0, 1])
        #expect(histogram.width == .milliseconds(2) && histogram.start == .milliseconds(50))
        #expect(histogram.lines.first == "50 to 52 ms  " + String(repeating: "█", count: 40) + " 2")
        #expect(histogram.lines[3] == "56 to 58 ms  ")
    }

    @Test func `nothing has no bins, and one value one`() {
        #expect(Histogram([]) == nil)
        #expect(Histogram([.seconds(3)])?.counts == [1])
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func `all are counted`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let durations = (0..<100).map { _ in
            Duration.milliseconds(Int.random(in: 0...20_000, using: &random))
        }
        let histogram = try #require(Histogram(durations))
        #expect(histogram.counts.reduce(0, +) == 100 && histogram.counts.count <= 12)
    }
}
