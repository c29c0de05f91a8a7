import StateMachines
import Stories

@testable import Turnstile

extension Law {
    /// What people do at the gate, and what becomes of them: decision 0027.
    static let people = [
        Law(name: "a contact that is held for too long is told of once, and that it is at rest") {
            seen in
            let (before, now) = (seen.before.world.stuck, seen.world.stuck)
            let isNew = seen.past != nil
            var stuck: Set<Input> = []
            var atRest: Set<Input> = []
            for record in seen.records {
                switch record {
                case .contactStuck(let input): stuck.insert(input)
                case .contactAtRest(let input): atRest.insert(input)
                case _: break
                }
            }
            return stuck == now.subtracting(before)
                && atRest == (isNew ? [] : before.subtracting(now))
        },
        Law(name: "nobody whom the gate let into the rotor is locked in there (5)") { seen in
            guard let way = seen.world.people.inside, !seen.inputs.isRotorHome else { return true }
            return seen.isOn(way.lock) || seen.world.people.cut[way.lock]
                || seen.gate.service.isOn || seen.gate.duties[way].isResting
                || seen.isCut(way.lock)
        },
        Law(name: "before a lock is cut, whoever is in the rotor is told of") { seen in
            guard case .cutAhead(let output) = seen.event, seen.wasDriven != nil else {
                return true
            }
            guard seen.records.contains(.onTimeWarning(output)) else { return false }
            let isTheirs = seen.world.people.inside.map { $0.lock == output } ?? false
            guard isTheirs || seen.isSomebodyFound, output.isLock, !seen.inputs.isRotorHome else {
                return true
            }
            return seen.gate.alarms.up[.passageDelayed]
        },
        Law(name: "whoever stands in a locked rotor for long is told of") { seen in
            !seen.world.people.isStranded || seen.gate.alarms.up[.passageDelayed]
        },
        Law(name: "whoever was there at the start is counted against nobody else") { seen in
            guard seen.before.world.people.wasThere, seen.past == nil,
                seen.event != .ledgerOpened
            else { return true }
            return seen.records.allSatisfy {
                switch $0 {
                case .passageCompleted(_, .paid), .passageCompleted(_, .free): false
                case .passageLost(_, .paid), .passageLost(_, .free): false
                case _: true
                }
            }
        },
        Law(name: "nobody has the gate for ever by going back") { seen in
            // No wait ends before it is known whether somebody moves.
            guard seen.world.people.hasLostPatience, seen.world.rotor.isHome else { return true }
            if case .released = seen.gate.lane.state { return false }
            return true
        },
        Law(name: "what both sensors show at once is noise, or a fault") { seen in
            let rotor = seen.world.rotor
            let isFault = seen.records.contains(.faultRaised(.illegalRotorTransition))
            let wasFault = seen.gateBefore.faults.isUp(.illegalRotorTransition)
            return seen.records.contains(.rotorNoise) == rotor.wasNoise
                && (isFault || wasFault && rotor.hasSkipped) == rotor.hasSkipped
        },
        Law(name: "noise is nobody's passage") { seen in
            guard seen.world.rotor.wasNoise, seen.event != .ticked else { return true }
            guard seen.records.first == .rotorNoise else { return false }
            // A wait that was over meanwhile is over now.
            if seen.records.count > 1 {
                return Direction.allCases.contains { seen.records[1] == .waitTimedOut($0) }
            }
            return seen.gate.lane.state == seen.gateBefore.lane.state
                && seen.gate.queue == seen.gateBefore.queue
                && seen.gate.credit == seen.gateBefore.credit
        },
    ]

