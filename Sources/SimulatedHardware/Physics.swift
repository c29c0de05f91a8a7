public import Hardware
public import Turnstile

/// The measures of a simulated gate: how its lock, its acceptor and its contacts behave.
public struct Physics: Hashable, Sendable {
    /// What the lock does when it loses power.
    public var lock: PowerLoss
    /// How long the bolt takes to move once the lock's line has changed.
    public var lockDelay: Duration = .milliseconds(30)

    /// What one pulse of the acceptor is worth, in minor units of the currency.
    public var coinUnit: Int
    /// The nominal width of a coin pulse.
    public var pulseWidth: Duration
    /// The nominal silence between two pulses.
    public var pulseGap: Duration = .milliseconds(100)
    /// By how much widths and gaps stray from their nominal value, either way.
    public var pulseJitterPercent = 10
    /// How long a coin falls from the slot to the gate that gives it back while inhibited.
    public var coinFall: Duration = .milliseconds(150)
    /// How long the acceptor looks at a coin behind the gate before it sends pulses.
    public var coinCheck: Duration = .milliseconds(100)

    /// How long contacts and sensors bounce at most; zero for contacts that do not.
    public var bounce: Duration = .milliseconds(2)
    /// How many times they leave their new level at most while they bounce.
    public var maximumBounces = 3

    /// How long somebody leans on a locked arm before letting go.
    public var patience: Duration = .seconds(1)
    /// How fast the centring spring turns an arm that nobody holds, in degrees per second.
    public var springDegreesPerSecond = 180

    /// A gate with the trade's usual measures, this lock, and an acceptor that sends pulses of
    /// this width, each worth `coinUnit`.
    public init(lock: PowerLoss, coinUnit: Int, pulseWidth: Duration = .milliseconds(50)) {
        precondition(coinUnit > 0, "a coin is worth something")
        self.lock = lock
        self.coinUnit = coinUnit
        self.pulseWidth = pulseWidth
    }

    /// The gate that `wiring` and `policy` describe. A lock that is not wired is one that stays
    /// locked without power.
    public init(wiring: Wiring, policy: Policy) {
        self.init(
            lock: wiring.outputs[.lockEntry]?.powerLoss ?? .failSecure,
            coinUnit: policy.coinUnit, pulseWidth: policy.pulseWidth)
    }
}
