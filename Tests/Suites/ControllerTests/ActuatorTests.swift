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

    @Test(arguments: [(8, 6), (30, 22.5), (60, 50), (300, 290)])
    func `it is said once, and in time, that an output will be cut`(
        maximum: Double, warned: Double
    ) throws {
        let bank = TestBank()
        let line = OutputLine.wired(maximumOnTime: .seconds(maximum))
        let actuator = Actuator(.lockEntry, line: line)
        let start = Instant.zero
        #expect(actuator.warnAt == nil)
        try actuator.drive(true, at: start, on: bank) { start }
        #expect(actuator.warnAt == start + .seconds(warned))
        actuator.noteWarning()
        #expect(actuator.warnAt == nil)
        let glitch = start + .seconds(warned)
        try actuator.drive(false, at: glitch, on: bank) { glitch }
        try actuator.drive(true, at: glitch, on: bank) { glitch }
        #expect(actuator.warnAt == nil)
        try actuator.drive(false, at: glitch, on: bank) { glitch }
        let later = glitch + .seconds(1)
        try actuator.drive(true, at: later, on: bank) { later }
        #expect(actuator.warnAt == later + .seconds(warned))
    }
}