    /// Who comes before whom, and who is told of it.
    static let turns = [
        Law(name: "a short outage leaves the gate as it was, a long one as the policy has it") {
            seen in
            guard case .suspended(let grant) = seen.gateBefore.lane.state, seen.past == nil,
                seen.records.contains(.inService), seen.gate.standing == .inService,
                !seen.records.contains(.emergencyReset)
            else { return true }
            let isShort = seen.before.world.people.isOutageShort && !seen.isRepair
            let isKept = seen.gate.lane.grant == grant
            return isKept == (isShort || seen.policy.repairResumes == .previous)
        },
        Law(name: "who waits is not sent away by a short outage") { seen in
            guard seen.records.contains(.inService), seen.before.world.people.isOutageShort,
                !seen.isRepair, !seen.gate.emergency.isActive
            else { return true }
            return !seen.records.contains { if case .storedDropped = $0 { true } else { false } }
        },
        Law(name: "who was let pass keeps their turn over a short break, and over no long one") {
            seen in
            guard let past = seen.past, case .known(let before) = past.recovery,
                before.isAnybodyAwaited
            else { return true }
            let isVoid = seen.records.contains {
                if case .storedDropped = $0 { true } else { false }
            }
            let void = Direction.allCases.filter { !before.keepsTurns($0, in: seen.gate) }
            guard isVoid == void.contains(where: before.awaits) else { return false }
            if void.count == 2 { return seen.gate.queue.total == 0 }
            guard let release = before.released, !void.contains(release.grant.direction) else {
                return true
            }
            return seen.gate.lane.grant == release.grant || seen.isSomebodyFound
                || seen.records.contains(.waitTimedOut(release.grant.direction))
        },
        Law(name: "nor does who had paid stand before a shut gate, once the ledger is open") {
            seen in
            guard seen.event == .ledgerOpened, let ledger = seen.before.world.notebook?.closed,
                let fare = seen.before.world.people.payer?.fare, !ledger.isFareBegun,
                ledger.credit + ledger.fareInUse >= fare
            else { return true }
            let gate = seen.gateBefore
            let mayPass =
                gate.lane.state == .locked && gate.standing == .inService
                && gate.commitBarrier.isDurable && !gate.isChangeAwaited && !gate.service.isAwaited
            // Or it is their turn as soon as they may.
            return mayPass
                ? seen.gate.lane.grant == Lane.Grant(.entry, by: .credit(fare: fare))
                : seen.gate.duePayer?.fare == fare || gate.service.isAwaited
        },
        Law(name: "who had paid before the start is let in, where turns are kept") { seen in
            guard let fare = seen.gateBefore.duePayer?.fare, seen.gate.duePayer == nil,
                seen.past == nil
            else { return true }
            let gate = seen.gate
            return seen.records.contains(.creditUsed(value: fare)) || gate.emergency.isActive
                || gate.service.isOn || gate.regime.entry != .controlled
                || seen.records.contains(.inService)
        },
        Law(name: "the ledger that opens lets in nobody else") { seen in
            guard seen.event == .ledgerOpened, seen.before.world.people.payer == nil else {
                return true
            }
            return !seen.records.contains(where: \.isRelease)
        },
        Law(name: "each fare opens the gate once") { seen in
            let releases = seen.records.count(where: \.isRelease)
            let fares = seen.records.reduce(0) { sum, record in
                if case .creditUsed = record { sum + 1 } else { sum }
            }
            return releases == fares || seen.event == .ledgerOpened && releases <= fares
        },
        Law(name: "no emergency ends while a sensor of the lane cannot be read (2)") { seen in
            !seen.records.contains(.emergencyReset) || seen.gate.isLaneSeen
        },
        Law(name: "nor does service mode, but for an emergency and whoever turns the key (2)") {
            seen in
            !seen.records.contains(.serviceEnded) || seen.gate.isLaneSeen || seen.past != nil
                || seen.gate.emergency.isActive || seen.isKey || seen.inputs[.serviceKey]
        },
        Law(name: "a reset is done, deferred or refused") { seen in
            guard seen.event == .pressed(.emergencyResetKey), seen.drive != nil else { return true }
            let told = seen.records.filter {
                switch $0 {
                case .emergencyReset, .deferred(.resetEmergency, by: .resetKey): true
                case .refused(.resetEmergency, by: .resetKey, _): true
                case _: false
                }
            }
            guard told.count == 1 else { return false }
            if !seen.gateBefore.emergency.isActive {
                return told == [.refused(.resetEmergency, by: .resetKey, .noEmergency)]
            }
            if seen.gateBefore.emergency.state != .loopOpen {
                let isClear =
                    seen.inputs.isRotorHome && seen.world.rotor.isHome && seen.gate.isLaneSeen
                return told == [
                    isClear ? .emergencyReset : .deferred(.resetEmergency, by: .resetKey)
                ]
            }
            return told == [
                .refused(
                    .resetEmergency, by: .resetKey, seen.inputs[.fire] ? .loopOpen : .repairFirst)
            ]
        },
        Law(name: "a repair is refused that ends nothing of what there is to repair") { seen in
            guard seen.isKey, seen.drive != nil else { return true }
            let faults = seen.gate.faults
            let isLeft = faults.isOutOfService || !faults.latched.isEmpty
            let ends = seen.records.contains {
                switch $0 {
                case .faultCleared, .emergencyLoopClosed: true
                case _: false
                }
            }
            return (isLeft && !ends)
                == seen.records.contains(.refused(.confirmRepair, by: .serviceKey, .causePresent))
        },
        Law(name: "whoever holds the key has the gate, waits and is told so, or is refused") {
            seen in
            guard case .turned = seen.gateBefore.service.state, seen.past == nil,
                seen.event == .ticked
            else { return true }
            if case .turned = seen.gate.service.state { return true }
            return seen.records.contains {
                switch $0 {
                case .serviceStarted, .deferred(.beginService, by: .serviceKey): true
                case .refused(.beginService, by: .serviceKey, .stopped): seen.inputs[.stop]
                case .refused(.beginService, by: .serviceKey, .emergency):
                    seen.gate.emergency.isActive
                case _: false
                }
            }
        },
        Law(name: "a mechanic who waits and will not have the gate is told so") { seen in
            guard seen.before.world.people.mechanicWaits, seen.past == nil, !seen.isKey else {
                return true
            }
            return seen.gate.service.isAwaited == seen.world.people.mechanicWaits
        },
        Law(name: "the mechanic comes before those who wait") { seen in
            let waits = seen.before.world.people.mechanicWaits
            let begins = seen.records.contains {
                if case .serviceStarted = $0 { true } else { false }
            }
            let isForNobody = seen.gate.queue.total == 0 && seen.gate.lane.grant == nil
            if begins && !isForNobody { return false }
            guard waits, seen.world.people.mechanicWaits || begins else { return true }
            return !seen.records.contains { if case .released = $0 { true } else { false } }
        },
    ]

