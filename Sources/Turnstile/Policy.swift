/// What the owner of a gate decides: prices, times, and what happens to credit.
///
/// Every value has a default but ``price`` and ``coinUnit``, which nobody can guess. Ranges are
/// enforced where the settings are read; the table is docs/configuration.md.
public struct Policy: Hashable, Sendable {
    /// What one passage costs, in minor units of the currency; 1 or more.
    public var price: Int
    /// What one pulse of the acceptor is worth, in minor units of the currency; 1 or more.
    public var coinUnit: Int

    /// How long a released lock waits for somebody to come: 1–60 s.
    public var passWait: Duration = .seconds(5)
    /// What becomes of the fare when nobody came.
    public var onWaitTimeout = CreditPolicy.retain
    /// What becomes of credit above the fare once a passage is complete.
    public var overpay = CreditPolicy.retain
    /// When the lock is engaged again during a passage.
    public var relockAt = RelockPoint.middle
    /// How long a passage may take before the alarm says that somebody is stuck: 5–120 s.
    public var passDelayAlarm: Duration = .seconds(30)
    /// What a forced passage does.
    public var forcedPassage = ForcedPassagePolicy.alarmForHold
    /// How long the alarm sounds: 1–300 s.
    public var alarmHold: Duration = .seconds(5)
    /// Where a repair leaves the gate.
    public var repairResumes = RepairPolicy.locked
    /// What ends an emergency once its loop is closed again.
    public var fireReset = FireResetPolicy.manual

    /// The acceptor's nominal pulse width, 20–500 ms; half to double of it is taken for a pulse.
    public var pulseWidth: Duration = .milliseconds(50)
    /// The silence that ends a pulse train: 120–500 ms.
    public var trainQuiet: Duration = .milliseconds(200)
    /// How long a pulse may last before the coin line counts as stuck: 0.3–5 s.
    public var coinStuckAfter: Duration = .seconds(1)

    /// A policy with the defaults of the trade for all but the two prices.
    public init(price: Int, coinUnit: Int) {
        precondition(price > 0 && coinUnit > 0, "a price is positive")
        self.price = price
        self.coinUnit = coinUnit
    }
}

/// What becomes of credit that was not used.
public enum CreditPolicy: String, CaseIterable, Hashable, Sendable {
    /// It stays and pays for the next passage.
    case retain
    /// It is the operator's.
    case forfeit
}

/// When the lock is engaged again during a passage.
public enum RelockPoint: String, CaseIterable, Hashable, Sendable {
    /// At the middle: the mechanism lets the rotation finish and catches the next arm.
    case middle
    /// When the rotor is home again.
    case complete
}

/// What a forced passage does.
public enum ForcedPassagePolicy: String, CaseIterable, Hashable, Sendable {
    /// The alarm sounds for ``Policy/alarmHold``.
    case alarmForHold = "alarm"
    /// The alarm sounds until the mechanic's key is turned.
    case latch
}

/// Where a repair leaves the gate.
public enum RepairPolicy: String, CaseIterable, Hashable, Sendable {
    /// Locked.
    case locked
    /// As it was when it broke: a released gate is released again.
    case previous
}

/// What ends an emergency once its loop is closed again.
public enum FireResetPolicy: String, CaseIterable, Hashable, Sendable {
    /// The emergency reset key.
    case manual
    /// The closing of the loop.
    case auto
}
