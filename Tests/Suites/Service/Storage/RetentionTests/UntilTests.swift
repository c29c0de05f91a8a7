import StateMachines
import Stories
import Testing

@testable import Retention
@testable import Turnstile

/// A mode until a time of day, and a clock that is set: while the service runs; while none runs,
/// for ten minutes of the same boot; and while the board is off for them.
@Suite struct UntilTests {
    /// A board, and the clock on its wall.
    private struct Board {
        var now: Instant
        /// What the clock is ahead of monotonic time, by UTC.
        var wallOffset: Duration
        /// What local time is ahead of UTC, in seconds.
        var utcOffset = 3_600

        /// On the day of 2024-01-01, a Monday.
        init(at minute: Int, _ now: Instant) {
            self.now = now
            let utc = Duration.seconds(1_704_067_200 + minute * 60 - 3_600)
            wallOffset = utc - (now - .zero)
        }

        var shown: WeekTime {
            let utc = (now - .zero + wallOffset).components.seconds
            // The first day of 1970 was a Thursday.
            return WeekTime(second: Int(utc) + utcOffset + 3 * 86_400)
        }

        /// The same, so much later, with its clock set by so much.
        func later(by wait: Duration, clockSetBy step: Duration = .zero) -> Board {
            var board = self
            board.now = now + wait
            board.wallOffset += step
            return board
        }

        /// The same moment, for a board that was switched on 20 s ago.
        var rebooted: Board {
            var board = self
            board.now = .zero + .seconds(20)
            board.wallOffset += now - board.now
            return board
        }

        /// How long the way out stays free, in minutes; 0 if it is not.
        func left(_ turnstile: Turnstile) -> Int {
            let until = turnstile.retained.terms.exit?.until
            #expect((turnstile.gate.regime.exit == .free) == (until != nil))
            let left = until.map { ($0 - now).components.seconds } ?? 0
            #expect(left % 60 == 0)
            return Int(left) / 60
        }

        /// The same for a service that starts now, and finds this.
        func left(_ state: RetainedState) -> Int {
            var turnstile = Turnstile(
                Beginning(
                    policy: Story.policy(), equipment: .twoWays, recovery: .known(state)))
            _ = turnstile.handle(Event(.clockRead(shown), at: now))
            _ = turnstile.handle(Event(.started([]), at: now))
            return left(turnstile)
        }

        /// What a service keeps, as a later one reads it.
        func kept(_ state: RetainedState) throws -> StateSlot {
            let slot = StateSlot(
                sequence: 1, bootID: "a", state: state, wallOffset: wallOffset,
                utcOffset: utcOffset, written: now)
            return try StateSlot(slot.bytes[...])
        }

        func recovered(_ slot: StateSlot) -> RetainedState {
            slot.stateOfThisBoot(at: now, wallOffset: wallOffset, utcOffset: utcOffset)
        }

        func recoveredAfterBoot(_ slot: StateSlot) -> RetainedState {
            slot.stateOfAnotherBoot(at: now, wallOffset: wallOffset, utcOffset: utcOffset)
        }
    }

    /// The service of a board at which somebody asks at this minute of the day for a free way out.
    private static func asked(
        at minute: Int, until end: Int
    ) throws -> (story: Story, board: Board) {
        var story = Story(equipment: .twoWays)
        let board = Board(at: minute, story.now)
        story.send(.clockRead(board.shown))
        let end = try #require(TimeOfDay(minute: end))
        #expect(story.ask(.setModeUntil(.exit, .free, end)) == .done)
        return (story, board)
    }

    /// By how much the clock is set, in seconds, and for how many minutes the mode goes on in each
    /// of the three cases. A board that was off cannot tell a clock that was set forward from time
    /// that passed.
    private static let table: [(step: Int, running: Int, restarted: Int, rebooted: Int)] = {
        let (minute, hour, day) = (60, 3_600, 86_400)
        let years = 18_262 * day
        return [
            (0, 30, 20, 20),
            (5 * minute, 25, 15, 15), (30 * minute, 0, 0, 0), (hour, 0, 0, 0),
            (day, 30, 20, 0), (day + hour, 0, 0, 0),
            (4 * day, 30, 20, 0), (4 * day + 2 * hour, 0, 0, 0), (4 * day + 5 * minute, 25, 15, 0),
            (7 * day, 30, 20, 0), (7 * day + hour, 0, 0, 0),
            (years, 30, 20, 0), (years + 5 * minute, 25, 15, 0), (years - 10 * hour, 0, 0, 0),
            (-5 * minute, 35, 25, 25), (-hour, 90, 80, 80),
            (-day, 30, 20, 20), (-day - hour, 90, 80, 80), (-day + hour, 1_410, 1_400, 1_400),
            (-4 * day, 30, 20, 20), (-4 * day - 2 * hour, 150, 140, 140),
            (-7 * day, 30, 20, 20), (-7 * day - hour, 90, 80, 80),
            (-years, 30, 20, 20), (-years - hour, 90, 80, 80),
        ]
    }()

    /// Asked for at 17:00 until 18:00. At 17:30 the clock is set, or the service ends.
    @Test(arguments: table) func `a mode ends when the clock next shows its time`(
        step: Int, running: Int, restarted: Int, rebooted: Int
    ) throws {
        var (story, board) = try Self.asked(at: 17 * 60, until: 18 * 60)
        story.wait(.seconds(1_800))
        board = board.later(by: .seconds(1_800))
        let slot = try board.kept(story.turnstile.retained)

        let next = board.later(by: .seconds(600), clockSetBy: .seconds(step))
        #expect(next.left(next.recovered(slot)) == restarted)
        #expect(next.rebooted.left(next.rebooted.recoveredAfterBoot(slot)) == rebooted)

        let now = board.later(by: .zero, clockSetBy: .seconds(step))
        if step != 0 { story.send(.clockStepped(by: .seconds(step))) }
        story.send(.clockRead(now.shown))
        #expect(now.left(story.turnstile) == running)
        story.wait(.seconds(running * 60))
        #expect(now.later(by: .seconds(running * 60)).left(story.turnstile) == 0)
    }

    /// Asked for at 1:45 until 2:30. At 1:50 the service ends, for twenty minutes.
    @Test(arguments: [(0, 20), (3_600, 0), (-3_600, 80)])
    func `it follows a change of summer time that no service has seen`(
        change: Int, left: Int
    ) throws {
        var (story, board) = try Self.asked(at: 105, until: 150)
        story.wait(.seconds(300))
        board = board.later(by: .seconds(300))
        let slot = try board.kept(story.turnstile.retained)
        var next = board.later(by: .seconds(1_200))
        next.utcOffset += change
        #expect(next.left(next.recovered(slot)) == left)
        #expect(next.rebooted.left(next.rebooted.recoveredAfterBoot(slot)) == left)
    }
}
