import Moves
import SimulatedHardware
import StateMachines
import Testing
import Turnstile

@testable import LiveView

@Suite struct MoveWordsTests {
    private static let everything = Equipment(
        inputs: Input.allCases, outputs: Output.allCases)

    @Test func `whatever a key does has words that say the same`() throws {
        let keyboard = Keyboard(
            coins: [
                Coin(.first, pulses: 1, value: 50), Coin(.second, pulses: 1, value: 20),
                Coin(.third, pulses: 1, value: 10),
            ], equipment: Self.everything, serviceHold: .seconds(3))
        let events = Set(keyboard.bindings().flatMap(\.events).joined())
        #expect(events.count > 30)
        for event in events {
            let words = try #require(event.words, "\(event)")
            #expect(try Move.event(words, wired: Self.everything) == event)
        }
    }

    @Test func `other moves have words as well, and what nobody does has none`() throws {
        let events: [World.Event] = [
            .acceptorStruck(.second), .armLetGo, .edgeMissed(.home),
            .sensorsDisturbed(isActive: true, for: .milliseconds(80)),
            .defectRepaired(.undrivable(.buzzer)), .defectRepaired(.bentArm),
        ]
        for event in events {
            let words = try #require(event.words, "\(event)")
            #expect(try Move.event(words, wired: Self.everything) == event)
        }
        #expect(World.Event.outputDriven(.buzzer, energised: true).words == nil)
        #expect(World.Event.timePassed(until: .zero).words == nil)
    }
}