    /// What people paid, and what is said of it.
    static let fares = [
        Law(name: "a coin counts as what the gate was as it set out") { seen in
            seen.records.allSatisfy { record in
                switch record {
                case .coinRejected(let coin): seen.wasUnlocked(for: coin) != false
                case .coinAccepted(let coin), .coinLate(let coin):
                    seen.isPlain(coin) ? seen.wasUnlocked(for: coin) != true : true
                case _: true
                }
            }
        },
        Law(name: "a coin is kept with thanks if somebody might come in as it set out") { seen in
            guard seen.policy.coinWhileUnlocked == .thank else { return true }
            let coins = seen.records.compactMap { record in
                switch record {
                case .coinAccepted(let coin), .coinLate(let coin): coin
                case _: nil
                }
            }
            guard coins.count == 1, let wasUnlocked = seen.wasUnlocked(for: coins[0]) else {
                return true
            }
            return seen.records.contains(.creditForfeited(value: coins[0].value)) == wasUnlocked
        },
        Law(name: "of what is overpaid no whole fare is forfeited, nor a later coin") { seen in
            guard seen.policy.overpay == .forfeit,
                seen.records.contains(.passageCompleted(.entry, .paid))
            else { return true }
            let till = seen.before.world.people.till
            let forfeited = seen.records.reduce(0) { sum, record in
                if case .creditForfeited(let value) = record { sum + value } else { sum }
            }
            return forfeited == min(till.surplus, till.credit)
        },
        Law(name: "the end of a passage opens the gate on no old credit") { seen in
            var isThrough = false
            for record in seen.records {
                switch record {
                case .passageCompleted, .passageLost, .passageBackedOut, .passageRecovered,
                    .waitTimedOut:
                    isThrough = true
                case .released(_, .credit) where isThrough:
                    return seen.world.people.isCoinNew || seen.before.world.people.isCoinNew
                        || seen.records.contains(where: \.isCredit)
                case _: break
                }
            }
            return true
        },
        Law(name: "why coins are refused is in the status, and told once when nobody is served") {
            seen in
            guard seen.drive != nil, seen.gate.standing == .inService,
                seen.equipment.inputs[.coinPulse]
            else { return true }
            let limitation = seen.after.turnstile.status.limitation
            if seen.gate.regime.entry == .controlled, !seen.isOn(.coinEnable) {
                guard case .coinsRefused(let reason) = limitation else { return false }
                switch reason {
                case .storeFull, .entryLocked:
                    return seen.gate.lane.state != .locked
                        || seen.world.people.toldRefusal == reason
                case .fault, .ledgerAwaited, .released, .serviceAwaited: return true
                }
            }
            return true
        },
        Law(name: "a meter or an ejector that was cut refuses coins until the key") { seen in
            let cut = seen.world.people.cut
            guard cut[.coinMeter] || cut[.coinReject], seen.gate.service.tested == nil else {
                return true
            }
            return !seen.isOn(.coinEnable)
        },
    ]
}

extension Output {
    /// Whether it drives a lock.
    fileprivate var isLock: Bool { self == .lockEntry || self == .lockExit }
}

extension Record {
    /// Whether somebody is let in who paid.
    fileprivate var isRelease: Bool {
        if case .released(_, .credit) = self { true } else { false }
    }

    /// Whether a coin was credited.
    fileprivate var isCredit: Bool {
        switch self {
        case .coinAccepted, .coinLate: true
        case _: false
        }
    }
}

extension Observation {
    /// Whether somebody said that the repair is complete.
    fileprivate var isRepair: Bool {
        if case .asked(.confirmRepair, _) = event { true } else { isKey }
    }

    /// Whether the mechanic's key was turned.
    fileprivate var isKey: Bool {
        event == .pressed(.serviceKey)
            || event == .changed(.toggled(.serviceKey)) && inputs[.serviceKey]
    }

    /// Whether somebody is in the rotor who stood there at the start.
    fileprivate var isSomebodyFound: Bool {
        if case .recovering = gate.lane.state { true } else { false }
    }

    /// Whether somebody might come in as the coin set out; nil when nobody knows.
    fileprivate func wasUnlocked(for coin: Coin) -> Bool? {
        before.world.coinLines[coin.acceptor].isUnlocked
    }

    /// Whether a coin is one that is credited for want of anything else.
    fileprivate func isPlain(_ coin: Coin) -> Bool {
        policy.coinWhileUnlocked == .reject && equipment.outputs[.coinReject]
    }
}
