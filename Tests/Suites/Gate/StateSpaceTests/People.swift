import Stories

@testable import Turnstile

/// What an onlooker knows of people at the gate, by who went where, what was said, and a watch.
struct People: Hashable {
    /// Which way somebody went into the rotor while it was released that way, until they are at the
    /// middle or out of it.
    private(set) var inside: Direction?
    /// Whether somebody has been in the rotor since the start, whose coming nobody saw.
    private(set) var wasThere = false
    /// For how many ticks somebody has been in a rotor that is not released for them.
    private(set) var stranded: Int?
    /// For how many ticks the same person has had leave to pass.
    private(set) var held: Int?
    /// For how many ticks the gate has been out of service; the most that matters once the key was
    /// turned.
    private(set) var outage: Int?
    /// Whether a repair is said to be complete in this step.
    private var isRepairing = false
    /// Whether a coin came since the gate last had nobody to serve.
    private(set) var isCoinNew = false
    /// Whether the mechanic was told to wait.
    private(set) var mechanicWaits = false
    /// The outputs that were cut since the key was last turned.
    private(set) var cut: OutputSet = []
    /// What is held as credit, and what of it was above the fare as somebody was last let in.
    private(set) var till: Till
    /// Somebody who had paid before the start, and still waits for the ledger to open, or for what
    /// keeps them from passing.
    private(set) var payer: Payer?
    /// What somebody paid for whom the gate is released, and who has not come.
    private var paid: Int?
    /// Why coins are refused, as it was last told.
    private(set) var toldRefusal: CoinRefusal?
    private let limits: Limits

    /// For how many ticks it matters how long something has lasted.
    struct Limits: Hashable {
        var stranded: Int
        var held: Int
        var outage: Int
    }

    /// Somebody who had paid, and was awaited as the process ended.
    struct Payer: Hashable {
        var fare: Int
        /// For how many ticks they have had leave to pass, and still wait.
        var held: Int
        var ticks: Int
    }

    /// What is held as credit, where what is overpaid is forfeited.
    struct Till: Hashable {
        /// The price; nil where it does not matter what is held.
        var price: Int?
        var credit = 0
        var surplus = 0
    }

    /// People at a gate of this scene.
    init(_ policy: Policy, tick: Duration) {
        let wait = Int(policy.passWait / tick)
        let delay = Int(policy.passDelayAlarm / tick)
        limits = Limits(stranded: delay, held: wait + delay, outage: wait)
        till = Till(price: policy.overpay == .forfeit ? policy.price : nil)
    }

    /// Whether somebody has had leave to pass for as long as anybody can without coming.
    var hasLostPatience: Bool { held == limits.held }
    /// Whether somebody has stood in the rotor for long enough to be told of.
    var isStranded: Bool { stranded == limits.stranded }
    /// Whether the gate was out of service for a moment only.
    var isOutageShort: Bool { outage.map { $0 < limits.outage } ?? false }

    /// Goes on with a new process, which takes what was latched from the one before.
    mutating func restart(_ past: Past) {
        let held = held
        let fare = paid ?? payer?.fare
        let heldByPayer = (paid == nil ? payer?.held : held) ?? 0
        self = People(limits, Till(price: till.price), cut: latched(past))
        guard case .known(let state) = past.recovery else { return }
        // A start is no new wait, but for those who were put off.
        if state.released?.limit != nil { self.held = held }
        let ticks = min(limits.outage, limits.held - heldByPayer)
        guard let fare, state.absence == .zero, ticks > 0 else { return }
        payer = Payer(fare: fare, held: heldByPayer, ticks: ticks)
    }

    private init(_ limits: Limits, _ till: Till, cut: OutputSet) {
        self.limits = limits
        self.till = till
        self.cut = cut
    }

    private func latched(_ past: Past) -> OutputSet {
        guard case .known(let state) = past.recovery else { return [] }
        return Output.allCases.reduce(into: []) {
            $0[$1] = cut[$1] && state.faults[.energisedTooLong($1)]
        }
    }

