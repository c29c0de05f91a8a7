import StateMachines

/// What a gate knows that the end of its process must not take away, but for money.
///
/// The shell keeps it where it outlives a crash, a restart and the power, and hands it to the
/// gate that starts next: see ``Recovery``. What people have paid is the ledger's: ``Balances``.
public struct RetainedState: Hashable, Sendable {
    /// Whether there was an emergency that nobody had reset.
    public var isEmergency = false
    /// The faults that wait for the mechanic's key.
    public var faults = FaultSet()
    /// The alarms that wait for the mechanic's key.
    public var alarms = AlarmSet()
    /// Whether the mechanic had the gate.
    public var isInServiceMode = false
    /// Who waited for service mode.
    public var serviceRequester: Requester?
    /// Who asked for the policy that was in force; nil where it was the settings'.
    public var policySource: Requester?
    /// Who waited for another policy; nil where it was the settings', which are read anew.
    public var policyRequester: Requester?
    /// Who was on the way through the rotor.
    public var passage: Passage?
    /// Who was let pass, had not paid and had not come yet.
    public var stored = Gate.Stored()
    /// What people asked to have in force; on the clock of the gate that retained it.
    public var terms = Terms()

    /// Somebody on the way through.
    public struct Passage: Hashable, Sendable {
        /// Which way.
        public var direction: Direction
        /// What the passage counts as.
        public var kind: PassageKind
        /// What was paid for it, in minor units of the currency; 0 for what is not paid for.
        public var fare: Int

        /// Somebody on the way through.
        public init(_ direction: Direction, _ kind: PassageKind, fare: Int = 0) {
            self.direction = direction
            self.kind = kind
            self.fare = fare
        }
    }

    /// The state of a gate at rest, of which nothing needs to be known.
    public init() {}
}

/// What a gate that starts knows of the one before it.
public enum Recovery: Hashable, Sendable {
    /// This is what it retained.
    case known(RetainedState)
    /// Nobody knows: there is no state, or none that can be read. The gate then starts as after
    /// an emergency whose reset is still to come, where it has an emergency loop.
    case unknown
}

/// Whether there is a ledger, and what it holds.
public enum LedgerConnection: Hashable, Sendable {
    /// There is none: nothing is made durable.
    case none
    /// It is being opened. Coins are refused until ``Event/Kind/ledgerOpened(_:)``.
    case awaited
    /// It is open, and holds this for people.
    case open(Balances)
}

extension RetainedState {
    /// Moves the times that it holds to another clock, which shows so much more.
    public mutating func moveTimes(by duration: Duration) { terms.shift(by: duration) }

    /// Whether it holds a time.
    public var holdsTimes: Bool { terms.deadline != nil }
}
