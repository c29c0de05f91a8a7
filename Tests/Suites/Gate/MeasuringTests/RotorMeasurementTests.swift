import Measuring
import StateMachines
import Testing
import Turnstile

@Suite struct RotorMeasurementTests {
    /// Turns of the arm: the sensors change in this order, so many milliseconds apart.
    private func turns(
        _ order: [Character], step: Int = 80, count: Int = 3, bounces: [Int] = []
    ) -> RotorMeasurement {
        var lines = ["a": BouncingLine(bounces: bounces), "b": BouncingLine(bounces: bounces)]
        var isActive = ["a": false, "b": false]
        for name in Array(repeating: order, count: count).joined().map(String.init) {
            for other in lines.keys { lines[other]?.wait(step) }
            isActive[name]?.toggle()
            lines[name]?.change(to: isActive[name] ?? false)
        }
        return RotorMeasurement(a: lines["a"]!.trace, b: lines["b"]!.trace)
    }

    @Test func `turns inwards are A before B`() {
        let measurement = turns(["a", "b", "a", "b"])
        #expect(measurement.entries == 3 && measurement.exits == 0)
        #expect(measurement.verdict(turned: .entry) == .right)
        #expect(measurement.verdict(turned: .exit) == .exchanged)
        #expect(measurement.warnings == [])
        #expect(measurement.quickest == .milliseconds(80))
    }

    @Test func `exchanged sensors are told`() {
        let measurement = turns(["b", "a", "b", "a"])
        #expect(measurement.verdict(turned: .entry) == .exchanged)
    }

    @Test func `bounces are measured, and are no turns`() {
        let measurement = turns(["a", "b", "a", "b"], bounces: [1, 3, 2, 1])
        #expect(measurement.entries == 3 && measurement.backOuts == 0)
        #expect(measurement.bounce?.levels == 12 * 4)
        #expect(measurement.debounce == .milliseconds(6))
    }

    @Test func `how lines bounce that were debounced is not known`() {
        var line = LineTrace(isDebounced: true)
        line.take(.init(true, at: .zero))
        line.take(.init(false, at: .zero + .milliseconds(80)))
        let turns = RotorMeasurement(a: line, b: LineTrace())
        #expect(turns.bounce == nil && turns.debounce == nil)
        let coins = PulseMeasurement(line)
        #expect(coins.bounce == nil && coins.widths == [.milliseconds(80)])
    }

    @Test(arguments: [
        (Input.coinPulse, 0, 5), (.coinPulse3, 0, 5), (.rotorA, 0, 10), (.fire, 20, 20),
        (.coinPulse2, 2, 2),
    ]) func `a level is no bounce that lasts for the debounce`(
        input: Input, debounce: Int, bound: Int
    ) {
        let length = Bounce.bound(of: input, debounce: .milliseconds(debounce))
        #expect(length == .milliseconds(bound))
    }

    @Test func `whoever goes back has made no turn`() {
        let measurement = turns(["a", "a"])
        #expect(measurement.verdict(turned: .entry) == .noTurn)
        #expect(measurement.backOuts == 3)
        #expect(measurement.warnings.contains { $0.hasPrefix("sensor B never changed") })
    }

    @Test func `turns both ways tell nothing of the sensors`() {
        let measurement = turns(["a", "b", "a", "b", "b", "a", "b", "a"])
        #expect(measurement.verdict(turned: .entry) == .bothWays)
    }

    @Test func `a sensor that misses its flag now and then is told`() {
        var (a, b) = (BouncingLine(), BouncingLine())
        for isActive in [true, false, true, false] {
            a.wait(100)
            b.wait(100)
            a.change(to: isActive)
        }
        b.change(to: true)
        let measurement = RotorMeasurement(a: a.trace, b: b.trace)
        #expect(measurement.warnings.contains { $0.contains("does a sensor miss its flag?") })
    }

    @Test func `changes at one time are too quick`() {
        var (a, b) = (BouncingLine(), BouncingLine())
        for isActive in [true, false] {
            a.wait(100)
            b.wait(100)
            a.change(to: isActive)
            b.change(to: isActive)
        }
        let measurement = RotorMeasurement(a: a.trace, b: b.trace)
        #expect(measurement.warnings.contains { $0.contains("too quick") })
    }
}
