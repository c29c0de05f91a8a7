public import StateMachines

/// The state of a gate that must outlive its process, except money.
///
/// The shell keeps it over a crash, a restart and a power failure, and passes it to the gate that
/// starts next: see ``Recovery``. The ledger keeps the money: ``Balances``.
public struct RetainedState: Hashable, Sendable {
    /// Whether there was an emergency that was not reset.
    public var isEmergency = false
    /// The faults that wait for the mechanic's key.
    public var faults = FaultSet()
    /// The alarms that wait for the mechanic's key.
    public var alarms = AlarmSet()
    /// Whether the mechanic had the gate.
    public var isInServiceMode = false
    /// The requester that waited for service mode.
    public var serviceRequester: Requester?
    /// The requester of the policy in force; nil for the settings.
    public var policySource: Requester?
    /// The requester of a pending policy; nil for the settings, which are read again.
    public var policyRequester: Requester?
    /// The passage in progress.
    public var passage: Passage?
    /// The unpaid authorisation for which the gate was released and which was not used yet.
    public var released: Release?
    /// The passenger who had paid and had not come yet, if a ledger knows the fare.
    public var payer: Payer?
    /// The queued authorisations, all unpaid.
    public var queue = Gate.Queue()
    /// The states of the coin lines.
    public var coins = PerAcceptor<CoinDecoder.State>(repeating: .idle)
    /// How long no service ran since; nil if unknown, as after a power failure. The gate that
    /// retains it does not set it.
    public var absence: Duration?
    /// The requested terms, by the clock of the gate that retained them.
    public var terms = Terms()

    /// A passage in progress.
    public struct Passage: Hashable, Sendable {
        /// Which way.
        public var direction: Direction
        /// The kind of the passage.
        public var kind: PassageKind
        /// The fare, in minor units of the currency; 0 without one.
        public var fare: Int

        /// A passage of this kind.
        public init(_ direction: Direction, _ kind: PassageKind, fare: Int = 0) {
            self.direction = direction
            self.kind = kind
            self.fare = fare
        }
    }

    /// An unpaid authorisation in use, whose passenger has not come.
    public struct Release: Hashable, Sendable {
        /// Its direction and source.
        public var grant: Lane.Grant
        /// Until when a back-out may restart the wait; nil if the wait has not begun.
        public var limit: Instant?

        /// An unpaid authorisation.
        public init(_ grant: Lane.Grant, limit: Instant? = nil) {
            self.grant = grant
            self.limit = limit
        }
    }

    /// A passenger who has paid and is awaited. The ledger has the fare.
    public struct Payer: Hashable, Sendable {
        /// The fare, in minor units of the currency.
        public var fare: Int
        /// Until when a back-out may restart the wait; nil if the wait has not begun.
        public var limit: Instant?
        /// The remainder above the fare, forfeited with their passage.
        public var surplus: Int

        /// A passenger who has paid.
        public init(fare: Int, limit: Instant? = nil, surplus: Int = 0) {
            self.fare = fare
            self.limit = limit
            self.surplus = surplus
        }
    }

    /// The state of a gate at rest.
    public init() {}
}

/// The state of the previous gate, for one that starts.
public enum Recovery: Hashable, Sendable {
    /// The retained state.
    case known(RetainedState)
    /// There is no readable state. A gate with an emergency loop then starts as in an emergency
    /// before the reset.
    case unknown
}

/// The connection to the ledger, with its balances.
public enum LedgerConnection: Hashable, Sendable {
    /// Without a ledger nothing is made durable.
    case none
    /// It is being opened. Coins are refused until ``Event/Kind/ledgerOpened(_:)``.
    case awaited
    /// It is open, and holds this for people.
    case open(Balances)
}

// Another boot has another clock, and waiting passengers are gone by then.
extension RetainedState {
    /// The part that is valid in another boot: awaited passengers are gone, and coins on their way
    /// are lost.
    public var lasting: RetainedState {
        var state = self
        state.released = nil
        state.payer = nil
        if let released { state.queue.append(released.grant) }
        state.coins = PerAcceptor(repeating: .idle)
        state.absence = nil
        return state
    }

    /// The same without coins on their way.
    public var withoutCoins: RetainedState {
        var state = self
        state.coins = PerAcceptor(repeating: .idle)
        return state
    }

    /// The same without queued authorisations.
    public var withoutQueue: RetainedState {
        var state = self
        state.queue = Gate.Queue()
        return state
    }

    /// Whether a passenger is awaited: that lapses after a while.
    public var isAnybodyAwaited: Bool { released != nil || payer != nil || queue.total > 0 }

    /// Whether an authorised passenger, who did not pay, is awaited this way.
    public func awaits(_ direction: Direction) -> Bool {
        let waiting = direction == .entry ? queue.entry : queue.exit
        return waiting > 0 || released?.grant.direction == direction
            || queue.people.contains { $0.direction == direction }
    }

    /// Takes up that edges of the acceptor's line may be missing since.
    public mutating func loseEdges(of acceptor: Acceptor) {
        coins[acceptor].train?.isLost = true
    }

    /// Moves the times that it holds to another clock, which shows so much more.
    public mutating func moveTimes(by duration: Duration) { terms.shift(by: duration) }

    /// Takes up that the clock on the wall was set by so much since.
    public mutating func setClock(by step: Duration) { terms.setClock(by: step) }

    /// Whether it holds a time.
    public var holdsTimes: Bool { terms.deadline != nil }
}
