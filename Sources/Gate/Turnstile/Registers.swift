/// A gate's money and passages, summed up from its records.
///
/// A counter never decreases. Money that may still be given back is therefore in no counter but in
/// one of two balances: a fare counts as used when its passage is over, and is ``fareInUse`` until
/// then. At every moment
///
///     credit at the beginning + value in
///         = fares used + fare in use + credit held + expired + forfeited + refunded
///     passages made
///         = paid + free + service + emergency + unauthorised, both ways
///
/// No register is computed as the remainder of the others: each side is counted independently, and
/// ``Registers/check()`` compares them. Amounts are minor units of the currency; all numbers have
/// 64 bits on every board, and none can overflow.
public struct RegisterValues: Hashable, Sendable {
    /// How often the service started.
    public internal(set) var starts: Int64 = 0

    /// The coins that were credited when they came.
    public internal(set) var accepted = Counts<Coin>()
    /// The coins that were credited though they came after the inhibit.
    public internal(set) var late = Counts<Coin>()
    /// The coins of an inhibited acceptor: it is unknown whether any is in the vault.
    public internal(set) var inhibited = Counts<Coin>()
    /// The coins that were given back at once.
    public internal(set) var rejected = Counts<Coin>()
    /// The trains of pulses that are no coin.
    public internal(set) var unknownTrains = Counts<Acceptor>()
    /// The pulses rejected as noise.
    public internal(set) var noisePulses = Counts<Acceptor>()

    /// How many coins the end of the service came in between.
    public internal(set) var coinsInDoubt: Int64 = 0
    /// How many passages it came in between.
    public internal(set) var passagesInDoubt: Int64 = 0

    /// The fares of the passages that are over.
    public internal(set) var faresUsed: Int64 = 0
    /// The fare of a passage that is not over: it is used in the end, or becomes credit again.
    public internal(set) var fareInUse: Int64 = 0
    /// Credit that expired.
    public internal(set) var expired: Int64 = 0
    /// Credit that was forfeited otherwise.
    public internal(set) var forfeited: Int64 = 0
    /// The credit for the next passages: all that was credited, less what was used, expired or
    /// forfeited.
    public internal(set) var creditHeld: Int64 = 0
    /// The money held for people when these registers began.
    var creditAtBeginning: Int64 = 0

    /// How many passages were made, or count as made.
    public internal(set) var passagesMade: Int64 = 0
    /// The same, by direction and kind.
    public internal(set) var passages = Counts<Register.PassageCategory>()
    /// How often the lock of a direction was released for a person.
    public internal(set) var releases = Counts<Direction>()
    /// How often each alarm was raised.
    public internal(set) var alarms = Counts<Alarm>()
    /// How often each fault was found.
    public internal(set) var faults = Counts<Fault>()

    /// The registers of a new gate.
    public init() {}

    /// Those that begin now, with the money that `earlier` ones hold for people.
    init(after earlier: RegisterValues) {
        fareInUse = earlier.fareInUse
        creditHeld = earlier.creditHeld
        creditAtBeginning = earlier.fareInUse.plus(earlier.creditHeld)
    }

    /// The value of all known coins, including refunded ones.
    public var valueIn: Int64 { accepted.value.plus(late.value).plus(rejected.value) }

    /// The value of the coins that were given back at once.
    public var refunded: Int64 { rejected.value }

    /// The expected content of the vault: the coins that fell into it.
    public var valueInVault: Int64 { accepted.value.plus(late.value) }

    /// Updates the registers by the record.
    public mutating func count(_ record: Record) {
        switch record {
        case .started: starts = starts.plus(1)
        case .coinAccepted(let coin):
            accepted.add(coin)
            creditHeld = creditHeld.plus(Int64(coin.value))
        case .coinLate(let coin):
            late.add(coin)
            creditHeld = creditHeld.plus(Int64(coin.value))
        case .coinInDoubt: coinsInDoubt = coinsInDoubt.plus(1)
        case .passageInDoubt: passagesInDoubt = passagesInDoubt.plus(1)
        case .coinInhibited(let coin): inhibited.add(coin)
        case .coinRejected(let coin): rejected.add(coin)
        case .coinUnknown(let acceptor, _): unknownTrains.add(acceptor)
        case .coinNoise(let acceptor, _): noisePulses.add(acceptor)
        case .noiseOver(let acceptor, let pulses):
            // The first pulses of a burst have records of their own.
            noisePulses.add(acceptor, times: pulses - CoinDecoder.Noise.tolerated)

        case .creditUsed(let value):
            creditHeld = creditHeld.minus(Int64(value))
            fareInUse = fareInUse.plus(Int64(value))
        case .creditReturned(let value):
            creditHeld = creditHeld.plus(Int64(value))
            fareInUse = fareInUse.minus(Int64(value))
        case .creditForfeited(let value):
            creditHeld = creditHeld.minus(Int64(value))
            forfeited = forfeited.plus(Int64(value))
        case .creditExpired(let value):
            creditHeld = creditHeld.minus(Int64(value))
            expired = expired.plus(Int64(value))

        case .released(let direction, _): releases.add(direction)
        case .passageCompleted(let direction, let kind), .passageLost(let direction, let kind),
            .passageRecovered(let direction, let kind):
            passagesMade = passagesMade.plus(1)
            passages.add(Register.PassageCategory(direction, kind))
            guard kind == .paid else { return }
            faresUsed = faresUsed.plus(fareInUse)
            fareInUse = 0
        case .alarmRaised(let alarm): alarms.add(alarm)
        case .faultRaised(let fault): faults.add(fault)

        case .stopped, .policyChanged, .policyDeferred, .scheduleDeferred, .modeChanged,
            .enforcementChanged, .clockAdjusted, .coinCounted, .creditRecovered, .stored,
            .coinsRefused, .coinEarly, .rotorNoise, .deferred, .onTimeWarning, .storedDropped,
            .authorisationDropped, .passageStarted, .passageBackedOut, .waitTimedOut, .refused,
            .alarmCleared, .alarmRecovered, .faultCleared, .faultRecovered, .outOfService,
            .inService, .stopBegan, .stopEnded, .emergencyStarted, .emergencyLoopClosed,
            .emergencyReset, .emergencyRecovered, .stateUnknown, .serviceStarted, .serviceEnded,
            .selfTestFailed, .selfTestFinished, .selfTestAborted, .vaultOpened, .vaultClosed,
            .vaultRemoved, .vaultReplaced, .done, .coinsCollected, .collectionCounted,
            .contactStuck, .contactAtRest:
            break
        }
    }
}

