public import StateMachines

/// All that a gate is doing, and why: for whoever operates it.
///
/// It is made when somebody asks for it, never on the way of an edge: see
/// ``Turnstile/report(_:outputs:)``. All times in it are monotonic.
public struct StatusReport: PerDirection, Hashable, Sendable {
    /// In a few words.
    public var status: Status
    /// What the gate does; the first that is the case.
    public var standing: Gate.Standing
    /// The way in.
    public var entry: Way
    /// The way out.
    public var exit: Way
    /// How alarms about passages are raised.
    public var enforcement: InForce<Enforcement>
    /// What is held for the next passages, in minor units of the currency.
    public var credit: Int
    /// What one passage in costs, likewise.
    public var price: Int
    /// How many authorisations are held, and how many may be.
    public var held: Int, mostHeld: Int
    /// Why coins are refused; nil while they are taken, and where nobody needs any.
    public var coinRefusal: CoinRefusal?
    /// Whether a switch told of a collection that nobody has counted yet.
    public var isCountAwaited: Bool
    /// Who asked for service mode; nil where nobody has it or waits for it.
    public var serviceRequester: Requester?
    /// Who asked for a policy that waits until the gate is idle; nil where none waits.
    public var policyRequester: Requester?
    /// The faults that are up.
    public var faults: [Raised<Fault>]
    /// The alarms that are up.
    public var alarms: [Raised<Alarm>]
    /// What is wired.
    public var equipment: Equipment
    /// The inputs that are active, as far as they count.
    public var inputs: InputLevels
    /// What every output that is wired carries.
    public var outputs: [OutputReport]
    /// What is due, the next first.
    public var due: [Due]

    /// One way through.
    public struct Way: Hashable, Sendable {
        /// Who may pass.
        public var mode: InForce<Mode>
        /// Whether the lock lets somebody pass now.
        public var isReleased: Bool
        /// What the gate is released for in this direction, or would be if nothing blocked it.
        public var grant: Authorisation?
        /// Whether somebody is on the way through.
        public var isPassing: Bool
        /// How many wait for their turn by a contact, and by operators.
        public var waitingByContact: Int, waitingByPerson: Int
    }

    /// What is in force, and until when.
    public struct InForce<Value: Hashable & Sendable>: Hashable, Sendable {
        /// What is in force.
        public var value: Value
        /// What somebody asked for, in force or not yet; nil where the schedule and the settings
        /// decide.
        public var term: Term<Value>?
        /// What comes into force as soon as the gate is idle; nil for nothing else.
        public var next: Value?
    }

    /// Something that is wrong.
    public struct Raised<Value: Hashable & Sendable>: Hashable, Sendable {
        /// What it is.
        public var value: Value
        /// Since when; nil where it was so before the start.
        public var since: Instant?
        /// What ends it.
        public var end: End
    }

    /// What ends a fault or an alarm.
    public enum End: Hashable, Sendable {
        /// The end of its cause.
        case cause
        /// The end of its cause, and then the mechanic's key.
        case causeThenKey
        /// The mechanic's key.
        case key
        /// Time.
        case at(Instant)
    }

    /// One output.
    public struct OutputReport: Hashable, Sendable {
        /// Which one.
        public var output: Output
        /// Whether it is on, by the last that the line has taken.
        public var isOn: Bool
        /// Why the line may carry something else; nil where it is known to carry that.
        public var fault: Fault?
        /// Whether its line carries "energised", by the last that it has taken; nil where that is
        /// not told. Of a lock with two coils it is the line of the one that pulls.
        public var isEnergised: Bool?
        /// Whether it lets people through; nil where it is no way.
        public var isReleased: Bool? { output.isWay ? isOn : nil }
    }

    /// Something that is due.
    public struct Due: Hashable, Sendable {
        /// When.
        public var time: Instant
        /// What happens then.
        public var reason: Reason
    }

    /// Why something is due. The raw values never change.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        /// A level has lasted for long enough to count.
        case contactSettles = "contact_settles"
        /// The rotor's sensors are believed.
        case rotorSettles = "rotor_settles"
        /// A train of pulses is over, or a coin line stuck.
        case coinCounted = "coin_counted"
        /// Nobody came, or followed, for too long.
        case passageWait = "passage_wait"
        /// An alarm ends.
        case alarmEnds = "alarm_ends"
        /// Credit that nobody uses is the operator's.
        case creditExpires = "credit_expires"
        /// A light beam has been interrupted for too long.
        case beamBlocked = "beam_blocked"
        /// The arm has not come to rest for too long.
        case armNotHome = "arm_not_home"
        /// A lock has not followed for too long.
        case lockNotResponding = "lock_not_responding"
        /// The mechanic's key was held for long enough, or the next output is tested.
        case service
        /// Another mode or enforcement is asked for.
        case termsChange = "terms_change"
        /// Somebody has stood in the rotor for too long.
        case passageDelayed = "passage_delayed"
        /// A contact has been held for too long.
        case contactStuck = "contact_stuck"
        /// A lock that cannot be held open rests in an emergency, or has rested.
        case lockRests = "lock_rests"
        /// An outage is no short one any longer.
        case outageLasts = "outage_lasts"
        /// No coin is on its way any longer.
        case lateCoinsOver = "late_coins_over"
        /// What an acceptor sends from then on are coins.
        case earlyCoinsOver = "early_coins_over"
        /// A counting pulse, or the pause after it, is over.
        case countPulse = "count_pulse"
    }
}

/// Since when faults and alarms are up, by the records.
///
/// It is no part of the machine, whose state must not depend on how long ago something was.
public struct Onsets: Hashable, Sendable {
    private var faults: [Fault: Instant] = [:]
    private var alarms: [Alarm: Instant] = [:]

    /// Nothing is up.
    public init() {}

    /// Takes what was recorded of something that happened at `time`.
    public mutating func count(_ record: Record, at time: Instant) {
        if case .faultRaised(let fault) = record { faults[fault] = time }
        if case .faultCleared(let fault) = record { faults[fault] = nil }
        if case .alarmRaised(let alarm) = record { alarms[alarm] = time }
        if case .alarmCleared(let alarm) = record { alarms[alarm] = nil }
    }

    /// Since when the fault is up; nil where that is not known.
    public subscript(fault: Fault) -> Instant? { faults[fault] }

    /// Since when the alarm is up, likewise.
    public subscript(alarm: Alarm) -> Instant? { alarms[alarm] }
}
