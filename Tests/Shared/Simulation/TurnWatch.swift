import Controller
import SimulatedHardware
import StateMachines
import Turnstile

/// Whose turn it is: an outage that is soon over takes nobody's turn, nobody has the gate for ever,
/// and the mechanic gets it as soon as whoever has it is through.
struct TurnWatch {
    /// What a wait may be late by: contacts that settle.
    private static let settlingTime: Duration = .milliseconds(50)
    /// How long the last pulses of the counters and the pauses after them take.
    private static let pulseTime: Duration = .seconds(2)

    /// The gate as it went out of service.
    private struct Outage {
        var end: Instant
        var grant: Lane.Grant?
    }

    private var outage: Outage?
    /// Who had the gate after the event before, and whether the mechanic waited for it.
    private var grant: Lane.Grant?
    private var wasAwaited = false
    /// Until when whoever has the gate may go back and try again.
    private var limit: Instant?
    /// Whether somebody was in the rotor the other way meanwhile.
    private var wasCrossed = false
    /// Since when nobody has been in the rotor.
    private var restsSince: Instant?
    /// Since when nothing keeps the mechanic from having the gate.
    private var freeSince: Instant?

    /// A process begins.
    mutating func begin() {
        outage = nil
        grant = nil
        wasAwaited = false
        limit = nil
        wasCrossed = false
        restsSince = nil
        freeSince = nil
    }

    /// Hears what was recorded of an event, after which the gate is this one; returns what is wrong
    /// with it.
    mutating func observe(_ event: Event, _ records: [Record], _ turnstile: Turnstile) -> String? {
        let gate = turnstile.gate
        defer {
            grant = gate.lane.grant
            wasAwaited = gate.service.isAwaited
        }
        return hearOfOutage(event, records, turnstile)
            ?? hearOfTurn(event, records, gate)
    }

    /// A short outage leaves the gate as it was.
    private mutating func hearOfOutage(
        _ event: Event, _ records: [Record], _ turnstile: Turnstile
    ) -> String? {
        let gate = turnstile.gate
        var records = records[...]
        // What somebody lost before is another story: a late shell has it in the same step.
        if let index = records.lastIndex(where: \.beginsOutage) {
            let isGone = records[..<index].contains { $0.takesTurn || $0.usesTurn || $0.endsWait }
            outage = Outage(
                end: event.time + gate.policy.passWait, grant: isGone ? nil : grant)
            records = records[(index + 1)...]
        }
        guard let outage else { return nil }
        let isOther =
            turnstile.inputs[.serviceKey] || turnstile.inputs[.stop] || gate.emergency.isActive
            || records.contains(.emergencyStarted) || gate.service.isOn || gate.service.isAwaited
            || event.time > outage.end
        // Who has tried for as long as anybody may has had their turn.
        let isOver = limit.map { event.time >= $0 && records.contains(where: \.endsWait) } ?? false
        if isOther || isOver || event.endsTurns || records.contains(where: \.usesTurn) {
            self.outage = nil
            return nil
        }
        if let taken = records.first(where: \.takesTurn) {
            return "the gate was out of service for a moment, and \(taken)"
        }
        guard records.contains(.inService) else { return nil }
        self.outage = nil
        guard let before = outage.grant, gate.lane.grant != before else { return nil }
        return "the gate was out of service for a moment, and \(before) is lost"
    }

    private mutating func hearOfTurn(
        _ event: Event, _ records: [Record], _ gate: Gate
    ) -> String? {
        for record in records {
            switch record {
            case .released:
                if wasAwaited && gate.service.isAwaited {
                    return "the mechanic waits, and somebody else is let pass"
                }
                limit = nil
            case .inService, .stopEnded, .policyChanged: limit = nil
            default: break
            }
        }
        if gate.lane.grant == nil {
            limit = nil
        } else if limit == nil {
            limit = event.time + gate.policy.passWait + gate.policy.passDelayAlarm
        } else if case .released(_, nil) = gate.lane.state {
            // Who comes the other way takes nothing of the time of whoever is let in.
            wasCrossed = true
        } else if wasCrossed {
            wasCrossed = false
            limit = limit.map { max($0, event.time + gate.policy.passWait) }
        }
        return nil
    }

    /// Looks at the gate between two things that happen; to be called after everything.
    mutating func look(at service: Service, _ on: OutputSet) throws(Violation) {
        guard let process = service.process else { return }
        let turnstile = process.controller.turnstile
        let gate = turnstile.gate
        let now = service.now
        let rests = turnstile.sensors == .home && gate.isLaneClear
        restsSince = rests ? restsSince ?? now : nil
        if let limit, let restsSince, case .released(let grant, _) = gate.lane.state,
            now > max(limit, max(restsSince, service.heldUpUntil + gate.policy.passWait))
                + Self.settlingTime
        {
            throw Violation(description: "\(grant) has had the gate for too long")
        }
        if gate.service.isAwaited && on[.coinEnable] {
            throw Violation(description: "the mechanic waits, and coins are taken")
        }
        let pulses: [Output] = [.countPulse, .coinMeter, .coinReject]
        let isFree =
            gate.service.isAwaited && rests && gate.lane.state == .locked
            && !pulses.contains { on[$0] }
        freeSince = isFree ? freeSince ?? now : nil
        guard let freeSince, now > max(freeSince, service.heldUpUntil) + Self.pulseTime else {
            return
        }
        throw Violation(description: "nobody is in the gate, and the mechanic still waits for it")
    }
}

extension Event {
    /// Whether it may take away what somebody has, outage or no outage.
    fileprivate var endsTurns: Bool {
        switch kind {
        case .outputCut, .edgesLost, .ledgerOpened, .requested, .started, .stopped: true
        case .changed, .timePassed, .lineFailed, .lineRecovered, .onTimeWarning, .clockRead,
            .clockStepped, .durable, .storageFailed:
            false
        }
    }
}

extension Record {
    /// Whether the gate is out of service from then on.
    fileprivate var beginsOutage: Bool {
        if case .outOfService = self { true } else { false }
    }

    /// Whether nobody came.
    fileprivate var endsWait: Bool {
        if case .waitTimedOut = self { true } else { false }
    }

    /// Whether somebody used what they had.
    fileprivate var usesTurn: Bool {
        switch self {
        case .passageCompleted, .passageLost, .passageRecovered: true
        default: false
        }
    }

    /// Whether somebody loses what they had.
    fileprivate var takesTurn: Bool {
        switch self {
        case .storedDropped, .authorisationDropped, .creditReturned: true
        default: false
        }
    }
}
