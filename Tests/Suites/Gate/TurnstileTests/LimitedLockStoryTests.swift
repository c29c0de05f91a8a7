import StateMachines
import Stories
import Testing

@testable import Turnstile

/// A fail-secure lock that is not rated for continuous duty: nobody who asks has it cut, and in an
/// emergency it opens again and again.
@Suite struct LimitedLockStoryTests {
    private static func limited(
        _ policy: Policy = Story.policy { $0.remoteService = .allowed },
        equipment: Equipment = .twoWays, duty: EmergencyDuty? = nil
    ) -> Story {
        Story(
            policy, equipment: equipment,
            maximumOnTimes: [.lockEntry: .seconds(60), .lockExit: .seconds(60)],
            emergencyDuties: duty.map { [.lockEntry: $0, .lockExit: $0] } ?? [:])
    }

    // MARK: Free ways

    @Test(arguments: Direction.allCases) func `nobody frees a way from afar that cannot be held`(
        direction: Direction
    ) {
        var story = Self.limited()
        let request = Request.setMode(direction, .free, until: story.now + .seconds(3600))
        #expect(story.ask(request) == .refused(.cannotHoldOpen))
        #expect(story.turnstile.gate.regime[direction] == .controlled)
        #expect(!story.isOn(direction.lock))
    }

    @Test func `a policy that frees it is refused, and one that has it free by its schedule`() {
        var story = Self.limited()
        var free = story.turnstile.gate.policy
        free.regime.exit = .free
        #expect(story.ask(.adopt(free)) == .refused(.cannotHoldOpen))
        var scheduled = story.turnstile.gate.policy
        var entry = ScheduleEntry(days: .all, from: 0, to: 1440)
        entry.entry = .free
        scheduled.schedule = [entry]
        #expect(story.ask(.adopt(scheduled)) == .refused(.cannotHoldOpen))
    }

    @Test func `a stop in service mode opens nothing for somebody who may but move`() {
        var story = Self.limited(
            Story.policy {
                $0.remoteService = .allowed
                $0.regime.entry = .free
            })
        #expect(story.ask(.beginService) == .done)
        #expect(!story.isOn(.lockEntry))
        story.open(.rotorA)
        story.open(.stop)
        #expect(!story.isOn(.lockEntry))
        // Somebody it was, and is not locked in.
        story.wait(.milliseconds(10))
        #expect(story.isOn(.lockEntry))
    }

    @Test func `a lock that can be held open is freed as ever`() {
        var story = Story(equipment: .twoWays)
        #expect(story.ask(.setMode(.exit, .free, until: nil)) == .done)
        #expect(story.isOn(.lockExit))
    }

    @Test func `a free way that was asked for before the lock was changed is not taken up`() {
        var before = RetainedState()
        before.terms.exit = Term(.free, by: Story.anna)
        let story = Story(
            equipment: .twoWays, maximumOnTimes: [.lockExit: .seconds(60)],
            recovery: .known(before))
        #expect(!story.isOn(.lockExit))
        #expect(story.records.contains(.refused(.setMode, by: Story.anna, .cannotHoldOpen)))
        #expect(story.turnstile.retained.terms.exit == nil)
    }

    // MARK: Emergencies

    @Test func `an emergency closes no lock for the rest of the one before`() {
        var story = Self.limited()
        story.open(.fire)
        story.wait(.seconds(61))
        #expect(!story.isOn(.lockEntry))
        story.close(.fire)
        story.press(.emergencyResetKey)
        story.press(.releaseEntry)
        story.turn(1)
        #expect(story.isOn(.lockEntry))
        story.open(.fire)
        #expect(story.isOn(.lockEntry))
    }

    // MARK: Service mode and tests

    @Test func `service mode keeps it engaged, and opens it for whoever is in the rotor`() {
        var story = Self.limited()
        #expect(story.ask(.beginService) == .done)
        #expect(!story.isOn(.lockEntry) && !story.isOn(.lockExit))
        story.turn(1)
        #expect(story.isOn(.lockEntry) && story.isOn(.lockExit))
        story.turn(2, 3, 0)
        #expect(!story.isOn(.lockEntry))
    }

