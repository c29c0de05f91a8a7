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
            line: .offset(6), activeLow: false, maximumOnTime: .seconds(30),
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
                        outputs: [.lockEntry: lock])))
    }

    @Test func theAnnotatedDefaultStatesEveryDefault() throws {
        let text = try String(decoding: Project.bytes(of: "config/turnstiled.yaml"), as: UTF8.self)
        let settings = try Settings.parse(text, file: "turnstiled.yaml")
        #expect(settings.policy == Policy(price: 150, coinUnit: 50))
        #expect(Set(settings.wiring.inputs.keys) == Set(Input.allCases))
        #expect(Set(settings.wiring.outputs.keys) == Set(Output.allCases))
        #expect(settings.wiring.outputs[.lockEntry]?.powerLoss == .failSafe)
        #expect(settings.wiring.outputs[.lockEntry]?.maximumOnTime == nil)

        // Without what it says of the roles, it says the same.
        let without = text.replacing(
            #/, (active_low|bias|debounce): [a-z0-9_]+/#, with: "")
        #expect(without.count < text.count)
        #expect(try Settings.parse(without, file: "turnstiled.yaml") == settings)
    }

    @Test func theOneForARaspberryPiIsRight() throws {
        let settings = try Settings.load(path: Project.folder + "config/raspberry-pi.yaml")
        #expect(settings.gate == "main-entrance")
        #expect(settings.wiring.chip == .label("pinctrl-bcm2711"))
        #expect(settings.wiring.inputs[.fire]?.line == .offset(25))
        #expect(settings.wiring.outputs[.coinInhibit]?.line == .offset(20))
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
