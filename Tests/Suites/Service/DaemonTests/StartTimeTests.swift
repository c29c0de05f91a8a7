import Daemon
import System
import Testing

@testable import turnstile_simulator

/// What the clock of a simulated gate shows at the start.
@Suite struct StartTimeTests {
    /// Noon of some day, whatever the time zone is.
    private static let noon: Duration = {
        var time = LocalTime(at: .seconds(1_700_000_000))
        (time.hour, time.minute, time.second) = (12, 0, 0)
        return time.utc ?? .zero
    }()

    @Test(arguments: [("08:07", [8, 7, 0]), ("08:07:30", [8, 7, 30]), ("0:0", [0, 0, 0])])
    func `a time is that of the day`(text: String, clock: [Int]) throws {
        let start = try #require(StartTime(text, now: Self.noon))
        let (time, today) = (LocalTime(at: start.utc), LocalTime(at: Self.noon))
        #expect([time.hour, time.minute, time.second] == clock)
        #expect([time.year, time.month, time.day] == [today.year, today.month, today.day])
    }

    @Test(arguments: ["2026-12-11T08:07:30", "2026-12-11 08:07:30"])
    func `a date may come before it`(text: String) throws {
        let time = LocalTime(at: try #require(StartTime(text, now: Self.noon)).utc)
        #expect([time.year, time.month, time.day] == [2026, 12, 11])
        #expect([time.hour, time.minute, time.second] == [8, 7, 30])
    }

    @Test(arguments: ["", "8", "24:00", "08:60", "08:07:30:1", "+8:07", "2026-12T08:07", "08:07 "])
    func `what is no time is refused`(text: String) {
        #expect(StartTime(text, now: Self.noon) == nil)
    }

    @Test(arguments: [[], [""]])
    func `arguments that have not arrived start no simulated gate`(arguments: [String]) {
        #expect(throws: UsageError.self) { try Invocation(arguments) }
    }
}
