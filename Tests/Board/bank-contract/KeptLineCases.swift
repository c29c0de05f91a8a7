import BankContract
import GPIOHardware
import Glibc
import Hardware
import StateMachines
import Turnstile

/// What holds for input lines that somebody kept while no bank had them, as systemd does between
/// two processes.
enum KeptLineCases {
    /// Every case with its name. A case throws where it does not hold.
    static let all: [(name: String, check: @Sendable (SimulatedChipRig) throws -> Void)] = [
        ("edges_of_lines_that_were_kept_wait_for_the_next_bank", edgesWait),
        ("only_inputs_are_kept", onlyInputs),
        ("what_was_kept_is_taken_up_again_and_again", again),
        ("what_was_kept_for_other_settings_is_forgotten", otherSettings),
        ("a_descriptor_that_holds_no_line_is_forgotten", noLine),
        ("an_overflow_while_lines_were_kept_is_reported", overflow),
    ]

    private static let inputs: [Input: InputLine] = [
        .coinPulse: InputLine(line: .offset(0)), .rotorA: InputLine(line: .offset(1)),
        .rotorB: InputLine(line: .offset(2)),
    ]

    private static func wiring(_ rig: SimulatedChipRig) -> Wiring {
        let lock = OutputLine(line: .offset(8), maximumOnTime: nil)
        return Wiring(chip: rig.chip, inputs: inputs, outputs: [.lockEntry: lock])
    }

    /// Opens a bank, has its inputs kept, and closes it.
    private static func keep(_ rig: SimulatedChipRig) throws -> KeptRequests {
        KeptRequests(try descriptors(rig))
    }

    private static func descriptors(
        _ rig: SimulatedChipRig
    ) throws -> [(name: String, descriptor: CInt)] {
        let bank = try GPIOBank(wiring(rig))
        let copies = bank.toKeep.map { (name: $0.name, descriptor: dup($0.descriptor)) }
        try bank.close()
        return copies
    }

    private static func events(of bank: GPIOBank) throws -> [LineEvent] {
        var events: [LineEvent] = []
        try bank.takeEvents { events.append($0) }
        return events
    }

    private static func require(_ condition: Bool, _ text: String) throws(ContractFailure) {
        guard condition else { throw ContractFailure(text) }
    }

    private static func edgesWait(_ rig: SimulatedChipRig) throws {
        let kept = try keep(rig)
        let began = rig.now
        try rig.drive(.coinPulse, high: true)
        try rig.drive(.rotorB, high: true)
        try rig.drive(.coinPulse, high: false)
        let ended = rig.now
        let bank = try GPIOBank(wiring(rig), kept: kept) { _ in }
        try require(bank.toKeep.isEmpty && kept.names.isEmpty, "all was kept")
        try require(try bank.isActive(.rotorB), "rotor_b is high")
        try require(!(try bank.isActive(.rotorA)), "rotor_a is low")
        let events = try events(of: bank)
        let edges = events.map { event in
            if case .edge(let input, let isActive, _) = event { return "\(input) \(isActive)" }
            return "lost"
        }
        try require(
            edges == ["coinPulse true", "rotorB true", "coinPulse false"], "\(events) waited")
        try require(
            events.allSatisfy { began <= $0.time && $0.time <= ended }, "\(events) at their times")
        try rig.drive(.rotorA, high: true)
        try require(try rig.waitForEvents(of: bank, limit: .seconds(1)), "no edge of rotor_a came")
        try require(try self.events(of: bank).count == 1, "one edge came of rotor_a")
        try bank.close()
    }

    private static func onlyInputs(_ rig: SimulatedChipRig) throws {
        let kept = try keep(rig)
        let lock = OutputLine(line: .offset(8), maximumOnTime: nil)
        let other = Wiring(chip: rig.chip, inputs: [:], outputs: [.alarm: lock])
        try GPIOBank(other).close()
        var coin = other
        coin.inputs = inputs
        do {
            try GPIOBank(coin).close()
        } catch {
            try require(error.kind == .busy, "\(error)")
            return withExtendedLifetime(kept) {}
        }
        throw ContractFailure("lines that are kept could be had by somebody else")
    }

    private static func again(_ rig: SimulatedChipRig) throws {
        // systemd hands over its descriptors, and keeps them.
        let descriptors = try descriptors(rig)
        defer { descriptors.forEach { close($0.descriptor) } }
        for isHigh in [true, false, true] {
            try rig.drive(.coinPulse, high: isHigh)
            let kept = KeptRequests(descriptors.map { ($0.name, dup($0.descriptor)) })
            let bank = try GPIOBank(wiring(rig), kept: kept)
            try require(try events(of: bank).count == 1, "one edge waited")
            try require(try bank.isActive(.coinPulse) == isHigh, "coin_pulse is \(isHigh)")
            try bank.close()
        }
    }

    private static func otherSettings(_ rig: SimulatedChipRig) throws {
        let kept = try keep(rig)
        let names = kept.names
        var other = wiring(rig)
        for input in other.inputs.keys { other.inputs[input]?.activeLow = true }
        var forgotten: [String] = []
        let bank = try GPIOBank(other, kept: kept) { forgotten.append($0) }
        try require(Set(forgotten) == names, "forgotten: \(forgotten), kept: \(names)")
        let newNames = Set(bank.toKeep.map(\.name))
        try require(newNames.count == names.count, "\(newNames) are to be kept instead")
        try require(newNames.isDisjoint(with: names), "\(newNames) are others")
        try require(try bank.isActive(.coinPulse), "a low coin_pulse is active now")
        try bank.close()
    }

    private static func noLine(_ rig: SimulatedChipRig) throws {
        let bank = try GPIOBank(wiring(rig))
        let names = bank.toKeep.map(\.name)
        try bank.close()
        // Something else under the right names: the lines are held by nobody.
        let kept = KeptRequests(names.map { ($0, unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)) })
        var forgotten: [String] = []
        let next = try GPIOBank(wiring(rig), kept: kept) { forgotten.append($0) }
        try require(forgotten.sorted() == names.sorted(), "forgotten: \(forgotten)")
        try require(next.toKeep.map(\.name).sorted() == names.sorted(), "all are to be kept anew")
        try next.close()
    }

    private static func overflow(_ rig: SimulatedChipRig) throws {
        let kept = try keep(rig)
        for number in 0..<1500 { try rig.drive(.coinPulse, high: number.isMultiple(of: 2)) }
        let bank = try GPIOBank(wiring(rig), kept: kept) { _ in }
        let events = try events(of: bank)
        let place = bank.capabilities.detectsLostEdges ? events.first : events.last
        guard case .lost? = place else {
            throw ContractFailure("1500 edges: \(events.prefix(2)) to \(events.suffix(2))")
        }
        try bank.close()
    }
}
