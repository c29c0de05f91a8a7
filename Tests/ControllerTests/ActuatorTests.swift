import Hardware
import StateMachines
import Testing
import Turnstile

@testable import Controller

@Suite struct ActuatorTests {
    @Test func `an output that is energised again at once has had no rest`() throws {
        let bank = TestBank()
        let actuator = Actuator(.lockEntry, line: .wired(maximumOnTime: .seconds(10)))
        let start = Instant.zero
        try actuator.drive(true, at: start, on: bank) { start }
        #expect(actuator.cutAt == start + .seconds(10))

        let glitch = start + .seconds(4)
        try actuator.drive(false, at: glitch, on: bank) { glitch }
        #expect(actuator.cutAt == nil)
        try actuator.drive(true, at: glitch, on: bank) { glitch }
        #expect(actuator.cutAt == start + .seconds(10))

        try actuator.drive(false, at: glitch, on: bank) { glitch }
        let later = glitch + .milliseconds(1)
        try actuator.drive(true, at: later, on: bank) { later }
        #expect(actuator.cutAt == later + .seconds(10))
    }
}