    @Test func `a test takes half of its time at most, one after the other as well`() {
        var story = Self.limited()
        _ = story.ask(.beginService)
        #expect(story.ask(.test(.lockEntry, for: .seconds(31))) == .refused(.outOfRange))
        #expect(story.ask(.test(.lockEntry, for: .seconds(30))) == .done)
        story.wait(.seconds(20))
        #expect(story.ask(.test(.lockEntry, for: .seconds(11))) == .refused(.outOfRange))
        #expect(story.ask(.test(.lockEntry, for: .seconds(10))) == .done)
    }

    // MARK: Many in a row

    @Test func `many who are let pass in a row and do not come have it let go in between`() {
        var story = Self.limited(Story.policy { $0.maxStored = 50 })
        for _ in 0..<20 { _ = story.ask(.grant(.entry)) }
        var longest = Duration.zero
        var since: Instant?
        for _ in 0..<2000 {
            story.wait(.milliseconds(100))
            since = story.isOn(.lockEntry) ? since ?? story.now : nil
            longest = max(longest, since.map { story.now - $0 } ?? .zero)
        }
        #expect(longest <= .seconds(31))
        #expect(story.turnstile.gate.queue.total == 0)
        #expect(story.records.filter { $0 == .waitTimedOut(.entry) }.count == 20)
    }

    // MARK: Emergencies

    @Test func `in an emergency it opens, rests, and opens again, without a fault`() {
        var story = Self.limited(
            equipment: .oneWay, duty: EmergencyDuty(on: .seconds(20), off: .seconds(10)))
        story.open(.fire)
        #expect(story.isOn(.lockEntry))
        for _ in 0..<3 {
            story.wait(.milliseconds(19_999))
            #expect(story.isOn(.lockEntry))
            story.wait(.milliseconds(1))
            #expect(!story.isOn(.lockEntry))
            story.wait(.milliseconds(9_999))
            #expect(!story.isOn(.lockEntry))
            story.wait(.milliseconds(1))
            #expect(story.isOn(.lockEntry))
        }
        #expect(story.turnstile.gate.faults.up.isEmpty)
        #expect(story.status.description == "emergency, entry cannot be held open")
    }

    @Test func `where nothing is stated it is on and off for as long as it may be on`() {
        var story = Self.limited(equipment: .oneWay)
        story.open(.fire)
        story.wait(.seconds(60))
        #expect(!story.isOn(.lockEntry))
        story.wait(.seconds(60))
        #expect(story.isOn(.lockEntry))
    }

    @Test func `what was on before counts, and a cut in an emergency is a rest`() {
        var story = Self.limited(equipment: .oneWay)
        story.press(.releaseEntry)
        story.turn(1)
        story.wait(.seconds(50))
        story.open(.fire)
        #expect(story.isOn(.lockEntry))
        story.send(.onTimeWarning(.lockEntry))
        story.send(.outputCut(.lockEntry))
        #expect(!story.isOn(.lockEntry))
        #expect(!story.records.contains(.faultRaised(.energisedTooLong(.lockEntry))))
        story.wait(.seconds(60))
        #expect(story.isOn(.lockEntry))
    }

    @Test func `a lock that was cut on somebody opens in an emergency, once it has rested`() {
        var story = Self.limited(equipment: .oneWay)
        story.press(.releaseEntry)
        story.turn(1)
        story.send(.outputCut(.lockEntry))
        #expect(!story.isOn(.lockEntry))
        story.wait(.seconds(40))
        story.open(.fire)
        #expect(!story.isOn(.lockEntry))
        story.wait(.seconds(20))
        #expect(story.isOn(.lockEntry))
    }

    @Test func `a lock of continuous duty that was cut opens in an emergency as well`() {
        var story = Story()
        story.send(.outputCut(.lockEntry))
        story.wait(.seconds(60))
        story.open(.fire)
        #expect(story.isOn(.lockEntry))
    }
}
