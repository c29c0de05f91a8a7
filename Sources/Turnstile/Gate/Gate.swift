public import StateMachines

/// Who may pass, what is owed, and what is wrong.
///
/// A gate is made of regions that live side by side: the ``Lane``, the ``Emergency``, the
/// ``FaultBoard`` and the ``AlarmPanel``, each a machine of its own, and the credit. The gate
/// routes events to them, accounts for what they say, and derives from all of them together what
/// the outputs carry (``drive``). The commands on a transition are the difference between what was
/// driven before and what is driven after it, so that no path can forget one; then come the
/// records.
public struct Gate: StateMachine, Hashable, Sendable {
    /// What may happen to a gate, and when.
    public struct Event: Hashable, Sendable {
        /// What happened.
        public var kind: Kind
        /// When.
        public var time: Instant

        /// An event of this kind at this time.
        public init(_ kind: Kind, at time: Instant) {
            self.kind = kind
            self.time = time
        }
    }

    /// What may happen to a gate.
    public enum Kind: Hashable, Sendable {
        /// The shell is up: this is what the lines carry.
        case started(InputLevels)
        /// The rotor moved.
        case moved(RotorDecoder.Command)
        /// The coin line says something.
        case coin(CoinDecoder.Command)
        /// A contact, key or loop became active, or inactive.
        case contact(Input, isActive: Bool)
        /// Edges are missing.
        case edgesLost
        /// A line failed.
        case lineFailed(Line, LineFailure)
        /// An output was cut at its maximum on-time.
        case outputCut(Output)
        /// Time passed.
        case timePassed
    }

    /// What the outputs of a gate carry.
    public struct Drive: Hashable, Sendable {
        /// The lock lets people in.
        public var isReleased: Bool
        /// The acceptor takes coins.
        public var acceptsCoins: Bool
        /// The siren sounds.
        public var soundsAlarm: Bool

        /// Outputs that carry this.
        public init(isReleased: Bool, acceptsCoins: Bool, soundsAlarm: Bool) {
            self.isReleased = isReleased
            self.acceptsCoins = acceptsCoins
            self.soundsAlarm = soundsAlarm
        }
    }

    /// Where the rotor is, as far as the gate cares.
    enum Rotor: Hashable, Sendable {
        case home
        case turning(Direction)
        case lost
    }

    /// What the owner decided.
    public internal(set) var policy: Policy
    /// What is held for the next passages, in minor units of the currency.
    public internal(set) var credit = 0
    /// The way through.
    public internal(set) var lane: Lane
    /// The emergency.
    public internal(set) var emergency: Emergency
    /// The faults.
    public internal(set) var faults = FaultBoard()
    /// The alarms.
    public internal(set) var alarms = AlarmPanel()
    var rotor = Rotor.home
    var hasStarted = false

    /// A gate that has not started: nothing is driven.
    public init(policy: Policy) {
        self.policy = policy
        lane = Lane(policy: policy)
        emergency = Emergency(policy: policy)
    }

    /// Whether nobody is in the rotor.
    public var isLaneClear: Bool { rotor == .home }

    /// Whether a new policy can come into force without changing the terms for anybody.
    public var isIdle: Bool {
        hasStarted && !emergency.isActive && lane.state == .locked && isLaneClear
    }

    /// What the outputs carry in this state, or nil before the start. The order of the lines is
    /// the order of priority: emergency, out of service, lane.
    public var drive: Drive? {
        guard hasStarted else { return nil }
        let sounds = alarms.isSounding
        if emergency.isActive {
            // A lock that was cut would burn if it were driven before the repair.
            let isReleased = !faults.isUp(.energisedTooLong(.lockEntry))
            return Drive(isReleased: isReleased, acceptsCoins: false, soundsAlarm: sounds)
        }
        if faults.reason != nil {
            // Nobody is let in, but nobody is locked in either.
            let isReleased = lane.isOccupied && lane.isReleased
            return Drive(isReleased: isReleased, acceptsCoins: false, soundsAlarm: sounds)
        }
        return Drive(
            isReleased: lane.isReleased, acceptsCoins: lane.state == .locked, soundsAlarm: sounds)
    }

    /// When a wait, a delay or an alarm is over.
    public var deadline: Instant? {
        guard hasStarted else { return nil }
        return .earliest(lane.deadline, alarms.deadline)
    }

    /// Routes the event to the regions it concerns and answers with what is to be driven, then
    /// recorded.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        var commands = Commands<Command>()
        let verdict = handle(event) { commands.append($0) }
        return Outcome(verdict, commands)
    }

    /// The same, without a list.
    public mutating func handle(_ event: Event, perform: (Command) -> Void) -> Verdict {
        var log = Log()
        let before = drive
        take(event, &log)
        return log.tell(from: before, to: drive, perform: perform)
    }

    /// Lets `event` happen; what is to be said about it goes to `log`.
    mutating func take(_ event: Event, _ log: inout Log) {
        react(to: event, &log)
        settle(at: event.time, &log)
    }

    /// Moves every instant that the state holds.
    mutating func shiftInstants(by duration: Duration) {
        lane.shiftInstants(by: duration)
        alarms.shiftInstants(by: duration)
    }

    /// Does what follows from the regions' states as they now are together.
    private mutating func settle(at time: Instant, _ log: inout Log) {
        if faults.reason != nil, case .released = lane.state, !lane.isOccupied {
            note(lane.handle(.suspended), at: time, &log)
        }
        if isLaneClear && emergency.state == .awaitingClearLane {
            note(emergency.handle(.laneCleared), at: time, &log)
        }
    }

    /// Takes a new policy; the gate must be idle.
    mutating func adopt(_ policy: Policy) {
        self.policy = policy
        lane.adopt(policy)
        emergency.adopt(policy)
    }
}
