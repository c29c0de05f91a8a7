import Moves
import Settings
import SimulatedHardware
import StateMachines
import Testing
import Turnstile

@testable import Scenario

/// What lines say, and what is wrong with them.
@Suite struct ReadingTests {
    @Test(arguments: [
        ("coin 50", World.Event.coinInserted(value: 50)),
        ("coin 150 2", .coinInserted(value: 150, into: .second)),
        ("fish 3", .coinFished(pulses: 3)), ("strike 3", .acceptorStruck(.third)),
        ("push entry", .armPushed(.entry)), ("force exit", .armForced(.exit)),
        ("tailgate entry", .tailgated(.entry)), ("let-go", .armLetGo), ("stand", .stoodStill),
        ("back-out", .steppedBack()), ("raise-arm", .armRaised),
        ("fire open", .contactMoved(.fire, isActive: true)),
        ("fire closed", .contactMoved(.fire, isActive: false)),
        ("contact vault_door on", .contactMoved(.vaultDoor, isActive: true)),
        ("press release_entry", .contactPressed(.releaseEntry)),
        ("press service_key 4s", .contactPressed(.serviceKey, for: .seconds(4))),
        ("disturb on 20ms", .sensorsDisturbed(isActive: true, for: .milliseconds(20))),
        ("fault rotor_a dead", .defectAppeared(.brokenWire(.rotorA))),
        ("fault coin_pulse jammed", .defectAppeared(.jammedAcceptor(.first))),
        ("fault lock_exit jammed", .defectAppeared(.jammedBolt(.exit))),
        ("fault lock_entry undrivable", .defectAppeared(.undrivable(.lockEntry))),
        ("fault arm bent", .defectAppeared(.bentArm)), ("repair", .everythingRepaired),
        ("repair rotor_b stuck", .defectRepaired(.stuckActive(.rotorB))),
        ("lose 3", .queueOverflowed(edges: 3)), ("miss rotor_a", .edgeMissed(.rotorA)),
    ]) func `a move is`(words: String, event: World.Event) throws {
        let all = Equipment(inputs: Input.allCases, outputs: Output.allCases)
        #expect(try Move.event(words, wired: all) == event)
    }

