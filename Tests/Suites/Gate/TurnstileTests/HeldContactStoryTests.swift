import StateMachines
import Stories
import Testing

@testable import Turnstile

/// Contacts that nobody holds for long: one that stays active is told of, once.
@Suite struct HeldContactStoryTests {
    private static let limit = ContactWatch.limit

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
        #expect(Self.records(story) == [.contactStuck(.releaseEntry, for: Self.limit)])
        story.wait(Self.limit)
        #expect(Self.records(story).count == 1)
        story.close(.releaseEntry)
        #expect(
            Self.records(story).last == .contactAtRest(.releaseEntry, after: Self.limit * 2))
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
            Self.records(story) == [
                .contactStuck(.releaseEntry, for: Self.limit),
                .contactStuck(.releaseExit, for: Self.limit),
            ])
    }

    @Test func `a contact that is active at the start is counted from then on`() {
        var story = Story(levels: InputLevels(.releaseEntry))
        story.wait(Self.limit)
        #expect(Self.records(story) == [.contactStuck(.releaseEntry, for: Self.limit)])
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
        #expect(Self.records(story) == [.contactStuck(.emergencyResetKey, for: Self.limit)])
    }
}
