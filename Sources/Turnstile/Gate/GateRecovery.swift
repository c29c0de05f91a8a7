import StateMachines

// What was before the start, and what must be known after the end.
extension Gate {
    /// What is known of the time before the start, for as long as something may come of it.
    struct Past: Hashable, Sendable {
        /// Where the ledger is.
        var ledger: Ledger
        /// What the gate before this one retained, until the start.
        var recovery: Retained
        /// Who stood in the rotor at the start.
        var occupant = Occupant.nobody
        /// Whether the fare that was in use before the start was accounted for.
        var isFareAccountedFor = false

        /// Who stood in the rotor at the start.
        enum Occupant: Hashable, Sendable {
            case nobody
            /// Somebody of whom nothing was retained: perhaps the one who has paid.
            case unknown
            /// Somebody whose passage was retained.
            case known
        }

        /// Where the ledger is. What it held is out of the way of all that happens later.
        enum Ledger: Hashable, Sendable {
            case none, awaited, open
            indirect case holds(Holdings)

            init(_ connection: LedgerConnection) {
                switch connection {
                case .none: self = .none
                case .awaited: self = .awaited
                case .open(let holdings): self = .holds(holdings)
                }
            }
        }

        /// What the gate before this one retained.
        enum Retained: Hashable, Sendable {
            case nothing, unknown
            indirect case state(RetainedState)

            static func from(_ recovery: Recovery) -> Retained {
                switch recovery {
                case .unknown: .unknown
                case .known(let state): state == RetainedState() ? .nothing : .state(state)
                }
            }
        }
    }

    /// What the end of the service must not take away.
    var retained: RetainedState {
        var state = RetainedState()
        state.emergency = emergency.state
        state.faults = faults.latched
        state.alarms = alarms.latched
        state.isInServiceMode = service.isOn
        state.contacts = stored
        switch lane.state {
        case .locked: break
        case .released(let grant, let until):
            state.keep(grant)
            // Without an end while somebody comes the other way.
            guard until == nil else { break }
            let other = grant.direction.opposite
            state.passage = .init(other, lane.isFree(other) ? .free : .unauthorised)
        case .suspended(let grant): state.keep(grant)
        case .passing(let passage):
            let grant = passage.grant
            state.passage = RetainedState.Passage(grant.direction, grant.authorisation.kind)
        case .recovering(let passage, _): state.passage = passage
        }
        return state
    }
}

extension RetainedState {
    /// Keeps an authorisation that was not used, unless it was paid for, which the ledger knows.
    fileprivate mutating func keep(_ grant: Lane.Grant) {
        guard grant.authorisation == .contact else { return }
        switch grant.direction {
        case .entry: contacts.entry += 1
        case .exit: contacts.exit += 1
        }
    }
}

// The start.
extension Gate {
    /// Goes on from where the gate before this one ended; the lines carry `levels`.
    mutating func recover(
        _ levels: InputLevels, at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        var before = RetainedState()
        switch past.recovery {
        case .nothing: break
        case .state(let state):
            before = state
            restore(state, &log)
        case .unknown:
            log.record(.stateUnknown)
            if equipment.inputs[.fire] && !levels[.fire] {
                emergency = Emergency(policy: policy, state: .awaitingReset)
            }
        }
        past.recovery = .nothing
        if emergency.state == .loopOpen { moveLoop(isOpen: levels[.fire], at: time, &log, perform) }
        findPerson(levels, before, at: time, &log)
        if case .holds(let holdings) = past.ledger {
            past.ledger = .awaited
            opened(holdings, at: time, &log)
        }
        takeUp(before.contacts, isEmergency: levels[.fire] || emergency.isActive, &log)
    }

