import Controller
import SecondOpinion
import SimulatedHardware
import StateMachines
import TestSupport
import Turnstile

/// What must hold from one life of the service to the next: no start ends an emergency or locks
/// somebody in, and no register goes back.
struct Lives {
    private static let sensors: InputLevels = [
        .init(.rotorA), .init(.rotorB), .init(.beamA), .init(.beamB),
    ]

    private let equipment: Equipment
    /// Since when there has been an emergency, by the records of all lives; nil without one.
    private var emergencySince: Instant?
    /// Whether somebody was in the rotor at the start, and has not left it.
    private var isOccupied = false
    private var isLedgerAwaited = false
    /// Whether those keep their turn who were let pass before the start; nil where nobody was.
    private var keepsTurns: Bool?
    /// Until when somebody is let in again who had paid, once the ledger is open.
    private var payerGoes: Instant?
    /// Whether an outage was over since the start, which leaves them their turn or not.
    private var wasRepaired = false
    /// The ways that they are to go.
    private var awaited: [Direction] = []
    /// Registers that only rise.
    private var registers: [Int64] = []

    init(_ equipment: Equipment) { self.equipment = equipment }

    /// The power is about to be cut: what the disk may not have yet is gone.
    mutating func losePower(at now: Instant) {
        guard let since = emergencySince, now < since + StateDisk.longestLatency else { return }
        emergencySince = nil
    }

    /// A fresh process begins.
    mutating func begin(_ service: Service) {
        isOccupied = false
        isLedgerAwaited = service.ledger == .awaited
        keepsTurns = nil
        payerGoes = nil
        wasRepaired = false
        if case .known(let state) = service.recovery {
            let isShort = state.absence.map { $0 < service.policy.passWait } ?? false
            awaited = Direction.allCases.filter { state.awaits($0) }
            if !awaited.isEmpty { keepsTurns = isShort }
            if let payer = state.payer, isShort {
                let end = service.now + service.policy.passWait
                payerGoes = min(end, payer.limit ?? end)
            }
        }
        registers = Self.rising(service.disk?.ledger?.registers.sinceInit ?? RegisterValues())
    }

    /// Hears what was recorded of an event, after which the machine has these outputs on; returns
    /// what is wrong with it.
    mutating func observe(
        _ event: Event, _ records: [Record], _ on: OutputSet, _ controller: Controller?
    ) -> String? {
        guard let controller, controller.turnstile.gate.drive != nil else { return nil }
        for record in records {
            switch record {
            case .emergencyStarted: emergencySince = event.time
            case .emergencyReset: emergencySince = nil
            case .stateUnknown where equipment.inputs[.fire]:
                emergencySince = emergencySince ?? event.time
            default: break
            }
        }
        if case .started(let levels) = event.kind {
            isOccupied = !levels.isDisjoint(with: Self.sensors) && !levels[.home]
            let isVoid = records.contains { if case .storedDropped = $0 { true } else { false } }
            let gate = controller.turnstile.gate
            let isOther =
                gate.emergency.isActive || awaited.contains { gate.regime[$0] != .controlled }
            if let keepsTurns, isVoid == (keepsTurns && !isOther) {
                return "who was let pass before the start \(isVoid ? "lost" : "kept") their turn"
            }
        }
        if controller.turnstile.inputs.isDisjoint(with: Self.sensors) { isOccupied = false }
        if case .ledgerOpened = event.kind { isLedgerAwaited = false }
        return complaint(aboutPayer: event, records, controller.turnstile)
            ?? complaint(on, controller)
    }

    /// Whoever had paid is let in again after a short break, and nobody else by the ledger alone.
    private mutating func complaint(
        aboutPayer event: Event, _ records: [Record], _ turnstile: Turnstile
    ) -> String? {
        let gate = turnstile.gate
        let isLetIn = records.contains {
            if case .released(_, .credit) = $0 { true } else { false }
        }
        let isVoid = records.contains {
            switch $0 {
            case .passageInDoubt(_, _, .underWay), .passageInDoubt(_, .paid, .made): true
            default: false
            }
        }
        wasRepaired = wasRepaired || records.contains(.inService)
        let isForNobody =
            isVoid || gate.emergency.isActive || gate.service.isOn
            || gate.regime.entry != .controlled
        defer { if isForNobody || !isLedgerAwaited { payerGoes = nil } }
        switch event.kind {
        case .started where !isLedgerAwaited: break
        case .ledgerOpened: break
        default: return nil
        }
        guard let payerGoes else {
            return isLetIn ? "the ledger lets somebody in whom nobody awaited" : nil
        }
        let mayPass =
            gate.lane.state == .locked && gate.standing == .inService
            && gate.credit >= gate.policy.price && gate.commitBarrier.isDurable
            && !gate.service.isAwaited && !turnstile.isCounting && !wasRepaired
        return mayPass && !isForNobody && event.time < payerGoes
            ? "who had paid before the start stands before a shut gate" : nil
    }

    private mutating func complaint(_ on: OutputSet, _ controller: Controller) -> String? {
        let faults = controller.turnstile.gate.faults
        let engaged = Direction.allCases.filter { direction in
            equipment.outputs[direction.lock] && !on[direction.lock]
                && !faults.isUp(.energisedTooLong(direction.lock))
                && !faults.isUp(.energisedTooLong(direction.holdingCoil))
                && !controller.turnstile.gate.isResting(direction)
        }
        if !engaged.isEmpty, emergencySince != nil {
            return "an emergency was not reset, and \(engaged) is locked"
        }
        if !engaged.isEmpty, isOccupied {
            return "somebody was in the rotor at the start, and \(engaged) is locked"
        }
        if isLedgerAwaited { return nil }
        let before = registers
        registers = Self.rising(controller.registers.sinceInit)
        return zip(before, registers).contains { $0 > $1 }
            ? "registers went back, from \(before) to \(registers)" : nil
    }

    private static func rising(_ registers: RegisterValues) -> [Int64] {
        [
            registers.starts, registers.valueIn, registers.faresUsed, registers.expired,
            registers.forfeited, registers.passages.total, registers.releases.total,
        ]
    }
}
