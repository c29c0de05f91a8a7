import Hardware
import Testing
import Turnstile

@testable import GPIOHardware

/// A chip with these line names, by offset.
private func chip(_ number: Int, _ names: [String]) -> ChipContents {
    let name = "gpiochip\(number)"
    let lines = names.indices.map { offset in
        LineState(
            identity: LineIdentity(chip: name, offset: offset, name: names[offset]),
            isUsed: false, consumer: "")
    }
    return ChipContents(
        identity: ChipIdentity(name: name, label: "board", lineCount: names.count), lines: lines)
}

private let board = chip(0, ["COIN", "ROTOR_A", "ROTOR_B", "", "LOCK", "LOCK_2", "TWIN", "TWIN"])
private let expander = chip(1, ["", "KEY", ""])

/// The plan for `wiring`, where "expander" is a second chip and "alias" the first one again.
private func plan(_ wiring: Wiring) throws(HardwareError) -> RequestPlan {
    try RequestPlan(wiring) { selector throws(HardwareError) in
        switch selector {
        case .label("expander"): expander
        default: board
        }
    }
}

private func wiring(
    _ inputs: [Input: InputLine] = [:], _ outputs: [Output: OutputLine] = [:]
) -> Wiring {
    Wiring(chip: .label("board"), inputs: inputs, outputs: outputs)
}

@Suite struct RequestPlanTests {
    @Test func `inputs are grouped by chip, whatever selector names it`() throws {
        let plan = try plan(
            wiring([
                .coinPulse: InputLine(line: .name("COIN")),
                .rotorA: InputLine(chip: .label("alias"), line: .name("ROTOR_A")),
                .serviceKey: InputLine(chip: .label("expander"), line: .name("KEY")),
                .fire: InputLine(line: .offset(3)),
            ]))
        #expect(
            plan.inputGroups.map { $0.map(\.input) } == [
                [.coinPulse, .rotorA, .fire], [.serviceKey],
            ])
        #expect(plan.inputGroups.map { $0.map(\.line.offset) } == [[0, 1, 3], [1]])
    }

    @Test func `lines keep how they are wired`() throws {
        let plan = try plan(
            wiring(
                [
                    .stop: InputLine(
                        line: .offset(0), activeLow: true, bias: .pullUp,
                        debounce: .nanoseconds(20_000_001)),
                    .fire: InputLine(line: .offset(1), debounce: .milliseconds(20)),
                ],
                [
                    .alarm: OutputLine(line: .offset(5), activeLow: true, maximumOnTime: nil),
                    .lockEntry: OutputLine(line: .name("LOCK"), maximumOnTime: .seconds(1)),
                ]))
        let inputs = try #require(plan.inputGroups.first)
        let input = try #require(inputs.first { $0.input == .stop })
        #expect(input.activeLow)
        #expect(input.bias == .pullUp)
        #expect(input.debounceMicroseconds == 20_001)
        // Of a loop that chatters the kernel is to tell.
        #expect(inputs.first { $0.input == .fire }?.debounceMicroseconds == 0)
        #expect(plan.outputs.map(\.output) == [.lockEntry, .alarm])
        #expect(plan.outputs.map(\.activeLow) == [false, true])
        #expect(
            plan.outputs.map(\.line.description) == [
                "line LOCK (gpiochip0/4)", "line LOCK_2 (gpiochip0/5)",
            ])
    }

    @Test func `a line with two roles is misconfigured`() {
        #expect(
            throws: HardwareError(
                .misconfigured, line: .input(.coinPulse),
                "lock_entry and coin_pulse are both wired to line COIN (gpiochip0/0)")
        ) {
            try plan(
                wiring(
                    [.coinPulse: InputLine(chip: .label("alias"), line: .offset(0))],
                    [.lockEntry: OutputLine(line: .name("COIN"), maximumOnTime: nil)]))
        }
    }

    @Test(arguments: [
        (
            LineSelector.name("CION"),
            "no line of gpiochip0 \"board\" is named \"CION\" "
                + "(did you mean \"COIN\"?)"
        ),
        (
            .name("BUZZER"),
            "no line of gpiochip0 \"board\" is named \"BUZZER\" (its named lines "
                + "are COIN, ROTOR_A, ROTOR_B, LOCK, LOCK_2, TWIN, TWIN)"
        ),
        (
            .name("7"),
            "no line of gpiochip0 \"board\" is named \"7\" "
                + "(line 7 is written without quotes: 7)"
        ),
        (
            .name("TWIN"),
            "2 lines of gpiochip0 \"board\" are named \"TWIN\": "
                + "select one by its offset (6, 7)"
        ),
        (.offset(8), "gpiochip0 \"board\" has no line 8: its lines are 0 to 7"),
        (.offset(-1), "gpiochip0 \"board\" has no line -1: its lines are 0 to 7"),
    ])
    func `a line that cannot be found is misconfigured`(selector: LineSelector, sentence: String) {
        #expect(throws: HardwareError(.misconfigured, line: .input(.fire), sentence)) {
            try plan(wiring([.fire: InputLine(line: selector)]))
        }
    }

    @Test func `a chip without line names says so`() {
        #expect(
            throws: HardwareError(
                .misconfigured, line: .input(.fire),
                "no line of gpiochip2 \"board\" is named \"FIRE\" (none of its lines has a name)")
        ) {
            try chip(2, ["", ""]).find(.name("FIRE"), for: .input(.fire))
        }
    }
}
