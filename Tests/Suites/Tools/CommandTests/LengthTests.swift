import ArgumentParser
import Testing
import Turnstile

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
}