extension Record {
    /// Whether the coins were collected, which restarts the counts since the collection.
    public var isCollection: Bool { self == .vaultReplaced || self == .coinsCollected }
}

/// How often each of several things happened.
public struct Counts<Key: Hashable & Sendable>: Hashable, Sendable {
    private var counts: [Key: Int64] = [:]

    /// How often `key` happened.
    public internal(set) subscript(key: Key) -> Int64 {
        get { counts[key, default: 0] }
        set { counts[key] = newValue == 0 ? nil : newValue }
    }

    /// How often all of them happened.
    public var total: Int64 { counts.values.reduce(0) { $0.plus($1) } }

    /// The counted keys with their numbers, in no order.
    public var all: some Sequence<(key: Key, value: Int64)> { counts }

    /// Counts so many times; a number below 1 counts nothing.
    mutating func add(_ key: Key, times: Int = 1) {
        guard times > 0 else { return }
        counts[key] = self[key].plus(Int64(times))
    }
}

extension Counts<Coin> {
    /// The coins' total value, in minor units of the currency.
    public var value: Int64 { all.reduce(0) { $0.plus(Int64($1.key.value).times($1.value)) } }
}

extension Register {
    /// A category of passages.
    public struct PassageCategory: Hashable, Sendable {
        /// Which way.
        public var direction: Direction
        /// The kind for the books.
        public var kind: PassageKind

        /// A passage this way.
        public init(_ direction: Direction, _ kind: PassageKind) {
            self.direction = direction
            self.kind = kind
        }
    }

    /// The value of a register.
    public struct Value: Hashable, Sendable {
        /// Since the gate was new.
        public var sinceInit: Int64
        /// Since its coins were last collected.
        public var sinceCollection: Int64

        /// A register with these values.
        public init(sinceInit: Int64, sinceCollection: Int64) {
            self.sinceInit = sinceInit
            self.sinceCollection = sinceCollection
        }
    }
}

/// The registers of a gate: since it was new, and since its coins were last collected.
public struct Registers: Hashable, Sendable {
    /// Everything: never reset.
    public private(set) var sinceInit = RegisterValues()
    /// The contents of the vault, and the counts since the last collection.
    public private(set) var sinceCollection = RegisterValues()

    /// The registers of a new gate.
    public init() {}

    /// Registers with these values, and 0 for all others.
    public init(_ values: [Register: Register.Value]) {
        for (register, value) in values {
            sinceInit[register] = value.sinceInit
            sinceCollection[register] = value.sinceCollection
        }
    }

    /// The registers that are not 0.
    public var values: [Register: Register.Value] {
        var values: [Register: Register.Value] = [:]
        for register in sinceInit.counted + sinceCollection.counted {
            values[register] = Register.Value(
                sinceInit: sinceInit[register], sinceCollection: sinceCollection[register])
        }
        return values
    }

    /// Updates both by the record; a collection restarts the second.
    public mutating func count(_ record: Record) {
        sinceInit.count(record)
        sinceCollection.count(record)
        if record.isCollection { sinceCollection = RegisterValues(after: sinceCollection) }
    }
}

// Registers from before every one was counted for itself.
extension Registers {
    /// Computes registers that earlier versions did not count from the others.
    public mutating func beginMissingRegisters() {
        sinceInit.beginMissing()
        sinceCollection.beginMissing()
    }
}

extension RegisterValues {
    fileprivate mutating func beginMissing() {
        passagesMade = passages.total
        creditHeld = [faresUsed, fareInUse, expired, forfeited, refunded]
            .reduce(creditAtBeginning.plus(valueIn)) { $0.minus($1) }
    }
}
