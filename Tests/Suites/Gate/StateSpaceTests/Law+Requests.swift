import StateMachines
import Stories

@testable import Turnstile

extension Law {
    /// What becomes of what is asked for from afar.
    static let requests = [
        Law(name: "every request has exactly one answer") { seen in
            guard let (request, requester) = seen.asked else { return seen.answers.isEmpty }
            return seen.answers.count == 1 && seen.answers[0].request == request.kind
                && seen.answers[0].requester == requester
        },
        Law(name: "who asked is in the log") { seen in
            guard let (_, requester) = seen.asked, let answer = seen.answers.first else {
                return true
            }
            let record: Record =
                switch answer.result {
                case .done: .done(answer.request, by: requester)
                case .deferred: .deferred(answer.request, by: requester)
                case .refused(let refusal): .refused(answer.request, by: requester, refusal)
                }
            return seen.records.count { $0 == record } == 1
        },
        Law(name: "what is refused changes nothing") { seen in
            guard case .refused? = seen.answer else { return true }
            return seen.gate == seen.gateBefore
        },
        Law(name: "nothing asked from afar relocks onto anybody (5)") { seen in
            guard seen.asked != nil else { return true }
            let isRelocked = seen.locks.contains { seen.wasOn($0.lock) && !seen.isOn($0.lock) }
            return !isRelocked || seen.inputs.isRotorHome && seen.world.rotor.isHome
        },
        Law(name: "nothing asked from afar opens a gate that is stopped (14)") { seen in
            guard seen.asked != nil, seen.inputs[.stop], !seen.gate.emergency.isActive else {
                return true
            }
            return seen.locks.allSatisfy { seen.wasOn($0.lock) || !seen.isOn($0.lock) }
        },
        Law(
            name: "an emergency is reset from afar where the owner says so, loop closed, lane clear"
        ) { seen in
            guard let (request, _) = seen.asked, seen.gateBefore.emergency.isActive else {
                return true
            }
            let isOver = !seen.gate.emergency.isActive
            if seen.policy.remoteEmergencyReset == .never || seen.inputs[.fire]
                || !seen.inputs.isRotorHome || !seen.world.rotor.isHome
            {
                return !isOver
            }
            guard request == .resetEmergency else { return true }
            return isOver == (seen.gateBefore.emergency.state != .loopOpen)
        },
        Law(name: "a repair is confirmed from afar where the owner says so") { seen in
            guard seen.asked != nil, seen.policy.remoteRepair == .never else { return true }
            return seen.gate.faults.up == seen.gateBefore.faults.up
        },
        Law(name: "service mode begins from afar where the owner says so, and ends by its own") {
            seen in
            guard let (_, requester) = seen.asked else { return true }
            let (before, after) = (seen.gateBefore.service, seen.gate.service)
            if before.requester == nil, after.requester != nil {
                return seen.policy.remoteService == .allowed && after.requester == requester
            }
            let isSame = before.state == after.state && before.requester == after.requester
            // Whoever waits may have the gate now that nobody is let pass any more.
            let isTheirTurn = before.isAwaited && before.requester == after.requester
            return isSame || isTheirTurn || before.requester == requester
        },
        Law(name: "an output is tested for whoever has the gate, in service mode alone (4)") {
            seen in
            guard let (_, requester) = seen.asked, let tested = seen.gate.service.tested,
                seen.gate.service != seen.gateBefore.service, !seen.gateBefore.service.isAwaited
            else { return true }
            return seen.gate.service.isOn && seen.gate.service.requester == requester
                && seen.equipment.outputs[tested] && seen.inputs.isRotorHome
        },
        Law(name: "an output is tested for as long as somebody asks, or a second") { seen in
            guard case (.test(let output, let length), _)? = seen.asked, seen.answer == .done else {
                return true
            }
            // It is always 0 o'clock.
            return seen.gate.service.tested == output && !seen.isCut(output)
                && seen.gate.service.deadline == .zero + (length ?? .seconds(1))
        },
        Law(name: "of a group everybody is authorised, or nobody (6)") { seen in
            guard case (.grantGroup(_, let count), _)? = seen.asked, seen.answer == .done else {
                return true
            }
            let authorised = [seen.gateBefore, seen.gate].map { gate in
                gate.queue.total + (gate.lane.grant == nil ? 0 : 1)
            }
            return authorised[1] == authorised[0] + count
                && (count == 1 || seen.gate.held <= seen.policy.maxStored)
        },
        Law(name: "what somebody paid is not taken back (6)") { seen in
            guard case (.withdraw, _)? = seen.asked else { return true }
            // Then it may be the turn of whoever paid.
            let isTheirTurn = seen.gate.lane.grant?.authorisation.kind == .paid
            if seen.gate.credit != seen.gateBefore.credit { return isTheirTurn }
            guard case .credit? = seen.gateBefore.lane.grant?.authorisation else { return true }
            return seen.gate.lane == seen.gateBefore.lane
        },
        Law(name: "whoever was told to wait is told what came of it, over a restart as well") {
            seen in
            let waitingBefore = seen.waitingBefore
            guard !waitingBefore.isEmpty else { return true }
            let waiting = seen.after.turnstile.waiting
            return waitingBefore.allSatisfy { before in
                waiting.contains(before)
                    || seen.records.contains { $0.tells(before.requester, of: before.request) }
            }
        },
        Law(name: "nobody waits for what is in force") { seen in
            let (terms, wanted) = (seen.gate.timetable.terms, seen.gate.timetable.regime)
            let waitsForPolicy = seen.after.turnstile.policyRequester != nil
            guard seen.drive != nil, waitsForPolicy || terms.isAnyAwaited else { return true }
            if seen.after.turnstile.isIdle { return false }
            return !Direction.allCases.contains {
                terms[$0]?.isAwaited == true && wanted[$0] == seen.gate.regime[$0]
            }
        },
        Law(name: "a mode that is said to be in force is so, one that is deferred is asked for") {
            seen in
            guard case (.setMode(let direction, let mode, _), _)? = seen.asked else { return true }
            let wanted = mode ?? seen.policy.regime[direction]
            switch seen.answer {
            case .done: return seen.gate.regime[direction] == wanted
            case .deferred:
                return seen.gate.regime == seen.gateBefore.regime
                    && seen.gate.timetable.regime[direction] == wanted
            case .refused, nil: return seen.gate.timetable == seen.gateBefore.timetable
            }
        },
    ]
}

