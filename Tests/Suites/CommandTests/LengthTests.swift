import ArgumentParser
import Testing

@testable import turnstilectl

/// Times on the command line.
@Suite struct LengthTests {
    @Test(arguments: [
        ("90s", 90), ("5min", 300), ("1h", 3600), ("1h30min", 5400), ("2d", 172_800),
        ("1d1s", 86_401),
    ]) func `a time is read`(text: String, seconds: Int) throws {
        #expect(try Length.read(text) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "0s", "5", "h", "1m", "5 min", "-1h", "1.5h", "30min1h", "1h1h", "1H", "999999999999d",
        "٣h",
    ]) func `what is no time is refused`(text: String) {
        #expect(throws: ValidationError.self) { try Length.read(text) }
    }

    @Test(arguments: [("0:00", 0), ("6:30", 390), ("06:30", 390), ("23:59", 1439)])
    func `a time of day is read`(text: String, minute: Int) throws {
        #expect(try TimeOfDay.read(text).minute == minute)
    }

    @Test(arguments: ["", "24:00", "6:60", "6", "6:3", "006:30", "-1:00", "6:30:00", "6pm", "6:٣٠"])
    func `what is no time of day is refused`(text: String) {
        #expect(throws: ValidationError.self) { try TimeOfDay.read(text) }
    }

    @Test(arguments: [
        (0, 18 * 3600, 18 * 3600), (17 * 3600, 18 * 3600, 3600), (18 * 3600, 18 * 3600, 86_400),
        (18 * 3600 + 1, 18 * 3600, 86_399),
    ]) func `until is today, or tomorrow where that is over`(now: Int, then: Int, wait: Int) {
        let time = TimeOfDay(minute: then / 60)
        let days = Duration.seconds(20_000 * 86_400)
        #expect(time.wait(from: days + .seconds(now)) { _ in 0 } == .seconds(wait))
        // Two hours ahead of UTC it is as much earlier there.
        let local = days + .seconds(now) - .seconds(7200)
        #expect(time.wait(from: local) { _ in 7200 } == .seconds(wait))
    }

    @Test(arguments: [(3600, 7200, 5), (7200, 3600, 7)])
    func `in the night in which the clock is put, a time has its own offset`(
        before: Int, after: Int, hours: Int
    ) {
        // The clock is put at 1:00 UTC; at midnight, local time, somebody says 6:00.
        let day = Duration.seconds(20_000 * 86_400)
        let wait = TimeOfDay(minute: 360).wait(from: day - .seconds(before)) {
            $0 < day + .seconds(3600) ? before : after
        }
        #expect(wait == .seconds(hours * 3600))
    }
}
