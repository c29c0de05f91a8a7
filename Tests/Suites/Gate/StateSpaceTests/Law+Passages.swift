import StateMachines

@testable import Turnstile

extension Law {
    /// Who passed.
    static let passages = [
        Law(name: "one authorisation, at most one passage; a back-out uses up none (6)") { seen in
            guard seen.drive != nil else { return true }
            var leave = Leave(seen)
            for record in seen.records where !leave.follow(record, seen) { return false }
            return leave.isWhatIsHeld(by: seen.gate)
                && leave.fareBefore == seen.world.notebook?.fareBefore ?? 0
        },
        Law(name: "a fare from before the start is used, or credit again, as soon as it can be") {
            seen in
            guard let notebook = seen.world.notebook, notebook.closed == nil else { return true }
            guard case .recovering(let passage) = seen.gate.lane.state else {
                return seen.drive == nil || notebook.fareBefore == 0
            }
            return notebook.fareBefore == 0 || passage.kind == .paid
        },
        Law(name: "every turn of the rotor is one passage, in its direction (11)") { seen in
            let passages = seen.records.compactMap { record in
                if case .passageCompleted(let direction, _) = record { direction } else { nil }
            }
            return passages == (seen.world.rotor.passage.map { [$0] } ?? [])
        },
        Law(name: "a passage counts as what the gate was for when it was made (11)") { seen in
            seen.records.allSatisfy { record in
                guard case .passageCompleted(_, let kind) = record else { return true }
                let gate = seen.gateBefore
                if gate.emergency.isActive { return kind == .emergency }
                if gate.service.isOn { return kind == .service }
                return kind != .emergency && kind != .service
            }
        },
        Law(name: "whoever comes half-way without an authorisation raises the alarm") { seen in
            Direction.allCases.allSatisfy { direction in
                guard seen.reachesMiddle(direction), seen.isGuarded else { return true }
                guard !seen.isPassing(direction) else { return true }
                return seen.gate.alarms[seen.intrusion(direction)] != nil
            }
        },
        Law(name: "whoever has leave to pass raises no alarm of intrusion") { seen in
            Direction.allCases.allSatisfy { direction in
                guard seen.reachesMiddle(direction), seen.isPassing(direction) else { return true }
                return !seen.records.contains { record in
                    guard case .alarmRaised(let alarm) = record else { return false }
                    return [.forcedPassage, .reversePassage, .tailgating].contains(alarm)
                }
            }
        },
        Law(name: "the detector raises the alarm while nobody has leave to pass, and only then") {
            seen in
            let isRaised = seen.records.contains(.alarmRaised(.intrusion))
            guard seen.event == .pressed(.intrusion), seen.drive != nil else { return !isRaised }
            return isRaised == (seen.isGuarded && !seen.isAnybodyExpected)
        },
        Law(name: "a gap is a fault; only that, a skip or a start loses a passage (12)") { seen in
            if case .edgesLost = seen.event, seen.outcome.isHandled {
                return seen.records.contains(.faultRaised(.edgesLost))
            }
            return seen.before.world.rotor.quarters == nil || seen.past != nil
                || seen.event == .ledgerOpened || seen.world.rotor.hasSkipped
                || !seen.records.contains {
                    if case .passageLost = $0 { true } else { false }
                }
        },
    ]
}

extension Observation {
    /// Whether the gate does not stand open to everybody.
    fileprivate var isGuarded: Bool {
        !gateBefore.emergency.isActive && !gateBefore.service.isOn && !gate.emergency.isActive
    }

    /// Whether somebody might be in the lane: they had leave to pass, or have just passed.
    fileprivate var isAnybodyExpected: Bool {
        switch gateBefore.lane.state {
        case .released, .passing, .recovering: return true
        case .locked, .suspended: break
        }
        if before.world.tailgatingWindow != nil { return true }
        return gateBefore.standing == .inService
            && Direction.allCases.contains { gateBefore.regime[$0] == .free }
    }

    /// Whether whoever was in the rotor had leave to go this way.
    fileprivate func isPassing(_ direction: Direction) -> Bool {
        if gateBefore.regime[direction] == .free,
            gateBefore.standing == .inService || gateBefore.lane.isOccupied
        {
            return true
        }
        switch gateBefore.lane.state {
        case .passing(let passage): return passage.grant.direction == direction
        case .recovering: return true
        case .locked, .released, .suspended: return false
        }
    }

    /// What it is to come half-way without leave.
    fileprivate func intrusion(_ direction: Direction) -> Alarm {
        if before.world.tailgatingWindow?.direction == direction { return .tailgating }
        return gateBefore.lane.grant?.direction == direction.opposite
            ? .reversePassage : .forcedPassage
    }
}

extension Observation {
    /// The way of which an authorisation was asked back.
    fileprivate var withdrawn: Direction? {
        if case .asked(.withdraw(let direction), _) = event { direction } else { nil }
    }
}

extension Gate.Queue {
    /// How many wait to pass this way.
    fileprivate func count(_ direction: Direction) -> Int {
        self[direction] + people.count { $0.direction == direction }
    }
}

