public import StateMachines

/// All that a gate is doing, and why: for its operator.
///
/// It is made on request, never on the path of an edge: see ``Turnstile/report(_:outputs:)``. All
/// times in it are monotonic.
public struct StatusReport: PerDirection, Hashable, Sendable {
    /// In a few words.
    public var status: Status
    /// The gate's state; the first that applies.
    public var standing: Gate.Standing
    /// The way in.
    public var entry: Way
    /// The way out.
    public var exit: Way
    /// How alarms about passages are raised.
    public var enforcement: InForce<Enforcement>
    /// The credit for the next passages, in minor units of the currency.
    public var credit: Int
    /// The fare for the way in, likewise.
    public var price: Int
    /// How many authorisations are held, and how many may be.
    public var held: Int, mostHeld: Int
    /// Why coins are refused; nil while they are accepted, or if none are needed.
    public var coinRefusal: CoinRefusal?
    /// Whether a vault switch recorded a collection that is not counted yet.
    public var isCountAwaited: Bool
    /// The requester that has service mode or waits for it.
    public var serviceRequester: Requester?
    /// The requester of a pending policy.
    public var policyRequester: Requester?
    /// The faults that are up.
    public var faults: [Raised<Fault>]
    /// The alarms that are up.
    public var alarms: [Raised<Alarm>]
    /// The wired lines.
    public var equipment: Equipment
    /// The inputs that are active, as far as they count.
    public var inputs: InputLevels
    /// All wired outputs.
    public var outputs: [OutputReport]
    /// The pending timeouts, the next first.
    public var due: [Due]

    /// One way through.
    public struct Way: Hashable, Sendable {
        /// The mode.
        public var mode: InForce<Mode>
        /// Whether the lock is released now.
        public var isReleased: Bool
        /// The authorisation for which the gate is released in this direction, or would be if it
        /// were not blocked.
        public var grant: Authorisation?
        /// Whether a person is on the way through.
        public var isPassing: Bool
        /// How many wait for their turn by a contact, and by operators.
        public var waitingByContact: Int, waitingByPerson: Int
    }

    /// A value in force, and until when.
    public struct InForce<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The value in force.
        public var value: Value
        /// The request that decides, in force or not yet; nil if schedule and settings do.
        public var term: Term<Value>?
        /// The value that comes into force as soon as the gate is idle, if another.
        public var next: Value?
    }

    /// Something that is wrong.
    public struct Raised<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The fault or alarm.
        public var value: Value
        /// Since when; nil where it was so before the start.
        public var since: Instant?
        /// What ends it.
        public var end: End
    }

    /// The end of a fault or an alarm.
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
        /// Whether its line is energised, by its last level; nil if that is not reported. For a
        /// lock with two coils it is the line of the pulling one.
        public var isEnergised: Bool?
        /// Whether it lets people through; nil where it is no way.
        public var isReleased: Bool? { output.isWay ? isOn : nil }
    }

    /// Something that is due.
    public struct Due: Hashable, Sendable {
        /// When.
        public var time: Instant
        /// The effect of the timeout.
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
        /// The wait for the passenger, or the time for tailgating, is over.
        case passageWait = "passage_wait"
        /// An alarm ends.
        case alarmEnds = "alarm_ends"
        /// Unused credit expires.
        case creditExpires = "credit_expires"
        /// A light beam has been interrupted for too long.
        case beamBlocked = "beam_blocked"
        /// The arm did not come to rest.
        case armNotHome = "arm_not_home"
        /// A lock has not followed for too long.
        case lockNotResponding = "lock_not_responding"
        /// The mechanic's key was held for long enough, or the next output is tested.
        case service
        /// Another mode or enforcement is asked for.
        case termsChange = "terms_change"
        /// A person has stood in the rotor for too long.
        case passageDelayed = "passage_delayed"
        /// A contact has been held for too long.
        case contactStuck = "contact_stuck"
        /// A lock that cannot be held open rests in an emergency, or has rested.
        case lockRests = "lock_rests"
        /// An outage is no short one any longer.
        case outageLasts = "outage_lasts"
        /// No coin is on its way any longer.
        case lateCoinsOver = "late_coins_over"
        /// Pulses of an acceptor count as coins from then on.
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

    /// Takes the record of an event at `time`.
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
