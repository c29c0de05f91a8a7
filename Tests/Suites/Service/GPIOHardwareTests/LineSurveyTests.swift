import Hardware
import Testing
import Turnstile

@testable import GPIOHardware

/// Chips and lines are looked at without any of them being taken.
@Suite struct LineSurveyTests {
    private static let board = ChipContents(
        identity: ChipIdentity(name: "gpiochip0", label: "board", lineCount: 4),
        lines: [
            line(0, "FIRE"), line(1, "ROTOR_A", isUsed: true, consumer: "turnstiled"),
            line(2, "LOCK", isOutput: true), line(3, "HOME", isUsed: true),
        ])

    private static func line(
        _ offset: Int, _ name: String, isUsed: Bool = false, consumer: String = "",
        isOutput: Bool = false
    ) -> LineState {
        LineState(
            identity: LineIdentity(chip: "gpiochip0", offset: offset, name: name),
            isUsed: isUsed, consumer: consumer, isOutput: isOutput)
    }

    private func survey(
        _ inputs: [Input: InputLine], _ outputs: [Output: OutputLine] = [:]
    ) -> LineSurvey {
        let wiring = Wiring(chip: .label("board"), inputs: inputs, outputs: outputs)
        return LineSurvey(of: wiring) { selector throws(HardwareError) in
            guard selector == .label("board") else {
                throw HardwareError(.missing, "no GPIO chip is labelled \"expander\"")
            }
            return Self.board
        }
    }

    @Test func `each line is told with its chip, its holder and its direction`() throws {
        let survey = survey(
            [
                .fire: InputLine(line: .name("FIRE")), .home: InputLine(line: .offset(3)),
                .rotorA: InputLine(line: .name("ROTOR_A")),
            ], [.lockEntry: OutputLine(line: .name("LOCK"), maximumOnTime: nil)])
        #expect(try survey.chips[.label("board")]?.get() == "gpiochip0 \"board\"")
        let found = try survey.lines.mapValues { result in
            let found = try result.get()
            return [found.description, found.holder, found.isOutput ? "output" : "input"]
        }
        #expect(
            found == [
                .input(.fire): ["line FIRE (gpiochip0/0)", nil, "input"],
                .input(.home): ["line HOME (gpiochip0/3)", "", "input"],
                .input(.rotorA): ["line ROTOR_A (gpiochip0/1)", "turnstiled", "input"],
                .output(.lockEntry): ["line LOCK (gpiochip0/2)", nil, "output"],
            ])
        #expect(try survey.lines.values.allSatisfy { try $0.get().isActive == nil })
    }

    @Test func `a name that no line has, and a chip that is not there, are told of alone`() throws {
        let survey = survey([
            .fire: InputLine(line: .name("FIER")), .rotorB: InputLine(line: .name("ROTOR_A")),
            .stop: InputLine(chip: .label("expander"), line: .name("STOP")),
        ])
        let fire = #expect(throws: HardwareError.self) { try survey.lines[.input(.fire)]?.get() }
        #expect(fire?.description.contains("did you mean \"FIRE\"?") == true)
        let stop = #expect(throws: HardwareError.self) { try survey.lines[.input(.stop)]?.get() }
        #expect(stop?.kind == .missing)
        #expect(try survey.lines[.input(.rotorB)]?.get() != nil)
        #expect(try survey.chips[.label("board")]?.get() != nil)
        #expect(throws: HardwareError.self) { try survey.chips[.label("expander")]?.get() }
    }

    @Test func `only an input that nobody has, and that drives nothing, may be read`() {
        let survey = survey([
            .fire: InputLine(line: .name("FIRE")), .rotorA: InputLine(line: .name("ROTOR_A")),
            .stop: InputLine(line: .name("LOCK")), .home: InputLine(line: .name("HOME")),
            .rotorB: InputLine(line: .name("ROTOR_B")),
        ])
        #expect(survey.readable == [.fire])
    }

    @Test func `without a chip nothing is read, and each line says why`() {
        let wiring = Wiring(
            chip: .label("no chip has this label"), inputs: [.fire: InputLine(line: .offset(0))],
            outputs: [:])
        let survey = LineSurvey(of: wiring, readsInputs: true)
        let error = #expect(throws: HardwareError.self) { try survey.lines[.input(.fire)]?.get() }
        #expect(error?.description.contains("no chip has this label") == true)
    }

    /// What is done with lines, in its order; what was let go is what `letGo` says of it.
    private func trial(
        _ survey: inout LineSurvey, _ outputs: [Output: OutputLine],
        _ letGo: [Output: LineSurvey.ReleasedOutput]
    ) -> [String] {
        var steps: [String] = []
        let wiring = Wiring(chip: .label("board"), inputs: [:], outputs: outputs)
        let plan = SafePlan([wiring]) { _ in Self.board }
        withoutActuallyEscaping({ steps.append($0) }) { note in
            let trial = OutputTrial(
                driveSafe: { note("\($0.output.name) safe") }, waitForLines: { note("settle") },
                look: { planned throws(HardwareError) in
                    note("\(planned.output.name) look")
                    guard let found = letGo[planned.output] else {
                        throw HardwareError(.busy, "taken meanwhile")
                    }
                    return found
                })
            survey.tryOutputs(plan.outputs.flatMap { $0 }, by: trial)
        }
        return steps
    }

    @Test func `outputs that nobody has are driven safe, looked at, driven safe`() throws {
        let outputs: [Output: OutputLine] = [
            .lockEntry: OutputLine(line: .name("LOCK"), maximumOnTime: nil),
            .alarm: OutputLine(line: .name("FIRE"), maximumOnTime: nil),
            .ready: OutputLine(line: .name("HOME"), maximumOnTime: nil),
        ]
        var survey = survey([:], outputs)
        let kept = LineSurvey.ReleasedOutput(isOutput: true, isEnergised: false)
        let steps = trial(&survey, outputs, [.lockEntry: kept])
        #expect(
            steps == [
                "lock_entry safe", "alarm safe", "settle", "lock_entry look", "lock_entry safe",
                "alarm look", "alarm safe",
            ])
        #expect(try survey.lines[.output(.lockEntry)]?.get().letGo == kept)
        #expect(throws: HardwareError.self) { try survey.lines[.output(.alarm)]?.get() }
        #expect(try survey.lines[.output(.ready)]?.get().letGo == nil)
    }

    @Test func `where somebody has all outputs, nothing is done`() {
        let outputs: [Output: OutputLine] = [
            .ready: OutputLine(line: .name("HOME"), maximumOnTime: nil)
        ]
        var survey = survey([:], outputs)
        #expect(trial(&survey, outputs, [:]) == [])
    }
}
