/// What a turnstile is doing, in a few words.
public struct Status: Hashable, Sendable {
    /// The state of a gate, by priority: an emergency hides all else, a fault hides the lane.
    public enum State: Hashable, Sendable {
        /// Nothing is driven yet.
        case starting
        /// Nobody may pass; coins are taken.
        case locked
        /// One person may come in.
        case released
        /// Somebody is coming in.
        case passing
        /// Nobody may pass, because of this fault.
        case outOfService(Fault)
        /// The gate stands open: the emergency loop is open.
        case emergency
        /// The gate stands open: the loop is closed, the reset is to come.
        case awaitingReset
        /// The gate stands open: the reset was given, somebody is in the lane.
        case awaitingClearLane
    }

    /// What the gate is doing.
    public var state: State
    /// What is held for the next passages, in minor units of the currency.
    public var credit: Int
    /// Whether the siren sounds.
    public var soundsAlarm: Bool

    /// A status.
    public init(state: State, credit: Int, soundsAlarm: Bool) {
        self.state = state
        self.credit = credit
        self.soundsAlarm = soundsAlarm
    }
}

extension Status.State {
    /// The state's name in the journal.
    public var name: String {
        switch self {
        case .starting: "starting"
        case .locked: "locked"
        case .released: "released"
        case .passing: "passing"
        case .outOfService: "out_of_service"
        case .emergency: "emergency"
        case .awaitingReset: "awaiting_reset"
        case .awaitingClearLane: "awaiting_clear_lane"
        }
    }
}

extension Status: CustomStringConvertible {
    /// One line for people: `locked, credit 150`, `out of service (external), alarm`.
    public var description: String {
        var text = state.name.map { $0 == "_" ? " " : String($0) }.joined()
        if case .outOfService(let fault) = state { text += " (\(fault.name))" }
        if credit != 0 { text += ", credit \(credit)" }
        if soundsAlarm { text += ", alarm" }
        return text
    }
}

extension Turnstile {
    /// What the turnstile is doing.
    public var status: Status {
        Status(state: gate.state, credit: gate.credit, soundsAlarm: gate.alarms.isSounding)
    }
}

extension Gate {
    /// What the gate is doing.
    var state: Status.State {
        guard hasStarted else { return .starting }
        switch emergency.state {
        case .loopOpen: return .emergency
        case .awaitingReset: return .awaitingReset
        case .awaitingClearLane: return .awaitingClearLane
        case .none: break
        }
        if let fault = faults.reason { return .outOfService(fault) }
        switch lane.state {
        case .locked, .suspended: return .locked
        case .released: return .released
        case .passing: return .passing
        }
    }
}
