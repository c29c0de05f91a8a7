import BankContract
import GPIOHardware
import Glibc
import Hardware
import Turnstile

/// What holds for real lines beyond the contract: who holds them, and which there are.
enum RealLineCases {
    /// Every case with its name. A case throws where it does not hold.
    static let all: [(name: String, check: @Sendable (SimulatedChipRig) throws -> Void)] = [
        ("a_held_input_names_its_holder", heldInput),
        ("a_held_output_names_its_holder", heldOutput),
        ("what_was_taken_before_a_held_line_is_given_back", givenBack),
        ("a_line_beyond_the_last_one_is_misconfigured", noSuchOffset),
        ("a_line_without_that_name_is_misconfigured", noSuchName),
        ("a_chip_without_that_label_is_not_ready_and_the_others_are_listed", noSuchChip),
        ("a_chip_that_must_not_be_opened_is_not_ready", lockedChip),
        ("a_loss_is_reported_before_the_first_edge_that_is_left", lossFirst),
        ("the_safe_state_skips_no_output_after_one_that_fails", safeState),
        ("a_survey_reads_the_inputs_that_nobody_has_and_keeps_none", survey),
    ]

    private static func heldInput(_ rig: SimulatedChipRig) throws {
        let holder = try GPIOBank(inputs(rig.chip, [.rotorB: 2]), consumer: "gpio-keys")
        let error = try failure(of: inputs(rig.chip, [.coinPulse: 0, .rotorA: 1, .rotorB: 2]))
        try require(error, .busy, line: .input(.rotorB), "/2) is held by \"gpio-keys\"")
        try holder.close()
    }

    private static func heldOutput(_ rig: SimulatedChipRig) throws {
        let holder = try GPIOBank(outputs(rig.chip, [.alarm: 11]), consumer: "gpio-leds")
        let error = try failure(of: outputs(rig.chip, [.lockEntry: 8, .alarm: 11]))
        try require(error, .busy, line: .output(.alarm), "/11) is held by \"gpio-leds\"")
        try holder.close()
    }

    private static func givenBack(_ rig: SimulatedChipRig) throws {
        let holder = try GPIOBank(inputs(rig.chip, [.coinPulse: 0]), consumer: "gpio-keys")
        var wiring = outputs(rig.chip, [.lockEntry: 8])
        wiring.inputs = inputs(rig.chip, [.coinPulse: 0]).inputs
        _ = try failure(of: wiring)
        try GPIOBank(outputs(rig.chip, [.lockEntry: 8])).close()
        try holder.close()
    }

    private static func noSuchOffset(_ rig: SimulatedChipRig) throws {
        let error = try failure(of: outputs(rig.chip, [.alarm: 999]))
        try require(error, .misconfigured, line: .output(.alarm), "has no line 999: its lines are")
    }

    private static func noSuchName(_ rig: SimulatedChipRig) throws {
        let line = InputLine(line: .name("no such line"))
        let error = try failure(of: Wiring(chip: rig.chip, inputs: [.fire: line], outputs: [:]))
        try require(error, .misconfigured, line: .input(.fire), "is named \"no such line\"")
    }

    private static func noSuchChip(_ rig: SimulatedChipRig) throws {
        let error = try failure(of: outputs(.label("no such chip"), [.alarm: 11]))
        try require(error, .missing, line: nil, "no GPIO chip is labelled \"no such chip\"; the")
    }

    private static func lockedChip(_ rig: SimulatedChipRig) throws {
        guard seteuid(65534) == 0 else { throw ContractFailure("only root can become nobody") }
        defer { seteuid(0) }
        let error = try failure(of: outputs(rig.chip, [.alarm: 11]))
        try require(error, .notReady, line: nil, "(gpiod_chip_open: Permission denied)")
    }

    private static func lossFirst(_ rig: SimulatedChipRig) throws {
        let bank = try rig.open(inputs(rig.chip, [.coinPulse: 0]))
        for number in 0..<2000 { try rig.drive(.coinPulse, high: number.isMultiple(of: 2)) }
        var events: [LineEvent] = []
        try bank.takeEvents { events.append($0) }
        // The kernel keeps the newest 1,024 edges for libgpiod 2.x, the oldest 16 for 1.6.
        if bank.capabilities.detectsLostEdges {
            guard case .lost(976, let time) = events.first,
                case .edge(.coinPulse, isActive: true, at: time) = events.dropFirst().first
            else { throw ContractFailure("2000 edges began with \(events.prefix(2))") }
        }
        let expected = bank.capabilities.detectsLostEdges ? 1 + 1024 : 16
        guard events.count == expected else {
            throw ContractFailure("one call took \(events.count) events, not \(expected)")
        }
        try bank.close()
    }

    private static func survey(_ rig: SimulatedChipRig) throws {
        let holder = try GPIOBank(outputs(rig.chip, [.alarm: 11]), consumer: "gpio-leds")
        var wiring = inputs(rig.chip, [.coinPulse: 0, .rotorA: 1])
        wiring.outputs = outputs(rig.chip, [.lockEntry: 8, .alarm: 11]).outputs
        try rig.drive(.rotorA, high: true)
        for (readsInputs, expected) in [(false, [nil, nil]), (true, [false, true])] {
            let lines = try LineSurvey(of: wiring, readsInputs: readsInputs).lines
                .mapValues { try $0.get() }
            let levels = [Input.coinPulse, .rotorA].map { lines[.input($0)]?.isActive }
            guard levels == expected, lines[.output(.lockEntry)]?.holder == nil,
                lines[.output(.alarm)]?.holder == "gpio-leds"
            else { throw ContractFailure("the survey found \(lines)") }
        }
        try GPIOBank(inputs(rig.chip, [.coinPulse: 0, .rotorA: 1])).close()
        try holder.close()
    }

    private static func safeState(_ rig: SimulatedChipRig) throws {
        let holder = try GPIOBank(outputs(rig.chip, [.coinEnable: 11]), consumer: "gpio-leds")
        let wiring = outputs(rig.chip, [.lockEntry: 8, .alarm: 999, .coinEnable: 11])
        let kinds = GPIOBank.driveSafe([wiring]).failures.map(\.kind)
        guard kinds == [.misconfigured, .busy] else {
            throw ContractFailure("the safe state of \(wiring) failed with \(kinds)")
        }
        try holder.close()
    }
}

private func inputs(_ chip: ChipSelector, _ offsets: [Input: Int]) -> Wiring {
    let lines = offsets.mapValues { InputLine(line: .offset($0)) }
    return Wiring(chip: chip, inputs: lines, outputs: [:])
}

private func outputs(_ chip: ChipSelector, _ offsets: [Output: Int]) -> Wiring {
    let lines = offsets.mapValues { OutputLine(line: .offset($0), maximumOnTime: nil) }
    return Wiring(chip: chip, inputs: [:], outputs: lines)
}

/// Why a bank over `wiring` cannot be opened.
private func failure(of wiring: Wiring) throws(ContractFailure) -> HardwareError {
    do {
        try GPIOBank(wiring).close()
    } catch {
        return error
    }
    throw ContractFailure("\(wiring) could be opened")
}

private func require(
    _ error: HardwareError, _ kind: HardwareError.Kind, line: Line?, _ part: String
) throws(ContractFailure) {
    guard error.kind == kind, error.line == line, error.description.contains(part) else {
        throw ContractFailure("expected \(kind) and \"\(part)\", got \(error)")
    }
}
