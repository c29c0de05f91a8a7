import Checkout
import Foundation
import Scenario
import Settings
import Testing

/// What is not as expected is told, and why.
@Suite struct PlayerTests {
    private func play(_ text: String) throws {
        let config = Checkout.root.appending(path: "config")
        let settings = try Settings.load(path: config.appending(path: "turnstiled.yaml").path)
        try Player.play(try Scenario(text, file: "a"), on: try VirtualStage(settings))
    }

    @Test(arguments: [
        "coin 100\nexpect record coin_accepted value=100\nexpect credit=100",
        "expect coin_inhibit on\nexpect fire off\nexpect status.state=locked",
        // The last within which it may come.
        "fire open\nexpect lock_entry on within 60ms",
        "coin 150\n0:08 expect record wait_timed_out within 0s",
        "coin 50\nexpect no record released for 10s",
        "ask set_mode direction=entry mode=free\nexpect answer done\nexpect entry.mode.value=free",
        // What comes a little late is in time.
        "+40ms coin 50\n0:00 expect credit=50",
        "fault fault_ext stuck\nexpect faults.fault=external faults.code=F1",
    ]) func `as expected`(text: String) { #expect(throws: Never.self) { try play(text) } }

    @Test(arguments: [
        ("coin 100\nexpect record coin_accepted value=50", "a:2:", "coin_accepted"),
        // In the order in which they are expected.
        (
            "coin 150\nexpect record released\nexpect record coin_accepted", "a:3:",
            "told was nothing"
        ),
        ("coin 150\nexpect no record released for 2s", "a:2:", "released"),
        // Since something was last done, whatever was expected and told since.
        (
            "coin 150\nexpect record coin_accepted\nexpect no record released for 1s", "a:3:",
            "told was credit_used"
        ),
        (
            "coin 50\n+2s coin 50\nexpect record coin_accepted\n"
                + "expect no record coin_accepted for 2s", "a:4:", "told was coin_accepted"
        ),
        ("expect credit=50", "a:1:", "credit is 0"),
        ("expect lock_entry on within 0s", "a:1:", "it is not so"),
        ("expect entry.authorisation=paid", "a:1:", "entry.authorisation is nothing"),
        ("ask reset_emergency\nexpect answer done", "a:2:", "refused"),
        ("expect answer done", "a:1:", "nobody has asked"),
        ("0:10 coin 50\n0:05 coin 50", "a:2:", "took until 10.0 s"),
        ("+60ms coin 50\n0:00 coin 50", "a:2:", "took until 0.0 s"),
        ("coin 50\nexpect credit=50\ncoin 50\nexpect record released within 1s", "a:4:", "value"),
    ]) func `not as expected`(text: String, place: String, reason: String) throws {
        let failure = try #require(throws: ScenarioError.self) { try play(text) }
        #expect(failure.description.hasPrefix(place), "\(failure)")
        #expect(failure.description.contains(reason), "\(failure)")
    }
}
