import Stories
import Turnstile

// The process dies, or the power fails.
extension Scene {
    /// The power fails at any moment of an emergency, and the disk has heard of it, or not yet.
    static let powerCuts = Scene(
        "power cuts", gate: .oneWay.with(outputs: .dropArm),
        people + .powerCut + [
            .loop, .pressed(.emergencyResetKey), .pressed(.releaseEntry), .outputCut(.lockEntry),
            .pressed(.serviceKey),
        ]
    ) { $0.maxStored = 1 }

    /// The process dies at any moment between a coin and the end of the passage that it pays for,
    /// and the ledger of the next one opens early or late, or cannot be written.
    static let restarts = Scene(
        "restarts", ledger: .holding(1), limits: Limits(pulses: 1),
        [.ticked, .changed(.turned(.entry)), .durable] + .crashWithLedger
    ) {
        $0.price = 1
        $0.maxStored = 1
        $0.lateCoinWindow = .zero
        $0.relockAt = .complete
    }

    /// The same with a fare to spare and a stop contact, an emergency, and others who are let in
    /// before the ledger is open.
    static let payersOverRestarts = Scene(
        "payers over restarts", gate: .oneWay.with(.stop), ledger: .holding(2),
        [
            .ticked, .changed(.turned(.entry)), .pressed(.releaseEntry), .stop, .loop,
        ] + .crashWithLedger
    ) {
        $0.price = 1
        $0.maxStored = 3
        $0.passWait = .seconds(2)
        $0.fireReset = .auto
        $0.lateCoinWindow = .zero
    }

    /// The process dies at any moment of a coin, which is one of a table, or worth its pulses.
    static let coinsOverRestarts = Scene(
        "coins over restarts", ledger: Balances(),
        [.ticked, .coinPulse, .pulse(.second), .durable] + .crashWithLedger + .crash
    ) {
        $0.coins[.first].values = .exact([1: 1, 2: 2])
        $0.maxStored = 1
        $0.lateCoinWindow = .zero
    }

    /// The same where others go out freely, and the state may be older.
    static let restartsOfFreeGate = Scene(
        "restarts of a free gate", gate: twoWays, ledger: Balances(), limits: Limits(pulses: 1),
        people + [
            .coinPulse, .durable, .ledgerOpened, .restarted(.latest, .all),
            .restarted(.older, .durable),
        ]
    ) {
        $0.price = 1
        $0.maxStored = 1
        $0.regime.exit = .free
        $0.lateCoinWindow = .zero
        $0.relockAt = .complete
    }
}
