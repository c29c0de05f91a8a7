import Hardware
import Testing
import Turnstile

@testable import Settings

/// The files that come with the project, and what a short one leaves to the defaults.
@Suite struct GoodFilesTests {
    /// No more than what must be said.
    static let shortest = """
        hardware:
          chip: {label: board}
          inputs:
            rotor_a: {line: 1}
            rotor_b: {line: 2}
            fire: {line: 3}
            release_entry: {line: 4}
            emergency_reset_key: {line: 5}
          outputs:
            lock_entry: {line: 6, power_loss: fail_secure}
        """

    @Test func theShortestFileLeavesTheRestToTheDefaults() throws {
        let settings = try Settings.parse(Self.shortest, file: "gate.yaml")
        // Whoever says nothing of a lock has one that is not cut before the alarm.
        #expect(settings.warnings == [])
        func contact(_ offset: Int) -> InputLine {
            InputLine(
                line: .offset(offset), activeLow: true, bias: .pullUp,
                debounce: .milliseconds(100))
        }
        func sensor(_ offset: Int) -> InputLine {
            InputLine(
                line: .offset(offset), activeLow: true, bias: .pullUp, debounce: .milliseconds(5))
        }
        let fire = InputLine(
            line: .offset(3), activeLow: false, bias: .pullUp, debounce: .milliseconds(20))
        let lock = OutputLine(
            line: .offset(6), activeLow: false, maximumOnTime: .seconds(60),
            powerLoss: .failSecure)
        #expect(
            settings
                == Settings(
                    gate: "turnstile", policy: Policy(price: 1, coinUnit: 1),
                    wiring: Wiring(
                        chip: .label("board"),
                        inputs: [
                            .rotorA: sensor(1), .rotorB: sensor(2), .fire: fire,
                            .releaseEntry: contact(4), .emergencyResetKey: contact(5),
                        ],
                        outputs: [.lockEntry: lock]),
                    registerSnapshot: .seconds(4 * 3600),
                    ledger: "/var/lib/turnstiled/ledger.db"))
    }

    @Test func theWiringTellsWhatTheMachineNeedsToKnow() throws {
        let wiring = try Settings.parse(Self.shortest, file: "gate.yaml").wiring
        #expect(
            wiring.equipment
                == Equipment(
                    inputs: [.rotorA, .rotorB, .fire, .releaseEntry, .emergencyResetKey],
                    outputs: [.lockEntry]))
        #expect(wiring.debounce.count == 5)
        #expect(wiring.debounce[.fire] == .milliseconds(20))
        #expect(wiring.debounce[.releaseEntry] == .milliseconds(100))
    }

    @Test func theAnnotatedDefaultStatesEveryDefault() throws {
        let text = try String(decoding: Project.bytes(of: "config/turnstiled.yaml"), as: UTF8.self)
        let settings = try Settings.parse(text, file: "turnstiled.yaml")
        #expect(settings.policy == Policy(price: 150, coinUnit: 50))
        #expect(settings.registerSnapshot == .seconds(4 * 3600))
        #expect(settings.ledger == "/var/lib/turnstiled/ledger.db")
        #expect(settings.trace == TraceSettings())
        #expect(settings.wiring.equipment == .oneWay)
        #expect(settings.wiring.outputs[.lockEntry]?.powerLoss == .failSafe)
        #expect(settings.wiring.outputs[.lockEntry]?.maximumOnTime == nil)

        // Without what it says of the roles, it says the same.
        let without = text.replacing(
            #/, (active_low|bias|debounce): [a-z0-9_]+/#, with: "")
        #expect(without.count < text.count)
        #expect(try Settings.parse(without, file: "turnstiled.yaml") == settings)
    }

    @Test func theAnnotatedDefaultNamesEveryKeyAndRole() throws {
        let text = try String(decoding: Project.bytes(of: "config/turnstiled.yaml"), as: UTF8.self)
        let lines = text.split(separator: "\n")
        var names: Set<String> = []
        // A name may be that of a key in one section and of a role in another.
        func visit(_ entries: [SchemaEntry], in part: String) {
            for entry in entries {
                names.insert(entry.name)
                #expect(part.contains(entry.name), "\(entry.name): config/turnstiled.yaml")
                visit(entry.entries, in: part)
            }
        }
        for section in Schema.root.entries {
            let part = lines.drop { !$0.hasPrefix("\(section.name):") }.dropFirst()
                .prefix { $0.hasPrefix(" ") || $0.hasPrefix("#") }
            let isOffered = text.contains("\n#\(section.name):")
            visit(section.entries, in: isOffered ? text : part.joined(separator: "\n"))
        }
        #expect(names.count > 70)
    }

    @Test func whatTheAnnotatedDefaultOffersIsRight() throws {
        let text = try String(decoding: Project.bytes(of: "config/turnstiled.yaml"), as: UTF8.self)
        // Prose has a space after the mark, a key that is left out has none.
        let full = text.replacing(#/(?m)^( *)#(?=[a-z-])/#) { $0.output.1 }
        let settings = try Settings.parse(full, file: "turnstiled.yaml")
        // A lock with one coil has become one with two, and says the duty of the one still.
        let isPull = settings.warnings.map { $0.kind == .pullCoilContinuous }
        #expect(isPull == [true, true])
        #expect(settings.wiring.outputs.count == Output.allCases.count)
        #expect(
            settings.wiring.equipment.inputs == .all.subtracting([.init(.beamA), .init(.beamB)]))
        #expect(settings.policy.schedule.count == 2)
        #expect(settings.policy.coins[.second].values == .exact([1: 20, 3: 50]))
        #expect(settings.policy.coins[.third].values == .proportional(unit: 10))
    }

    @Test func theInstallationNamesEveryRole() throws {
        let text = try String(decoding: Project.bytes(of: "docs/installation.md"), as: UTF8.self)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .compactMap { $0.split(separator: "|").first }
        for name in Input.allCases.map(\.name) + Output.allCases.map(\.name) {
            #expect(rows.contains { $0.contains("`\(name)`") }, "\(name): docs/installation.md")
        }
    }

    @Test func theTwoWayGateHasEverything() throws {
        let settings = try Settings.load(path: Project.folder + "config/two-way.yaml")
        #expect(settings.wiring.outputs.count == Output.allCases.count)
        #expect(
            settings.wiring.equipment.inputs
                == .all.subtracting([.init(.beamA), .init(.beamB), .init(.coinPulse3)]))
        #expect(settings.policy.meterUnit == 10)
        #expect(settings.policy.coins[.second].values == .exact([1: 10, 2: 20, 5: 100]))
        #expect(settings.policy.coins[.second].pulseWidth == .milliseconds(25))
        #expect(settings.policy.coins[.second].stuckAfter == .seconds(1))

        func regime(_ day: Weekday, _ hour: Int) -> Regime {
            settings.policy.regime(at: WeekTime(day, minute: hour * 60))
        }
        #expect(regime(.monday, 8) == Regime(exit: .locked))
        #expect(regime(.friday, 18) == Regime(exit: .free))
        #expect(regime(.saturday, 8) == Regime(enforcement: .weak))
        #expect(regime(.saturday, 18) == Regime(enforcement: .weak))
        #expect(regime(.sunday, 23) == Regime(entry: .locked, exit: .free))
        #expect(regime(.monday, 4) == Regime(entry: .locked, exit: .free))
        #expect(regime(.monday, 5) == Regime())
    }

    /// The schedule of a file that says this of it, under a gate with everything.
    private func schedule(_ entry: String) throws -> [ScheduleEntry] {
        let text = "schedule: [{\(entry), entry: locked}]\n" + Self.shortest
        return try Settings.parse(text, file: "gate.yaml").policy.schedule
    }

    @Test(
        arguments: [
            ("mon", [.monday]), ("[mon, wed]", [.monday, .wednesday]),
            ("[mon-tue, sun]", [.monday, .tuesday, .sunday]),
            ("fri-mon", [.friday, .saturday, .sunday, .monday]), ("sun-sun", [.sunday]),
            ("mon-sun", Weekday.allCases), ("all", Weekday.allCases),
        ] as [(String, [Weekday])])
    func daysAreNamedInEachWay(written: String, days: [Weekday]) throws {
        let entries = try schedule("days: \(written), from: 06:00, to: 24:00")
        #expect(entries.map(\.days) == [Weekdays(days)])
    }

    @Test(arguments: [("24:00", 1440), ("00:00", 1440), ("05:30", 330), ("06:00", 360)])
    func aTimeMayEndOnTheNextDay(written: String, minute: Int) throws {
        let entries = try schedule("days: all, from: 06:00, to: \(written)")
        #expect(entries.map(\.from) == [360])
        #expect(entries.map(\.to) == [minute])
    }

    @Test func creditMayLastForEver() throws {
        let text = "passage: {credit_expiry: 0s}\n" + Self.shortest
        #expect(try Settings.parse(text, file: "gate.yaml").policy.creditExpiry == .zero)
    }

    @Test func anAcceptorIsAsTheFirstWhereItSaysNothing() throws {
        let text =
            "coin: {values: {1: 20, 255: 100}, train_quiet: 300ms, second: {pulse_width: 25ms}, "
            + "third: {unit: 5}}\n" + Self.shortest
        let policy = try Settings.parse(text, file: "gate.yaml").policy
        #expect(policy.coins[.first].values == .exact([1: 20, 255: 100]))
        #expect(policy.coins[.second].values == .exact([1: 20, 255: 100]))
        #expect(policy.coins[.second].pulseWidth == .milliseconds(25))
        #expect(policy.coins[.second].trainQuiet == .milliseconds(300))
        #expect(policy.coins[.third].values == .proportional(unit: 5))
        #expect(policy.coins[.third].pulseWidth == .milliseconds(50))
    }

    @Test func theOneForARaspberryPiIsRight() throws {
        let settings = try Settings.load(path: Project.folder + "config/raspberry-pi.yaml")
        #expect(settings.gate == "main-entrance")
        #expect(settings.wiring.chip == .label("pinctrl-bcm2711"))
        #expect(settings.wiring.inputs[.fire]?.line == .offset(25))
        #expect(settings.wiring.outputs[.coinEnable]?.line == .offset(20))
    }

    @Test func chipsAndLinesAreFoundInEachWay() throws {
        let text = Self.shortest
            .replacing("{line: 1}", with: "{line: ROTOR_A, chip: {name: gpiochip1}}")
            .replacing("{line: 2}", with: "{line: '2', chip: {path: /dev/gpiochip2}}")
        let inputs = try Settings.parse(text, file: "gate.yaml").wiring.inputs
        #expect(inputs[.rotorA]?.chip == .name("gpiochip1"))
        #expect(inputs[.rotorA]?.line == .name("ROTOR_A"))
        #expect(inputs[.rotorB]?.chip == .path("/dev/gpiochip2"))
        #expect(inputs[.rotorB]?.line == .name("2"))
        #expect(inputs[.fire]?.chip == nil)
    }

    @Test func oneOffsetOnTwoChipsIsTwoLines() throws {
        let text = Self.shortest.replacing(
            "{line: 1}", with: "{line: 2, chip: {label: other}}")
        #expect(problems(text) == [])
    }

    @Test(arguments: ["\r\n", "\n"])
    func eitherEndOfLineWillDo(end: String) throws {
        let text = "\u{FEFF}" + Self.shortest.replacing("\n", with: end)
        #expect(problems(text) == [])
    }

    @Test func positionsCountLettersAndNotBytes() {
        let text = "gate: {name: München, nmae: x}\n" + Self.shortest
        #expect(problems(text) == ["1:23: unknown key 'nmae' in 'gate' (did you mean 'name'?)"])
    }

    @Test func aDurationMayBeWrittenInAnyUnitThatFits() throws {
        for written in ["60s", "60000ms", "1min"] {
            let settings = try Settings.parse(
                "passage: {pass_wait: \(written)}\n"
                    + Self.shortest.replacing("fail_secure", with: "fail_secure, max_on: 2min"),
                file: "gate.yaml")
            #expect(settings.policy.passWait == .seconds(60))
            #expect(settings.wiring.outputs[.lockEntry]?.maximumOnTime == .seconds(120))
        }
    }
}
