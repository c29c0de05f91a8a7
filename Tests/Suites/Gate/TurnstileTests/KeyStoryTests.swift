import StateMachines
import Stories
import Testing
import Turnstile

/// No key is silent: what it asks for is done, waits, or is refused with a reason.
@Suite struct KeyStoryTests {
    private static func hold(_ story: inout Story) {
        story.open(.serviceKey)
        story.wait(.seconds(4))
        story.close(.serviceKey)
    }

    @Test func `the key held while stopped is refused`() {
        var story = Story(equipment: .twoWays)
        story.open(.stop)
        Self.hold(&story)
        #expect(story.records.last == .refused(.beginService, by: .serviceKey, .stopped))
        story.close(.stop)
        story.wait(.seconds(10))
        #expect(story.state == .locked)
    }

    @Test func `the key held in an emergency is refused`() {
        var story = Story(equipment: .twoWays)
        story.open(.fire)
        Self.hold(&story)
        #expect(story.records.last == .refused(.beginService, by: .serviceKey, .emergency))
    }

    @Test(arguments: [(Input.stop, Refusal.stopped), (.fire, .emergency)])
    func `whoever waits for the gate hears why they wait in vain`(input: Input, reason: Refusal) {
        var story = Story(equipment: .twoWays)
        story.turn(1)
        Self.hold(&story)
        #expect(story.records.last == .deferred(.beginService, by: .serviceKey))
        story.open(input)
        #expect(story.records.contains(.refused(.beginService, by: .serviceKey, reason)))
    }

    @Test func `the key that is held takes the turn of an operator who waits`() {
        var story = Story(Story.policy { $0.remoteService = .allowed }, equipment: .twoWays)
        story.turn(1)
        #expect(story.ask(.beginService) == .deferred)
        Self.hold(&story)
        #expect(story.records.contains(.refused(.beginService, by: Story.anna, .cancelled)))
        #expect(story.records.last == .deferred(.beginService, by: .serviceKey))
        story.turn(0)
        #expect(story.records.contains(.serviceStarted(by: .serviceKey)))
    }

    @Test func `the mechanic comes before those who are stored`() {
        var story = Story(Story.policy { $0.coinWhileUnlocked = .store }, equipment: .twoWays)
        story.press(.releaseEntry)
        story.press(.releaseExit)
        story.turn(1, 2)
        Self.hold(&story)
        #expect(story.records.last == .deferred(.beginService, by: .serviceKey))
        #expect(!story.isOn(.coinEnable))
        #expect(story.status.limitation == .coinsRefused(.serviceAwaited))
        story.press(.releaseEntry)
        #expect(story.records.last == .stored(.entry))
        story.turn(3, 0)
        #expect(story.records.suffix(2) == [.serviceStarted(by: .serviceKey), .storedDropped(2)])
    }

    @Test func `whoever takes the key back leaves those who are stored their turn`() {
        var story = Story(equipment: .twoWays)
        story.press(.releaseEntry)
        story.press(.releaseExit)
        story.turn(1, 2)
        Self.hold(&story)
        story.turn(3)
        story.press(.serviceKey)
        story.turn(0)
        #expect(story.state == .released(.exit))
    }

    @Test func `no key closes a loop that is open`() {
        var story = Story()
        story.open(.fire)
        story.press(.serviceKey)
        story.press(.emergencyResetKey)
        #expect(story.records.last == .refused(.resetEmergency, by: .resetKey, .loopOpen))
        #expect(story.state == .emergency)
        #expect(story.isOn(.lockEntry))
    }

    @Test func `a reset without an emergency is refused`() {
        var story = Story(equipment: .twoWays)
        story.press(.emergencyResetKey)
        #expect(story.records.last == .refused(.resetEmergency, by: .resetKey, .noEmergency))
    }

    @Test func `a reset that waits for a clear lane says so`() {
        var story = Story(equipment: .twoWays)
        story.open(.fire)
        story.turn(1)
        story.close(.fire)
        story.press(.emergencyResetKey)
        #expect(story.records.last == .deferred(.resetEmergency, by: .resetKey))
        story.turn(0)
        #expect(story.records.last == .emergencyReset)
    }

    @Test func `a loop that can be read again waits for the mechanic's key, and says so`() {
        var story = Story(equipment: .twoWays)
        story.send(.lineFailed(.input(.fire), .unreadable))
        story.send(.lineRecovered(.input(.fire)))
        story.press(.emergencyResetKey)
        #expect(story.records.last == .refused(.resetEmergency, by: .resetKey, .repairFirst))
        story.press(.serviceKey)
        story.press(.emergencyResetKey)
        #expect(story.records.last == .emergencyReset)
    }

    @Test func `a repair of one of two causes ends the one`() {
        var story = Story(equipment: .twoWays)
        story.open(.externalFault)
        story.send(.lineFailed(.input(.home), .unreadable))
        story.close(.externalFault)
        story.press(.serviceKey)
        #expect(story.records.last == .faultCleared(.external))
        story.press(.serviceKey)
        #expect(
            story.records.last == .refused(.confirmRepair, by: .serviceKey, .causePresent))
    }

    @Test func `the key ends F2 even while the sensors still contradict each other`() {
        var story = Story()
        story.open(.rotorA)
        story.open(.rotorB)
        story.wait(.seconds(1))
        #expect(story.state == .outOfService(.illegalRotorTransition))
        story.press(.serviceKey)
        #expect(story.records.contains(.faultCleared(.illegalRotorTransition)))
        #expect(story.records.contains(.inService))
    }
}
