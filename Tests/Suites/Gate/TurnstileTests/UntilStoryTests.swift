import StateMachines
import Stories
import Testing

@testable import Turnstile

/// What was asked for until a time of day, and a clock that is set meanwhile. All that may come of
/// a clock that is set is in the table of `RetentionTests/UntilTests`.
@Suite struct UntilStoryTests {
    /// A gate at which somebody asked at 17:00 for a free way out until 18:00. It is 17:30.
    private static func story(_ edit: (inout Policy) -> Void = { _ in }) throws -> Story {
        var story = Story(Story.policy(edit), equipment: .twoWays)
        story.send(.clockRead(WeekTime(.monday, minute: 17 * 60)))
        let evening = try #require(TimeOfDay(minute: 18 * 60))
        #expect(story.ask(.setModeUntil(.exit, .free, evening)) == .done)
        story.wait(.seconds(1_800))
        return story
    }

    /// The clock of such a gate is set, and the local time is so many seconds ahead of before.
    private static func set(_ story: inout Story, by step: Duration, zone: Int = 0) {
        let half = Duration.seconds(WeekTime(.monday, minute: 17 * 60 + 30).second)
        let shown = half + step + .seconds(zone)
        let second = shown.components.seconds - (shown.components.attoseconds < 0 ? 1 : 0)
        story.send(.clockStepped(by: step))
        story.send(.clockRead(WeekTime(second: Int(second))))
    }

    private static func left(_ story: Story) -> Duration? {
        story.turnstile.retained.terms.exit?.until.map { $0 - story.now }
    }

    @Test(arguments: [1, 3, 4, 6, 7, 18_262, -1, -4, -7], [-20_000, -500, 0, 500, 20_000])
    func `whole days do not count, however exactly the clock is set`(
        days: Int, milliseconds: Int
    ) throws {
        var story = try Self.story()
        Self.set(&story, by: .seconds(days * 86_400) + .milliseconds(milliseconds))
        let left = try #require(Self.left(story))
        let more = left - .seconds(1_800) + .milliseconds(milliseconds)
        #expect(more >= .zero && more <= .seconds(1))
    }

    /// The clock of a board begins in another year, which may have another offset from UTC.
    @Test(arguments: [
        (70 * 60, -3_600, 20), (-50 * 60, 3_600, 20), (-20 * 60, 3_600, 0), (90 * 60, -3_600, 0),
    ]) func `what counts is the local time`(seconds: Int, zone: Int, left: Int) throws {
        for days in [0, 3, 4, 18_262] where days != 0 || seconds > 0 {
            var story = try Self.story()
            Self.set(&story, by: .seconds(days * 86_400 + seconds), zone: zone)
            let expected: Duration? = left == 0 ? nil : .seconds(left * 60)
            #expect(Self.left(story) == expected)
            #expect(story.isOn(.lockExit) == (left > 0))
        }
    }

    @Test func `schedule and operator follow a clock in one step`() throws {
        var night = ScheduleEntry(days: .all, from: 19 * 60, to: 23 * 60)
        night.exit = .locked
        var story = try Self.story { $0.schedule = [night] }
        let before = story.records.count
        Self.set(&story, by: .seconds(4 * 86_400 + 2 * 3_600))
        let changes = story.records.dropFirst(before).filter {
            if case .modeChanged = $0 { true } else { false }
        }
        #expect(changes == [.modeChanged(.exit, .locked, by: .schedule)])
    }

    @Test func `a time that is read before it was expected is the one that was asked for`() throws {
        var story = Story(equipment: .twoWays)
        // It is read in whole seconds: what is asked for ends 0.9 s late.
        story.wait(.milliseconds(900))
        story.send(.clockRead(WeekTime(.monday, minute: 17 * 60)))
        let evening = try #require(TimeOfDay(minute: 18 * 60))
        #expect(story.ask(.setModeUntil(.exit, .free, evening)) == .done)
        story.wait(.milliseconds(3_599_300))
        #expect(story.isOn(.lockExit))
        story.send(.clockRead(WeekTime(.monday, minute: 18 * 60)))
        #expect(!story.isOn(.lockExit))
    }

    @Test func `who asks at six for six has asked for tomorrow, over a restart too`() throws {
        let six = WeekTime(.monday, minute: 18 * 60)
        var story = Story(equipment: .twoWays)
        story.send(.clockRead(WeekTime(second: six.second + 10)))
        let evening = try #require(TimeOfDay(minute: 18 * 60))
        #expect(story.ask(.setModeUntil(.exit, .free, evening)) == .done)
        var next = story.restarted(after: .seconds(20))
        next.send(.clockRead(WeekTime(second: six.second + 30)))
        #expect(Self.left(next) == .seconds(86_370))
    }
}