    @Test(arguments: [
        ("coin 50 2", "coin_pulse_2"), ("press release_exit", "release_exit"),
        ("contact vault_full on", "vault_full"), ("fault lock_exit jammed", "lock_exit"),
        ("miss vault_door", "vault_door"), ("repair buzzer stuck", "buzzer"),
    ]) func `what is not wired cannot be moved`(words: String, line: String) throws {
        let problem = try #require(throws: WordError.self) {
            try Move.event(words, wired: .oneWay)
        }
        #expect(problem.message.hasPrefix("no \(line) is wired at this gate, which has "))
        let kind = line == "lock_exit" || line == "buzzer" ? "lock_entry" : "rotor_a"
        #expect(problem.message.contains(kind), "what is wired is named")
    }

    @Test(arguments: Move.allCases) func `a move begins with its word`(move: Move) {
        #expect(move.usage.hasPrefix(move.rawValue) && !move.summary.isEmpty)
    }

    @Test(arguments: [
        ("coins 50", "1:1: 'coins' is not anything that a line may do", "did you mean 'coin'?"),
        ("coin", "1:6: an amount is missing", ""),
        (
            "coin 0.50",
            "1:6: '0.50' is not an amount: allowed is 1 to 100000, in minor units of the currency: "
                + "write 50", ""
        ),
        ("coin 0", "1:6: '0' is not an amount: allowed is 1 to 100000", ""),
        ("coin 50 4", "1:9: '4' is not an acceptor: allowed is 1 to 3", ""),
        ("coin 50 1 now", "1:11: 'now' is one word too many", ""),
        ("push entri", "1:6: 'entri' is not a name of direction", "did you mean 'entry'?"),
        ("fire burns", "1:6: 'burns' is not 'open' or 'closed'", ""),
        ("fault rotor_a undrivable", "1:15:", "dead, stuck, unreadable"),
        ("fault rotor_c dead", "1:7:", "did you mean 'rotor_a'?"),
        ("press service_key 4", "1:19: 4 has no unit", "did you mean 4s?"),
        ("press service_key 2h", "1:19:", "1ms to 1h"),
        ("+2 coin 50", "1:1: 2 has no unit", ""), ("5s coin 50", "1:1: '5s' is not a time", ""),
        ("0:60 coin 50", "1:1: '0:60' is not a time", ""),
        ("-1:00 coin 50", "1:1: '-1:00' is not", ""),
        ("ask grant direction=entry for 1min", "1:27: 'for' is one word too many", ""),
        ("ask set_mode direction=entry until_nsec=5", "1:5:", "write 'for 1min' behind it"),
        ("ask test output=alarm duration_usec=5", "1:5:", "write 'for 1min' behind it"),
        ("expect", "1:8: what is expected is missing", ""),
        ("expect record coin_acepted", "1:15:", "did you mean 'coin_accepted'?"),
        ("expect record coin_accepted valu=50", "1:29:", "did you mean 'value'?"),
        ("expect record started value=50", "1:23: 'value' is not a field", ""),
        ("expect no coin", "1:11: 'record' is missing", ""),
        ("expect no record started", "1:26: 'for' is missing", ""),
        ("expect lock_entry up", "1:19: 'up' is not 'on' or 'off'", ""),
        ("expect locked", "1:8: 'locked' is not anything that may be expected", ""),
        ("expect entry.mod=free", "1:8:", "did you mean 'mode'?"),
        ("expect answer yes", "1:15:", "done, deferred, refused"),
        ("expect answer done within 5s", "1:20: 'within' is one word too many", ""),
        ("ask grant", "1:5: direction: the field is missing", ""),
        ("ask grnt direction=entry", "1:5:", "did you mean 'grant'?"),
        ("ask grant direction=up", "1:5: direction: 'up' is not one of entry, exit", ""),
        ("coin 50\nsettings x.yaml", "2:1: 'settings' is not anything that a line may do", ""),
        ("# nothing\n\n", "nothing is done", ""),
        ("coin\u{A0}50", "1:5: U+00A0 is no blank here", ""),
        ("push\u{2003}entry", "1:5: U+2003 is no blank here", ""),
        ("coin \u{1B}[2J", "1:6: '\\u{1B}[2J'", ""),
    ]) func `a mistake is told with its place`(text: String, start: String, end: String) throws {
        let error = try #require(throws: ScenarioError.self) {
            try Scenario(text, file: "a.scenario")
        }
        #expect(
            error.description.hasPrefix("a.scenario:\(start)") || start == "nothing is done",
            "\(error)")
        #expect(error.description.contains(start) && error.description.contains(end), "\(error)")
    }

    @Test func `every mistake is told`() throws {
        let error = try #require(throws: ScenarioError.self) {
            try Scenario("coin\npush\nstand", file: "a")
        }
        guard case .mistakes(let mistakes, "a") = error else {
            Issue.record("\(error)")
            return
        }
        #expect(mistakes.map(\.position?.line) == [1, 2])
    }

    @Test func `times, comments and settings are read`() throws {
        let scenario = try Scenario(
            "# A\u{A0}day.\n settings  two-way.yaml # it\r\n\tcoin 50 # a coin\n+5s\n1:02:03 stand",
            file: "a")
        #expect(scenario.settings == "two-way.yaml")
        #expect(scenario.steps.map(\.line) == [3, 4, 5])
        #expect(
            scenario.steps.map(\.time) == [
                .after(.zero), .after(.seconds(5)), .at(.seconds(3_723)),
            ])
        #expect(
            scenario.steps.map(\.action) == [
                .move(WrittenMove(words: "coin 50", event: .coinInserted(value: 50))), .wait,
                .move(WrittenMove(words: "stand", event: .stoodStill)),
            ])
    }

    @Test func `what may end is asked for a time`() throws {
        let scenario = try Scenario(
            "ask set_mode direction=exit mode=free for 1min\nask set_enforcement\n"
                + "ask test output=alarm for 5s\nask test output=alarm", file: "a")
        #expect(
            scenario.steps.map(\.action) == [
                .ask(.setMode(.exit, .free, until: nil), for: .seconds(60)),
                .ask(.setEnforcement(nil, until: nil), for: nil),
                .ask(.test(.alarm), for: .seconds(5)), .ask(.test(.alarm), for: nil),
            ])
        let now = Instant.zero + .seconds(9)
        #expect(
            Request.test(.alarm).lasting(.seconds(5), from: now)
                == .test(.alarm, for: .seconds(5)))
        #expect(
            Request.setMode(.exit, .free, until: nil).lasting(.seconds(5), from: now)
                == .setMode(.exit, .free, until: now + .seconds(5)))
    }
}
