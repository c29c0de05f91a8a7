import Foundation
import GPIOHardware
import Hardware
import Settings
import Testing
import Turnstile

@testable import turnstiled

/// What `--check-config` says of lines, with a board that is made up.
@Suite struct SettingsCheckTests {
    private static let text = """
        hardware:
          chip: {label: board}
          inputs:
            rotor_a: {line: ROTOR_A}
            rotor_b: {line: ROTOR_B}
            fire: {line: 3}
            release_entry: {line: RELEASE, chip: {name: gpiochip1}}
            stop: {line: STOP, chip: {name: gpiochip1}}
            emergency_reset_key:
              line: 5
          outputs:
            lock_entry: {line: 6, power_loss: fail_secure}
        """

    private let placed: PlacedSettings

    init() throws {
        placed = try PlacedSettings(Array(Self.text.utf8), file: "gate.yaml") { _ in false }
    }

    /// A board that has all, but for what `change` does to it.
    private func survey(_ change: (inout LineSurvey) -> Void = { _ in }) -> LineSurvey {
        let wiring = placed.settings.wiring
        let lines = wiring.lines.map { line in
            (line, Result<LineSurvey.Found, HardwareError>.success(.init("line of \(line)")))
        }
        var survey = LineSurvey(
            chips: [.label("board"): .success("board"), .name("gpiochip1"): .success("other")],
            lines: Dictionary(uniqueKeysWithValues: lines))
        change(&survey)
        return survey
    }

    private func problems(_ change: (inout LineSurvey) -> Void) -> [String] {
        let check = SettingsCheck(placed, survey(change))
        return check.problems.map { "\($0.position?.description ?? ""): \($0.message)" }
    }

    @Test func `a board that has all is well, whether the service runs or not`() {
        for holder in [nil, "turnstiled"] {
            let check = SettingsCheck(
                placed,
                survey { survey in
                    for line in survey.lines.keys {
                        survey.lines[line] = .success(.init("line of \(line)", holder: holder))
                    }
                })
            #expect(check.problems == [] && check.remark == nil)
        }
    }

    @Test func `a line that is not there is named where the file says it`() {
        #expect(
            problems {
                $0.lines[.input(.fire)] = .failure(.init(.misconfigured, "no line 3"))
                $0.lines[.input(.emergencyResetKey)] = .failure(.init(.misconfigured, "no line 5"))
            } == [
                "6:18: hardware.inputs.fire.line: no line 3",
                "10:13: hardware.inputs.emergency_reset_key.line: no line 5",
            ])
    }

    @Test func `a line that somebody else has is an error, whoever it is`() {
        #expect(
            problems {
                $0.lines[.output(.lockEntry)] = .success(.init("line 6", holder: "spi0 CS0"))
                $0.lines[.input(.fire)] = .success(.init("line 3", holder: ""))
            } == [
                "6:18: hardware.inputs.fire.line: line 3 is held by an unnamed program: "
                    + "end that program, take its driver out of the device tree, or choose another "
                    + "line",
                "12:24: hardware.outputs.lock_entry.line: line 6 is held by \"spi0 CS0\": end that "
                    + "program, take its driver out of the device tree, or choose another line",
            ])
    }

    @Test func `one line by name and by offset is found out`() {
        #expect(
            problems { $0.lines[.input(.rotorB)] = $0.lines[.input(.rotorA)] } == [
                "5:21: hardware.inputs.rotor_b.line: line of rotor_a is also the line of 'rotor_a'"
            ])
    }

    @Test func `a chip that is not there is told of once, its lines not at all`() {
        let missing = HardwareError(.missing, "there is none")
        #expect(
            problems { survey in
                survey.chips[.name("gpiochip1")] = .failure(missing)
                survey.lines[.input(.releaseEntry)] = .failure(missing)
                survey.lines[.input(.stop)] = .failure(missing)
            } == ["7:49: hardware.inputs.release_entry.chip.name: there is none"])
        #expect(
            problems { survey in
                survey.chips[.name("gpiochip1")] = .failure(missing)
                survey.lines[.input(.fire)] = .failure(.init(.misconfigured, "no line 3"))
            }.map { $0.prefix(4) } == ["6:18", "7:49"], "in the order of the file")
        #expect(
            problems { $0.chips[.label("board")] = .failure(missing) } == [
                "2:17: hardware.chip.label: there is none"
            ])
    }

    @Test func `what may not be opened, and where there is nothing, is not looked at`() {
        let closed = SettingsCheck(
            placed, survey { $0.chips[.label("board")] = .failure(.init(.notReady, "closed")) })
        #expect(closed.problems == [])
        #expect(closed.remark == "the lines were not checked completely: closed")
        let nothing = SettingsCheck(placed, nil)
        #expect(nothing.problems == [])
        #expect(nothing.remark?.hasPrefix("there is no GPIO chip here") == true)
    }
}
