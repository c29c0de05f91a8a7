// The names of the gate's regions, and of states that no visit names.

extension Gate.Region {
    /// The region's name: `commit_barrier`.
    public var name: String {
        switch self {
        case .lane: "lane"
        case .emergency: "emergency"
        case .faults: "faults"
        case .alarms: "alarms"
        case .creditAccount: "credit_account"
        case .commitBarrier: "commit_barrier"
        case .beams: "beams"
        case .arm: "arm"
        case .entryLock: "entry_lock"
        case .exitLock: "exit_lock"
        case .service: "service"
        case .timetable: "timetable"
        case .loiterer: "loiterer"
        case .heldContacts: "held_contacts"
        case .duties: "lock_duties"
        case .outage: "outage"
        case .lateCoins: "late_coins"
        case .earlyCoins: "early_coins"
        case .payer: "payer"
        case .counters: "counters"
        }
    }
}

extension Gate {
    /// The name of a region's state: `awaiting_reset`; nil for a region without named states.
    public func stateName(of region: Region) -> String? {
        switch region {
        case .lane: lane.state.name
        case .emergency: emergency.state.name
        case .commitBarrier: commitBarrier.state.name
        case .beams: beams.stateName
        case .arm: arm.stateName
        case .entryLock: locks.entry.stateName
        case .exitLock: locks.exit.stateName
        case .service: service.state.name
        case .loiterer: loiterer.state.name
        case .faults, .alarms, .creditAccount, .timetable, .heldContacts, .duties, .outage,
            .lateCoins, .earlyCoins, .payer, .counters:
            nil
        }
    }
}

extension Emergency.State {
    /// The state's name.
    public var name: String {
        switch self {
        case .none: "none"
        case .loopOpen: "loop_open"
        case .awaitingReset: "awaiting_reset"
        case .awaitingClearLane: "awaiting_clear_lane"
        }
    }
}

extension CommitBarrier.State {
    /// The state's name.
    public var name: String {
        switch self {
        case .durable: "stored"
        case .storing: "storing"
        case .awaited: "awaited"
        }
    }
}
