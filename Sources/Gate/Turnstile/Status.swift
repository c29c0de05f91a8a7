/// The state of a turnstile, in brief.
public struct Status: Hashable, Sendable {
    /// The state of a gate, by priority: the first that applies hides all others.
    public enum State: Hashable, Sendable {
        /// Nothing is driven yet.
        case starting
        /// The gate stands open: the emergency loop is open.
        case emergency
        /// The gate stands open: the loop is closed, the reset is to come.
        case awaitingReset
        /// The gate stands open: the reset was given while the lane was occupied.
        case awaitingClearLane
        /// Nobody may pass: the stop contact is active.
        case stopped
        /// The mechanic has the gate.
        case service
        /// The mechanic has the gate, and this output is tested.
        case testing(Output)
        /// Nobody may pass, because of this fault.
        case outOfService(Fault)
        /// A person passes this way.
        case passing(Direction)
        /// One person may pass this way.
        case released(Direction)
        /// Everybody may come in, or go out.
        case free
        /// Nobody may pass without an authorisation.
        case locked
    }

    /// A restriction of a gate in operation that its state does not show.
    public enum Limitation: Hashable, Sendable {
        /// Coins are refused, for this reason.
        case coinsRefused(CoinRefusal)
        /// There is this fault, and people notice nothing of it.
        case fault(Fault)
        /// The gate stands open, and the lock of this way cannot be held open; nil for both ways.
        case cannotHoldOpen(Direction?)
    }

    /// The gate's state.
    public var state: State
    /// The credit for the next passages, in minor units of the currency.
    public var credit: Int
    /// The number of queued authorisations, all unpaid.
    public var stored: Int
    /// A restriction that the state does not show.
    public var limitation: Limitation?
    /// Whether the siren or the buzzer sounds.
    public var soundsAlarm: Bool

    /// A status.
    public init(
        state: State, credit: Int, stored: Int = 0, limitation: Limitation? = nil,
        soundsAlarm: Bool
    ) {
        self.state = state
        self.credit = credit
        self.stored = stored
        self.limitation = limitation
        self.soundsAlarm = soundsAlarm
    }
}

extension Status.State {
    /// The state's name in the journal.
    public var name: String {
        switch self {
        case .starting: "starting"
        case .emergency: "emergency"
        case .awaitingReset: "awaiting_reset"
        case .awaitingClearLane: "awaiting_clear_lane"
        case .stopped: "stopped"
        case .service: "service"
        case .testing: "testing"
        case .outOfService: "out_of_service"
        case .passing: "passing"
        case .released: "released"
        case .free: "free"
        case .locked: "locked"
        }
    }
}

extension Status: CustomStringConvertible {
    /// One line for people: `locked, credit 150`, `out of service (F1 external), alarm`,
    /// `locked, coins refused (F18 storage_failed)`.
    public var description: String {
        var text = state.name.inWords
        switch state {
        case .outOfService(let fault): text += " (\(fault.label))"
        case .testing(let output): text += " \(output.name)"
        case .passing(let direction), .released(let direction): text += " (\(direction))"
        case .starting, .emergency, .awaitingReset, .awaitingClearLane, .stopped, .service, .free,
            .locked:
            break
        }
        if credit != 0 { text += ", credit \(credit)" }
        if stored != 0 { text += ", \(stored) waiting" }
        if let limitation { text += ", \(limitation)" }
        if soundsAlarm { text += ", alarm" }
        return text
    }
}

extension Status.Limitation: CustomStringConvertible {
    /// In a few words: `coins refused (F18 storage_failed)`, `F16 line_undrivable`.
    public var description: String {
        switch self {
        case .coinsRefused(.fault(let fault)): "coins refused (\(fault.label))"
        case .coinsRefused(let reason): "coins refused (\(reason.name.inWords))"
        case .fault(let fault): fault.label
        case .cannotHoldOpen(let direction?): "\(direction) cannot be held open"
        case .cannotHoldOpen(nil): "entry and exit cannot be held open"
        }
    }
}

extension String {
    /// A name, in words: `awaiting reset`.
    fileprivate var inWords: String { map { $0 == "_" ? " " : String($0) }.joined() }
}

extension Fault {
    /// Its code and name: `F18 storage_failed`.
    fileprivate var label: String { "\(code) \(name)" }
}

extension Gate {
    /// The gate's state and holdings.
    @inline(__always) var status: Status {
        Status(
            state: state, credit: credit, stored: queue.total, limitation: limitation,
            soundsAlarm: !alarms.up.isEmpty)
    }

    /// The restriction; the reason why coins are refused comes first.
    @inline(always) private var limitation: Status.Limitation? {
        guard hasStarted else { return nil }
        if emergency.isActive { return unsteadyWay }
        guard isInService else { return nil }
        let refusal = equipment.inputs[.coinPulse] ? coinRefusal : nil
        if let refusal { return .coinsRefused(refusal) }
        return faults.up.first.map { .fault($0) }
    }

    /// The ways that open and close in an emergency, since their locks cannot be held open.
    @inline(always) private var unsteadyWay: Status.Limitation? {
        let isEntryHeld = duties.entry.canHoldOpen || !equipment.outputs[.lockEntry]
        let isExitHeld = duties.exit.canHoldOpen || !equipment.outputs[.lockExit]
        switch (isEntryHeld, isExitHeld) {
        case (true, true): return nil
        case (false, false): return .cannotHoldOpen(nil)
        case (false, true): return .cannotHoldOpen(.entry)
        case (true, false): return .cannotHoldOpen(.exit)
        }
    }

    /// The gate's state.
    @inline(always) var state: Status.State {
        guard hasStarted else { return .starting }
        switch standing {
        case .emergency: return emergencyState
        case .stopped: return .stopped
        case .service: return service.tested.map { .testing($0) } ?? .service
        case .outOfService(let fault): return .outOfService(fault)
        case .inService: return laneState
        }
    }

    @inline(always) private var emergencyState: Status.State {
        switch emergency.state {
        case .none, .loopOpen: .emergency
        case .awaitingReset: .awaitingReset
        case .awaitingClearLane: .awaitingClearLane
        }
    }

    @inline(always) private var laneState: Status.State {
        switch lane.state {
        case .released(let grant, _): .released(grant.direction)
        case .passing(let passage): .passing(passage.grant.direction)
        case .recovering(let passage): .passing(passage.direction)
        case .locked, .suspended: lane.freeEntry || lane.freeExit ? .free : .locked
        }
    }
}
