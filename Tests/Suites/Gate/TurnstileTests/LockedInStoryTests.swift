import StateMachines
import Stories
import Testing
import Turnstile

/// Nobody is locked in: what happens to whoever is in the rotor when the gate is taken away.
@Suite struct LockedInStoryTests {
    private static func freeExit() -> Story {
        Story(Story.policy { $0.regime.exit = .free }, equipment: .twoWays)
    }

    @Test func `the stop contact lets whoever passes freely finish, wherever they are`() {
        var story = Self.freeExit()
        story.turn(3, 2, 3)
        story.open(.stop)
        #expect(story.state == .stopped)
        #expect(story.isOn(.lockExit))
        story.turn(0)
        #expect(!story.isOn(.lockExit))
        #expect(!story.records.contains(.passageCompleted(.exit, .free)))
    }

    @Test func `whoever set out while the gate was blocked is on the way once it is free`() {
        var story = Self.freeExit()
        story.open(.stop)
        story.turn(3)
        story.close(.stop)
        #expect(story.records.last == .passageStarted(.exit))
        story.open(.externalFault)
        #expect(story.isOn(.lockExit))
        story.turn(2, 1, 0)
        #expect(story.records.contains(.passageCompleted(.exit, .free)))
        #expect(!story.isOn(.lockExit))
    }

    @Test func `who leans the free way while somebody else is let in again is not locked in`() {
        var story = Self.freeExit()
        story.press(.releaseEntry)
        story.open(.stop)
        story.turn(3)
        story.close(.stop)
        #expect(story.isOn(.lockEntry))
        story.open(.externalFault)
        #expect(story.isOn(.lockExit))
        story.turn(2, 1, 0)
        #expect(!story.isOn(.lockExit))
        #expect(story.records.contains(.passageCompleted(.exit, .free)))
    }

    @Test func `a lost track in a free gate holds it open until the rotor is home`() {
        var story = Self.freeExit()
        story.send(.edgesLost(InputLevels(.rotorA)))
        story.open(.externalFault)
        #expect(story.isOn(.lockExit))
        story.send(.edgesLost([InputLevels(.externalFault)]))
        story.wait(story.turnstile.gate.policy.rotorStep)
        #expect(!story.isOn(.lockExit))
        #expect(story.records.contains(.passageLost(.exit, .free)))
    }

    @Test func `a lock that is cut locks in nobody who is free the other way`() {
        var story = Self.freeExit()
        story.press(.releaseEntry)
        story.turn(3)
        story.send(.outputCut(.lockEntry))
        #expect(!story.isOn(.lockEntry) && story.isOn(.lockExit))
        story.turn(2, 1, 0)
        #expect(story.records.contains(.passageCompleted(.exit, .free)))
        #expect(!story.isOn(.lockExit))
    }

    @Test func `the key lets out whoever a lock was cut on`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.turn(1)
        story.send(.onTimeWarning(.lockEntry))
        #expect(
            story.records.suffix(2) == [
                .onTimeWarning(.lockEntry), .alarmRaised(.passageDelayed),
            ])
        story.send(.outputCut(.lockEntry))
        #expect(!story.isOn(.lockEntry))
        story.press(.serviceKey)
        #expect(story.isOn(.lockEntry))
        story.turn(2, 3, 0)
        #expect(story.records.contains(.passageCompleted(.entry, .paid)))
        #expect(story.records.last == .alarmCleared(.passageDelayed))
        #expect(story.state == .locked)
    }

    @Test func `a warning about a lock that nobody needs is a record alone`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.send(.onTimeWarning(.lockEntry))
        #expect(story.latest.compactMap(\.record) == [.onTimeWarning(.lockEntry)])
        story.turn(1, 2)
        story.send(.onTimeWarning(.lockEntry))
        #expect(story.latest.compactMap(\.record) == [.onTimeWarning(.lockEntry)])
    }

    @Test func `who stands in the rotor the other way is an alarm, until it is home`() {
        var story = Story()
        story.press(.releaseEntry)
        story.turn(3)
        story.wait(.seconds(30))
        #expect(story.records.last == .alarmRaised(.passageDelayed))
        story.turn(0)
        #expect(story.records.contains(.alarmCleared(.passageDelayed)))
    }

    @Test func `a new policy says how long somebody may stand in a locked rotor`() {
        var story = Story()
        story.send(
            .requested(.adopt(Story.policy { $0.passDelayAlarm = .seconds(10) }), by: .settings))
        story.turn(1)
        story.wait(.seconds(10))
        #expect(story.records.last == .alarmRaised(.passageDelayed))
    }

    @Test func `who stands there as the lock is cut soon is an alarm at once`() {
        var story = Story()
        story.press(.releaseEntry)
        story.turn(3)
        story.send(.onTimeWarning(.lockEntry))
        #expect(story.records.last == .alarmRaised(.passageDelayed))
    }

    @Test func `an alarm about somebody goes on when they are let in where they stand`() {
        var story = Story()
        story.turn(1)
        story.wait(.seconds(30))
        #expect(story.records.last == .alarmRaised(.passageDelayed))
        story.press(.releaseEntry)
        #expect(story.turnstile.gate.lane.isOccupied)
        #expect(story.isOn(.alarm))
        story.turn(2, 3, 0)
        #expect(story.records.last == .alarmCleared(.passageDelayed))
    }

    @Test func `the stop contact ends service mode once the mechanic is out of the rotor`() {
        var story = Story(equipment: .twoWays)
        story.open(.serviceKey)
        story.wait(.seconds(3))
        story.close(.serviceKey)
        story.turn(1)
        #expect(story.records.suffix(2) == [.serviceStarted(by: .serviceKey), .selfTestAborted])
        story.open(.stop)
        #expect(story.state == .stopped)
        #expect(story.isOn(.lockEntry) && story.isOn(.lockExit))
        story.turn(2, 3, 0)
        #expect(!story.isOn(.lockEntry) && !story.isOn(.lockExit))
        #expect(story.records.suffix(2) == [.passageCompleted(.entry, .service), .serviceEnded])
    }

    @Test func `a loop that could not be read stays an emergency until the repair`() {
        var story = Story(Story.policy { $0.fireReset = .auto })
        story.open(.fire)
        story.send(.lineFailed(.input(.fire), .unreadable))
        story.close(.fire)
        story.press(.serviceKey)
        #expect(story.state == .emergency)
        #expect(story.records.last == .refused(.confirmRepair, by: .serviceKey, .causePresent))
        story.send(.lineRecovered(.input(.fire)))
        #expect(story.state == .emergency)
        story.press(.serviceKey)
        #expect(story.state == .locked)
    }

    @Test func `a debounced edge keeps its time when the clock of the state is moved`() {
        var story = Story(debounce: [.fire: .milliseconds(20)])
        story.open(.fire)
        var moved = story.turnstile
        moved.shiftInstants(by: .seconds(5))
        #expect(moved.deadline == story.turnstile.deadline.map { $0 + .seconds(5) })
    }

    @Test func `without a window for late coins nothing is left to wait for`() {
        var story = Story(Story.policy { $0.lateCoinWindow = .zero })
        story.press(.releaseEntry)
        #expect(story.turnstile.deadline.map { $0 > story.now } == true)
        story.open(.coinPulse)
        story.wait(.milliseconds(50))
        story.close(.coinPulse)
        story.wait(.milliseconds(200))
        #expect(story.records.contains(.coinInhibited(Story.coin(pulses: 1))))
    }
}