    /// Sees what happens; the lines then carry `levels`.
    mutating func advance(_ happening: Happening, _ levels: InputLevels) {
        switch happening {
        case .started:
            wasThere = !levels.isRotorHome
            // What failed before the start is told again after it.
            cut = []
        case .restarted: wasThere = !levels.isRotorHome
        case .ticked:
            stranded = stranded.map { min($0 + 1, limits.stranded) }
            held = held.map { min($0 + 1, limits.held) }
            outage = outage.map { min($0 + 1, limits.outage) }
            payer?.held += 1
            payer?.ticks -= 1
            if payer?.ticks == 0 { payer = nil }
        case .outputCut(let output): cut[output] = true
        case .pressed(.serviceKey), .changed(.toggled(.serviceKey)):
            if happening != .pressed(.serviceKey) && !levels[.serviceKey] { break }
            cut = []
            isRepairing = true
            mechanicWaits = false
        case .asked(.confirmRepair, _): isRepairing = true
        // Whoever has the gate goes before them.
        case .ledgerOpened: isCoinNew = isCoinNew || payer != nil
        case .changed, .pressed, .edgesLost, .lineFailed, .lineRecovered, .cutAhead,
            .policyChanged, .asked, .clockRead, .clockStepped, .durable, .storageFailed:
            break
        }
        if levels.isRotorHome { (inside, wasThere) = (nil, false) }
    }

    /// Hears a record.
    mutating func observe(_ record: Record) {
        till.observe(record)
        switch record {
        case .released(_, .credit): held = payer?.held ?? 0
        case .released: held = 0
        case .coinAccepted, .coinLate: isCoinNew = true
        case .outOfService: outage = 0
        case .inService: outage = nil
        case .deferred(.beginService, _): mechanicWaits = true
        case .refused(.beginService, _, .stopped), .refused(.beginService, _, .emergency),
            .refused(.beginService, _, .cancelled), .done(.endService, _), .serviceStarted:
            mechanicWaits = false
        case .done(.confirmRepair, _): cut = []
        case .faultCleared where isRepairing: outage = outage.map { _ in limits.outage }
        case .coinsRefused(let reason): toldRefusal = reason
        case _: break
        }
    }

    /// Sees what the turnstile does after all, and how far the rotor has turned.
    mutating func look(at turnstile: Turnstile, quarters: Int?) {
        isRepairing = false
        let gate = turnstile.gate
        if let way = inside {
            let turned = quarters.map { way == .entry ? $0 : -$0 } ?? 1
            if turned >= 2 { inside = nil }
        } else if let turned = quarters, abs(turned) == 1 {
            let way: Direction = turned > 0 ? .entry : .exit
            if turnstile.isOn(way.lock), gate.standing == .inService { inside = way }
        }
        let isOpen = gate.emergency.isActive || gate.service.isOn
        let isInside = !turnstile.inputs.isRotorHome && quarters != 0
        let hasBeams = gate.equipment.inputs[.beamA]
        let isStranded = isInside && !isOpen && !gate.lane.isOccupied && !hasBeams
        stranded = isStranded ? stranded ?? 0 : nil
        switch gate.lane.state {
        case .released(_, nil):
            // Somebody comes the other way: the wait begins anew once they are gone.
            held = 0
        case .released, .passing: held = gate.lane.grant == nil ? nil : held ?? 0
        case .locked, .suspended, .recovering: held = nil
        }
        lookForPayer(at: gate)
        guard gate.standing == .inService else { return }
        // Whoever has paid and waits for the ledger has not been served yet.
        let isKept = gate.commitBarrier.state == .awaited || gate.isChangeAwaited
        if gate.lane.state == .locked, !isKept { isCoinNew = false }
        if turnstile.isOn(.coinEnable) { toldRefusal = nil }
    }
}

extension People {
    /// Sees who has paid and has not come, and whether somebody who had is still awaited.
    private mutating func lookForPayer(at gate: Gate) {
        var isFound = false
        paid = nil
        switch gate.lane.state {
        case .released(let grant, _) where gate.lane.waitLimit != nil, .suspended(let grant):
            if case .credit(let fare) = grant.authorisation { paid = fare }
        case .recovering: isFound = true
        case .released, .passing, .locked: break
        }
        let isVoid =
            isFound || gate.emergency.isActive || gate.service.isOn
            || gate.regime.entry != .controlled
        switch gate.past.ledger {
        case .none: (paid, payer) = (nil, nil)
        case .open, .holds:
            payer = gate.duePayer.map { Payer(fare: $0.fare, held: 0, ticks: limits.outage) }
        case .awaited: if isVoid { payer = nil }
        }
    }
}

extension People.Till {
    fileprivate mutating func observe(_ record: Record) {
        guard let price else { return }
        switch record {
        case .coinAccepted(let coin), .coinLate(let coin): credit += coin.value
        case .creditUsed(let value):
            credit -= value
            surplus = credit % price
        case .creditReturned(let value):
            credit += value
            surplus = 0
        case .creditForfeited(let value), .creditExpired(let value): credit -= value
        case .passageCompleted(_, .paid), .passageLost(_, .paid): surplus = 0
        case _: break
        }
    }
}
