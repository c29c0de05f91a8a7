/// The money that a gate holds for people, by its records: a restart must not lose it.
///
/// A ledger follows it record by record, keeps it with them, and passes it to the gate that starts
/// next: see ``LedgerConnection``. Amounts are minor units of the currency.
public struct Balances: Hashable, Sendable {
    /// The credit for the next passages.
    public var credit = 0
    /// The fare of a passage that is not over; 0 for none.
    public var fareInUse = 0
    /// Whether the passage that ``fareInUse`` paid for has begun.
    public var isFareBegun = false
    /// Whether the coins of the last collection are not counted yet.
    public var isCountAwaited = false
    /// The coin of each acceptor that was counted and is not credited yet.
    public var counted = PerAcceptor<Coin?>(repeating: nil)

    /// The balances of a new gate.
    public init() {}

    /// Updates the balances by the record.
    public mutating func count(_ record: Record) {
        switch record {
        case .coinCounted(let coin): counted[coin.acceptor] = coin
        case .coinAccepted(let coin), .coinLate(let coin):
            counted[coin.acceptor] = nil
            credit = credit.plus(coin.value)
        case .coinInhibited(let coin), .coinEarly(let coin), .coinRejected(let coin):
            counted[coin.acceptor] = nil
        case .coinUnknown(let acceptor, _): counted[acceptor] = nil

        case .creditUsed(let value):
            credit = credit.minus(value)
            fareInUse = fareInUse.plus(value)
        case .creditReturned(let value):
            credit = credit.plus(value)
            fareInUse = fareInUse.minus(value)
            isFareBegun = false
        case .creditForfeited(let value), .creditExpired(let value):
            credit = credit.minus(value)

        case .passageStarted: isFareBegun = fareInUse > 0
        case .passageBackedOut: isFareBegun = false
        case .passageCompleted(_, .paid), .passageLost(_, .paid), .passageRecovered(_, .paid):
            fareInUse = 0
            isFareBegun = false

        case .vaultReplaced, .coinsCollected: isCountAwaited = true
        case .collectionCounted: isCountAwaited = false

        case .started, .stopped, .coinInDoubt, .passageInDoubt, .policyChanged, .policyDeferred,
            .scheduleDeferred, .modeChanged,
            .enforcementChanged, .clockAdjusted, .coinNoise, .noiseOver, .creditRecovered,
            .coinsRefused, .rotorNoise, .deferred, .onTimeWarning, .released, .stored,
            .storedDropped, .authorisationDropped, .passageCompleted, .passageLost,
            .passageRecovered, .waitTimedOut, .refused, .alarmRaised, .alarmCleared,
            .alarmRecovered, .faultRaised, .faultCleared, .faultRecovered, .outOfService,
            .inService, .stopBegan, .stopEnded, .emergencyStarted, .emergencyLoopClosed,
            .emergencyReset, .emergencyRecovered, .stateUnknown, .serviceStarted, .serviceEnded,
            .selfTestFailed, .selfTestFinished, .selfTestAborted, .vaultOpened, .vaultClosed,
            .vaultRemoved, .done, .contactStuck, .contactAtRest:
            break
        }
    }
}
