import StateMachines
import Stories
import Testing
import Turnstile

/// People who climb over the arm or creep under it, in view of the detector `intrusion`.
@Suite struct IntrusionStoryTests {
    private static func gate(_ edit: (inout Policy) -> Void = { _ in }) -> Story {
        Story(Story.policy(edit), equipment: Equipment.twoWays.with(.intrusion, outputs: .buzzer))
    }

    @Test func `whoever climbs over a locked gate sounds the siren for a while`() {
        var story = Self.gate()
        story.press(.intrusion)
        #expect(story.records.last == .alarmRaised(.intrusion))
        #expect(story.isOn(.alarm) && story.state == .locked && !story.isOn(.lockEntry))
        story.wait(.seconds(5))
        #expect(story.records.last == .alarmCleared(.intrusion))
        #expect(!story.isOn(.alarm))
    }

    @Test func `with weak enforcement the buzzer sounds in place of the siren`() {
        var story = Self.gate { $0.regime.enforcement = .weak }
        story.press(.intrusion)
        #expect(story.isOn(.buzzer) && !story.isOn(.alarm))
    }

    @Test func `whoever may pass, passes or has just passed may be seen`() {
        var story = Self.gate()
        story.press(.releaseEntry)
        story.press(.intrusion)
        story.turn(1)
        story.press(.intrusion)
        story.turn(2, 3, 0)
        #expect(story.records.last == .passageCompleted(.entry, .free))
        story.wait(.seconds(1))
        story.press(.intrusion)
        #expect(story.records.last == .passageCompleted(.entry, .free))
        story.wait(.seconds(1))
        story.press(.intrusion)
        #expect(story.records.last == .alarmRaised(.intrusion))
    }

    @Test func `where a direction is free anybody may be seen, unless the gate is stopped`() {
        var story = Self.gate { $0.regime.exit = .free }
        story.press(.intrusion)
        #expect(!story.records.contains(.alarmRaised(.intrusion)))
        story.open(.stop)
        story.press(.intrusion)
        #expect(story.records.last == .alarmRaised(.intrusion))
    }

    @Test func `nobody is an intruder in a gate that stands open`() {
        var story = Self.gate()
        story.open(.fire)
        story.press(.intrusion)
        story.close(.fire)
        story.press(.emergencyResetKey)
        story.open(.serviceKey)
        story.wait(.seconds(3))
        story.close(.serviceKey)
        #expect(story.turnstile.gate.service.isOn)
        story.press(.intrusion)
        #expect(!story.records.contains(.alarmRaised(.intrusion)))
    }

    @Test func `a detector that is active at the start, or cannot be read, stops nobody`() {
        var story = Story(
            equipment: .oneWay.with(.intrusion), levels: InputLevels(.intrusion))
        #expect(story.records == [.started])
        story.send(.lineFailed(.input(.intrusion), .unreadable))
        #expect(story.status.description == "locked, F15 line_unreadable")
        story.press(.releaseEntry)
        #expect(story.state == .released(.entry))
    }
}