extension Observation {
    /// What was asked for from afar, and who asked.
    fileprivate var asked: (Request, Requester)? {
        guard case .asked(let request, let requester) = event else { return nil }
        return (request, requester)
    }

    /// What became of it.
    fileprivate var answer: Answer.Result? { answers.first?.result }

    /// Which operators were told to wait, and for what; before a start, by what was retained.
    fileprivate var waitingBefore: [Waiting] {
        guard let past else { return before.turnstile.waiting }
        guard case .known(let state) = past.recovery else { return [] }
        return state.terms.waiting(
            forService: state.serviceRequester, forPolicy: state.policyRequester)
    }
}

/// Somebody who was told to wait, and what for.
private struct Waiting: Equatable {
    var request: Request.Kind
    var requester: Requester
    var direction: Direction?
    var mode: Mode?
}

extension Terms {
    /// Which operators wait for one of them, for service mode, or with a policy.
    fileprivate func waiting(forService: Requester?, forPolicy: Requester?) -> [Waiting] {
        guard isAnyAwaited || forService != nil || forPolicy != nil else { return [] }
        let modes = Direction.allCases.compactMap { direction -> Waiting? in
            guard let term = self[direction], term.isAwaited else { return nil }
            return Waiting(
                request: .setMode, requester: term.requester, direction: direction,
                mode: term.value)
        }
        let forEnforcement = enforcement.flatMap { $0.isAwaited ? $0.requester : nil }
        let others: [Waiting?] = [
            forEnforcement.map { Waiting(request: .setEnforcement, requester: $0) },
            forService.map { Waiting(request: .beginService, requester: $0) },
            forPolicy.map { Waiting(request: .adopt, requester: $0) },
        ]
        return (modes + others.compactMap { $0 }).filter { $0.requester.person != nil }
    }
}

extension Turnstile {
    /// Which operators were told to wait, and for what.
    fileprivate var waiting: [Waiting] {
        gate.timetable.terms.waiting(
            forService: gate.service.isAwaited ? gate.service.requester : nil,
            forPolicy: policyRequester)
    }
}

extension Record {
    /// Whether it says what came of what this one waited for.
    fileprivate func tells(_ requester: Requester, of request: Request.Kind) -> Bool {
        switch self {
        case .refused(request, by: requester, _), .done(request, by: requester): true
        case .done(.endService, by: requester): request == .beginService
        case .serviceStarted(by: requester): request == .beginService
        case .policyChanged(by: requester): request == .adopt
        case .modeChanged(_, _, by: requester): request == .setMode
        case .enforcementChanged(_, by: requester): request == .setEnforcement
        case _: false
        }
    }
}
