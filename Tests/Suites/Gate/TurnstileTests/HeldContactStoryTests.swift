import StateMachines
import Stories
import Testing

@testable import Turnstile

/// Contacts that nobody holds for long: one that stays active is told of, once.
@Suite struct HeldContactStoryTests {
    private static let limit = Policy.blank.contactStuckAfter

    private static func records(_ story: Story) -> [Record] {
        story.records.filter {
            switch $0 {
            case .contactStuck, .contactAtRest: true
            case _: false
            }
        }
    }

    @Test func `a contact that sticks is told of once, and that it is at rest again`() {
        var story = Story()
        story.open(.releaseEntry)
        story.wait(Self.limit - .milliseconds(1))
        #expect(Self.records(story) == [])
        story.wait(.milliseconds(1))
        #expect(Self.records(story) == [.contactStuck(.releaseEntry)])
        story.wait(Self.limit)
        #expect(Self.records(story).count == 1)
        story.close(.releaseEntry)
        #expect(Self.records(story).last == .contactAtRest(.releaseEntry))
    }

    @Test func `a contact that is let go in time is nothing, however often it is pressed`() {
        var story = Story()
        for _ in 0..<3 {
            story.open(.emergencyResetKey)
            story.wait(Self.limit - .seconds(1))
            story.close(.emergencyResetKey)
            story.wait(.seconds(2))
        }
        #expect(Self.records(story) == [])
    }

    @Test func `each contact has its own time`() {
        var story = Story(equipment: .twoWays)
        story.open(.releaseEntry)
        story.wait(.seconds(60))
        story.open(.releaseExit)
        story.wait(Self.limit)
        #expect(
            Self.records(story) == [.contactStuck(.releaseEntry), .contactStuck(.releaseExit)])
    }

    @Test func `a contact that is active at the start is counted from then on`() {
        var story = Story(levels: InputLevels(.releaseEntry))
        story.wait(Self.limit)
        #expect(Self.records(story) == [.contactStuck(.releaseEntry)])
    }

    @Test func `the policy says how long, or that nobody is to be told`() {
        var story = Story(Story.policy { $0.contactStuckAfter = .seconds(10) })
        story.open(.releaseEntry)
        story.wait(.seconds(10))
        #expect(Self.records(story) == [.contactStuck(.releaseEntry)])
        story = Story(Story.policy { $0.contactStuckAfter = .zero })
        story.open(.releaseEntry)
        story.wait(.seconds(100_000))
        story.close(.releaseEntry)
        #expect(Self.records(story) == [])
    }

    @Test func `a new policy counts for what is held already, from then on`() {
        var story = Story(Story.policy { $0.contactStuckAfter = .zero })
        story.open(.emergencyResetKey)
        story.wait(.seconds(60))
        var policy = Story.policy { $0.contactStuckAfter = .seconds(20) }
        story.send(.requested(.adopt(policy), by: .settings))
        story.wait(.seconds(10))
        // The same once more is no other.
        policy.alarmHold = .seconds(9)
        story.send(.requested(.adopt(policy), by: .settings))
        story.wait(.seconds(9))
        #expect(Self.records(story) == [])
        story.wait(.seconds(1))
        #expect(Self.records(story) == [.contactStuck(.emergencyResetKey)])
    }

    @Test func `what stays as it is by its nature is not stuck`() {
        var story = Story(equipment: .twoWays.with(.cabinetTamper))
        for input in [Input.stop, .serviceKey, .cabinetTamper] { story.open(input) }
        story.wait(Self.limit * 2)
        #expect(Self.records(story) == [])
    }

    @Test func `it lasts over whatever else happens, and is reported as due`() {
        var story = Story()
        story.open(.emergencyResetKey)
        story.open(.fire)
        story.wait(.seconds(60))
        story.close(.fire)
        let due = story.turnstile.report().due.filter { $0.reason == .contactStuck }
        #expect(due.map(\.time) == [story.now - .seconds(60) + Self.limit])
        story.wait(Self.limit)
        #expect(Self.records(story) == [.contactStuck(.emergencyResetKey)])
    }
}
