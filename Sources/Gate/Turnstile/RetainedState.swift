public import StateMachines

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
    /// Whom the gate was released for, who had not paid and had not come yet.
    public var released: Release?
    /// Whom the gate was released for, who had paid and had not come yet, where a ledger knows it.
    public var payer: Payer?
    /// Who waited for their turn, and had not paid.
    public var queue = Gate.Queue()
    /// What the coin lines were doing.
    public var coins = PerAcceptor<CoinDecoder.State>(repeating: .idle)
    /// For how long no service ran since; nil where nobody knows, as after a loss of power. The
    /// gate that retains it says nothing of it.
    public var absence: Duration?
    /// What people asked to have in force; on the clock of the gate that retained it.
    public var terms = Terms()

    /// A passage in progress.
    public struct Passage: Hashable, Sendable {
        /// Which way.
        public var direction: Direction
        /// What the passage counts as.
        public var kind: PassageKind
        /// What was paid for it, in minor units of the currency; 0 for what is not paid for.
        public var fare: Int

        /// A passage of this kind.
        public init(_ direction: Direction, _ kind: PassageKind, fare: Int = 0) {
            self.direction = direction
            self.kind = kind
            self.fare = fare
        }
    }

    /// An authorisation that nobody paid for, while it is waited for whom it is for.
    public struct Release: Hashable, Sendable {
        /// Which way, and by what.
        public var grant: Lane.Grant
        /// Until when the wait may begin anew; nil where it has not begun.
        public var limit: Instant?

        /// An authorisation that nobody paid for.
        public init(_ grant: Lane.Grant, limit: Instant? = nil) {
            self.grant = grant
            self.limit = limit
        }
    }

    /// A passenger who has paid and is awaited. The ledger has the fare.
    public struct Payer: Hashable, Sendable {
        /// What they paid, in minor units of the currency.
        public var fare: Int
        /// Until when the wait may begin anew; nil where it has not begun.
        public var limit: Instant?
        /// What was above the fare, and is forfeited with their passage.
        public var surplus: Int

        /// A passenger who has paid.
        public init(fare: Int, limit: Instant? = nil, surplus: Int = 0) {
            self.fare = fare
            self.limit = limit
            self.surplus = surplus
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
    /// Without a ledger nothing is made durable.
    case none
    /// It is being opened. Coins are refused until ``Event/Kind/ledgerOpened(_:)``.
    case awaited
    /// It is open, and holds this for people.
    case open(Balances)
}

// Another boot has another clock, and waiting passengers are gone by then.
extension RetainedState {
    /// What of it means something in another boot: who was let pass is one who waits, and of coins
    /// that were on their way nobody can tell any more.
    public var lasting: RetainedState {
        var state = self
        state.released = nil
        state.payer = nil
        if let released { state.queue.append(released.grant) }
        state.coins = PerAcceptor(repeating: .idle)
        state.absence = nil
        return state
    }

    /// The same without what is known of coins on their way.
    public var withoutCoins: RetainedState {
        var state = self
        state.coins = PerAcceptor(repeating: .idle)
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