    private mutating func restore(_ state: RetainedState, _ log: inout Log) {
        faults = FaultBoard(state.faults)
        for fault in faults.latched.all { log.record(.faultRecovered(fault)) }
        if let fault = faults.reason { log.record(.outOfService(fault)) }
        alarms = AlarmPanel(state.alarms)
        for alarm in Alarm.ordered where state.alarms[alarm] { log.record(.alarmRecovered(alarm)) }
        if state.isInServiceMode { log.record(.serviceEnded) }
        guard state.emergency != .none else { return }
        emergency = Emergency(policy: policy, state: state.emergency)
        log.record(.emergencyRecovered)
    }

    /// Whoever stands in the rotor is on the way through, unless everybody is.
    private mutating func findPerson(
        _ levels: InputLevels, _ before: RetainedState, at time: Instant, _ log: inout Log
    ) {
        // An arm at rest with sensors that tell of a turn is a fault, and nobody.
        guard !isLaneClear, !(equipment.inputs[.home] && levels[.home]) else { return }
        past.occupant = before.passage == nil ? .unknown : .known
        guard !emergency.isActive, !levels[.fire] else { return }
        let passage = before.passage ?? passageOfUnknown(wasInServiceMode: before.isInServiceMode)
        note(lane.handle(.found(passage, at: time)), at: time, &log)
    }

    /// What it counts as if somebody is in the rotor of whom nothing is known.
    private func passageOfUnknown(wasInServiceMode: Bool) -> RetainedState.Passage {
        if wasInServiceMode { return .init(.entry, .service) }
        if lane.freeEntry { return .init(.entry, .free) }
        return lane.freeExit ? .init(.exit, .free) : .init(.entry, .unauthorised)
    }

    /// Whoever was let pass by contact and had not come may still come, where a repair leaves the
    /// gate as it was.
    private mutating func takeUp(_ contacts: Stored, isEmergency: Bool, _ log: inout Log) {
        stored = contacts
        if isEmergency || policy.repairResumes == .locked { dropStored(&log) }
    }
}

// The ledger.
extension Gate {
    /// Takes over what the gate before this one held for people. It lets nobody in by itself: the
    /// next coin does, or whoever pushes.
    ///
    /// A coin that was counted and not credited is credited now. A fare whose passage had begun, or
    /// whose passenger may have stood in the rotor, is used; else it is credit again.
    mutating func opened(_ holdings: Holdings, at time: Instant, _ log: inout Log) {
        guard past.ledger == .awaited else { return log.ignore("the ledger is open already") }
        past.ledger = .open
        log.change()
        note(faults.handle(.gone(.storageFailed)), at: time, &log)
        if holdings.credit > 0 {
            note(purse.handle(.credited(holdings.credit, at: time)), at: time, &log)
        }
        for acceptor in Acceptor.ordered {
            guard let coin = holdings.counted[acceptor] else { continue }
            note(purse.handle(.credited(coin.value, at: time)), at: time, &log)
            log.record(.coinLate(coin))
            log.counts.money += coin.value / policy.meterUnit
        }
        if holdings.fareInUse > 0 { settle(holdings, at: time, &log) }
        if credit > 0 { log.record(.creditRecovered(value: credit)) }
    }

    /// Decides what becomes of a fare that was in use before the start.
    private mutating func settle(_ holdings: Holdings, at time: Instant, _ log: inout Log) {
        guard !past.isFareAccountedFor else { return }
        var isUsed = holdings.isFareBegun
        if case .recovering(let passage, _) = lane.state {
            // It is used when they are out of the rotor, if it is theirs.
            guard passage.kind != .paid else { return }
            if past.occupant == .unknown {
                return note(lane.handle(.found(.init(.entry, .paid), at: time)), at: time, &log)
            }
            isUsed = false
        } else if past.occupant == .unknown {
            isUsed = true
        }
        if isUsed {
            log.record(.passageLost(.entry, .paid))
            log.counts.passages += 1
        } else {
            let grant = Lane.Grant(.entry, by: .credit(fare: holdings.fareInUse))
            giveBack(grant, at: time, &log)
        }
    }
}
