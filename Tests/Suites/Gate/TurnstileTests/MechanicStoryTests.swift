import StateMachines
import Stories
import Testing
import Turnstile

/// What a gate that is in the mechanic's hands, stopped or standing open takes for wrong, and what
/// it does not.
@Suite struct MechanicStoryTests {
    private static func gate(
        _ inputs: [Input], outputs: [Output] = [], levels: InputLevels = []
    ) -> Story {
        let equipment = Equipment(
            inputs: Equipment.oneWay.inputs.union(InputLevels(inputs)),
            outputs: Equipment.oneWay.outputs.union(OutputSet(outputs)))
        return Story(equipment: equipment, levels: levels)
    }

    @Test func `an arm that was let drop hangs only once the emergency is over`() {
        var story = Self.gate([.home], outputs: [.dropArm], levels: InputLevels(.home))
        story.open(.fire)
        story.close(.home)
        story.wait(.seconds(10))
        #expect(story.records.last == .emergencyStarted)
        story.close(.fire)
        story.press(.emergencyResetKey)
        story.wait(.seconds(1))
        #expect(story.state == .outOfService(.armNotHome))
    }

    @Test func `of two faults that fall due at one moment the arm's is told first`() {
        let equipment = Equipment.oneWay.with(.home, .lockFeedback)
        var story = Story(
            Story.policy { $0.lockResponse = $0.homeSettle }, equipment: equipment,
            levels: InputLevels(.home))
        story.close(.home)
        story.press(.releaseEntry)
        story.wait(.seconds(1))
        #expect(
            story.records == [
                .started, .released(.entry, by: .contact), .faultRaised(.armNotHome),
                .outOfService(.armNotHome), .faultRaised(.lockNotResponding(.entry)),
            ])
    }

    @Test func `whoever flees is in the way of no beam`() {
        var story = Self.gate([.beamA, .beamB])
        story.open(.fire)
        story.open(.beamA)
        story.wait(.seconds(20))
        #expect(story.records.last == .emergencyStarted)
        story.close(.beamA)
        story.close(.fire)
        story.wait(.seconds(1))
        story.press(.emergencyResetKey)
        story.open(.beamA)
        story.wait(.seconds(16))
        #expect(story.records.last == .alarmRaised(.beamBlocked))
    }

    @Test func `an open door is no alarm while the mechanic works`() {
        var story = Self.gate([.cabinetTamper])
        story.open(.serviceKey)
        story.wait(.seconds(3))
        story.close(.serviceKey)
        story.open(.cabinetTamper)
        #expect(story.records.last == .serviceStarted(by: .serviceKey))
        story.wait(.seconds(10))
        #expect(story.records.last == .selfTestFinished)
        story.press(.serviceKey)
        #expect(story.records.suffix(2) == [.serviceEnded, .alarmRaised(.cabinetOpen)])
    }

    @Test func `an emergency takes the gate from the mechanic`() {
        var story = Self.gate([])
        story.open(.serviceKey)
        story.wait(.seconds(3))
        story.close(.serviceKey)
        story.open(.fire)
        #expect(
            story.records.suffix(3) == [.emergencyStarted, .selfTestAborted, .serviceEnded])
        story.close(.fire)
        story.press(.emergencyResetKey)
        #expect(story.state == .locked)
    }

    @Test func `the mechanic waits until all is counted`() {
        var story = Story(equipment: .oneWay.with(outputs: .coinMeter))
        story.open(.serviceKey)
        story.wait(.milliseconds(2_200))
        story.insertCoin(pulses: 4)
        story.wait(.milliseconds(500))
        #expect(story.records.last == .deferred(.beginService, by: .serviceKey))
        story.wait(.seconds(2))
        #expect(story.records.contains(.serviceStarted(by: .serviceKey)))
    }

    @Test func `the mechanic waits for whoever the gate is released for`() {
        var story = Self.gate([])
        story.press(.releaseEntry)
        story.open(.serviceKey)
        story.wait(.seconds(4))
        story.close(.serviceKey)
        #expect(story.state == .released(.entry))
        story.wait(.seconds(1))
        #expect(
            story.records.suffix(2) == [.waitTimedOut(.entry), .serviceStarted(by: .serviceKey)])
    }

    @Test func `a lock that does not follow fails the self-test`() {
        var story = Self.gate([.lockFeedback])
        story.open(.serviceKey)
        story.wait(.milliseconds(3_500))
        #expect(story.records.contains(.selfTestFailed(.lockEntry)))
    }

    @Test func `a lock whose holding coil was cut is not driven before the repair`() {
        var story = Self.gate([])
        story.send(.outputCut(.lockEntryHold))
        story.press(.releaseEntry)
        #expect(!story.isOn(.lockEntry))
        story.press(.serviceKey)
        story.press(.releaseEntry)
        #expect(story.isOn(.lockEntry))
    }

    @Test func `a gate that is stopped takes no new policy`() {
        var story = Self.gate([.stop])
        story.open(.stop)
        story.send(.requested(.adopt(Story.policy { $0.price = 100 }), by: .settings))
        #expect(story.records.last == .policyDeferred)
        story.close(.stop)
        #expect(story.records.last == .policyChanged(by: .settings))
    }
}