extension RetainedState {
    /// Whether who was let pass in this direction before keeps their turn in this gate, which has
    /// just started.
    func keepsTurns(_ direction: Direction, in gate: Gate) -> Bool {
        let isShort = absence.map { $0 < gate.policy.passWait } ?? false
        return isShort && !gate.emergency.isActive && gate.regime[direction] == .controlled
    }
}

extension Gate {
    /// Whether somebody is in the rotor who stood there at the start.
    fileprivate var isSomebodyFound: Bool {
        if case .recovering = lane.state { true } else { false }
    }
}

/// Who has leave to pass, by the records so far.
private struct Leave {
    var grant: Lane.Grant?
    var entry: Int
    var exit: Int
    /// Whether somebody is in the rotor who stood there at the start.
    var isSomebodyFound: Bool
    /// What somebody paid before the start for a passage that nobody has accounted for.
    var fareBefore: Int
    /// Whether what became void of those who wait is told already: of each who gave some, once.
    private var isStoreTold = false

    init(_ seen: Observation) {
        let gate = seen.gateBefore
        if let past = seen.past {
            isSomebodyFound = seen.gate.isSomebodyFound
            fareBefore = past.balances?.fareInUse ?? 0
            (entry, exit) = (0, 0)
            guard case .known(let state) = past.recovery else { return }
            (entry, exit) = (state.queue.count(.entry), state.queue.count(.exit))
            guard let release = state.released else { return }
            if state.keepsTurns(release.grant.direction, in: seen.gate), !isSomebodyFound {
                grant = release.grant
            } else {
                entry += release.grant.direction == .entry ? 1 : 0
                exit += release.grant.direction == .exit ? 1 : 0
            }
        } else {
            isSomebodyFound = gate.isSomebodyFound
            fareBefore = seen.before.world.notebook?.fareBefore ?? 0
            grant = gate.lane.grant
            (entry, exit) = (gate.queue.count(.entry), gate.queue.count(.exit))
        }
    }

    /// Hears a record; false when nobody had the leave that it tells of.
    mutating func follow(_ record: Record, _ seen: Observation) -> Bool {
        switch record {
        case .released(let direction, let authorisation):
            guard grant == nil else { return false }
            grant = Lane.Grant(direction, by: authorisation)
            if authorisation.isGranted { takeFromStore(direction) }
            // They had not come before the start, and have it again.
            if seen.event == .ledgerOpened, !authorisation.isGranted { fareBefore = 0 }
        case .stored(.entry): entry += 1
        case .stored(.exit): exit += 1
        case .storedDropped where seen.withdrawn != nil:
            seen.withdrawn.map { takeFromStore($0) }
        case .storedDropped where isStoreTold: break
        case .storedDropped:
            isStoreTold = true
            let count = seen.records.reduce(0) { sum, record in
                if case .storedDropped(let count, _) = record { sum + count } else { sum }
            }
            let regime = seen.gate.regime
            let isAll = count == entry + exit
            let isVoid = (isAll || regime.entry != .controlled, isAll || regime.exit != .controlled)
            guard count == (isVoid.0 ? entry : 0) + (isVoid.1 ? exit : 0) else { return false }
            (entry, exit) = (isVoid.0 ? 0 : entry, isVoid.1 ? 0 : exit)
        case .authorisationDropped(let direction, let number):
            guard let taken = grant, taken.direction == direction, taken.authorisation.isGranted,
                taken.authorisation.operatorNumber == number
            else { return false }
            grant = nil
        case .waitTimedOut(let direction):
            guard grant?.direction == direction else { return false }
            if grant?.authorisation.isGranted == true { grant = nil }
        case .creditUsed(let value) where seen.event == .ledgerOpened: fareBefore = value
        case .creditReturned(let value)
        where (grant == nil || seen.event == .ledgerOpened) && fareBefore == value:
            fareBefore = 0
        case .creditReturned(let value):
            guard grant?.authorisation == .credit(fare: value) else { return false }
            grant = nil
        case .passageLost(.entry, .paid)
        where (grant == nil || seen.event == .ledgerOpened) && fareBefore > 0:
            fareBefore = 0
        case .passageRecovered(_, let kind):
            guard isSomebodyFound else { return false }
            isSomebodyFound = false
            if kind == .paid { fareBefore = 0 }
        case .passageCompleted(let direction, let kind), .passageLost(let direction, let kind):
            guard kind == .paid || kind == .free else { return true }
            if seen.gateBefore.regime[direction] == .free { return kind == .free }
            guard grant?.direction == direction, grant?.authorisation.kind == kind else {
                return false
            }
            grant = nil
        case .passageStarted(let direction), .passageBackedOut(let direction):
            return grant?.direction == direction || seen.gateBefore.regime[direction] == .free
        case _: break
        }
        return true
    }

    private mutating func takeFromStore(_ direction: Direction) {
        switch direction {
        case .entry: entry = max(entry - 1, 0)
        case .exit: exit = max(exit - 1, 0)
        }
    }

    /// Whether that is what the gate holds.
    func isWhatIsHeld(by gate: Gate) -> Bool {
        entry == gate.queue.count(.entry) && exit == gate.queue.count(.exit)
            && grant == gate.lane.grant
            && isSomebodyFound == gate.isSomebodyFound
    }
}
