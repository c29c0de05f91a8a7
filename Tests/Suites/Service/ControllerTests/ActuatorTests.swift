import Hardware
import StateMachines
import Testing
import Turnstile

@testable import Controller

@Suite struct ActuatorTests {
    @Test func `an output is on from when its line was driven, and the clock is read once`() throws
    {
        let bank = TestBank()
        let actuator = Actuator(
            .lockEntry, OutputDrive(maximumOnTime: .seconds(10)),
            line: .wired(maximumOnTime: .seconds(10)))
        var values = 0
        var heard: [OutputDrive.Event] = []
        for _ in 1...2 {
            heard += [
                try actuator.drive(true, at: .second(1), on: bank) {
                    values += 1
                    #expect(bank.energised == [.lockEntry])
                    return .second(3)
                }
            ]
        }
        #expect(values == 1)
        #expect(
            heard == [
                .took(true, for: .second(1), at: .second(3)),
                .took(true, for: .second(1), at: .second(1)),
            ])
        #expect(actuator.isEnergised)
        #expect(actuator.state.deadline == .second(10.5))
    }

    @Test func `a level that the line does not take is pending`() throws {
        let bank = TestBank()
        let actuator = Actuator(
            .lockEntry, OutputDrive(maximumOnTime: .seconds(10)),
            line: .wired(maximumOnTime: .seconds(10)))
        bank.undrivable = [.lockEntry]
        #expect(throws: HardwareError.self) {
            _ = try actuator.drive(true, at: .zero, on: bank) { .zero }
        }
        #expect(!actuator.isEnergised)
        #expect(actuator.handle(.lookBegan) == .handled(.drive(true)))
    }
}
