public import Hardware
public import Turnstile

/// The equipment of a simulated gate, and the behaviour of its locks, acceptors and contacts.
public struct Physics: Hashable, Sendable {
    /// The gate's equipment. Contacts that a machine moves exist only if wired, as do rotor or
    /// beams. A single lock holds both directions; of two, each holds its own.
    public var equipment: Equipment
    /// The behaviour of the entry lock without power.
    public var entryLock: PowerLoss
    public var exitLock: PowerLoss
    /// The behaviour of the drop arm without power: a fail-safe one drops.
    public var dropArm: PowerLoss
    /// How long a bolt takes to move once the lock's line has changed.
    public var lockDelay: Duration = .milliseconds(30)
    /// How long the drop arm takes to fall.
    public var armFall: Duration = .milliseconds(300)

    public var coins: PerAcceptor<CoinPolicy>
    /// The nominal silence between two pulses.
    public var pulseGap: Duration = .milliseconds(100)
    /// By how much widths and gaps stray from their nominal value, either way.
    public var pulseJitterPercent = 10
    /// How long a coin falls from the slot to the gate that gives it back while inhibited.
    public var coinFall: Duration = .milliseconds(150)
    /// How long the acceptor checks a coin behind the gate before it sends pulses.
    public var coinCheck: Duration = .milliseconds(100)

    /// How long contacts and sensors bounce at most; zero for contacts that do not.
    public var bounce: Duration = .milliseconds(2)
    /// How many times they leave their new level at most while they bounce.
    public var maximumBounces = 3

    /// How long a person leans on a locked arm before letting go.
    public var personTimeout: Duration = .seconds(1)
    /// How fast the centring spring turns a free arm, in degrees per second.
    public var springDegreesPerSecond = 180

    /// A gate with the trade's usual measures, this lock or these, and acceptors that send pulses
    /// of this width, each worth `coinUnit`.
    public init(
        lock: PowerLoss, coinUnit: Int, pulseWidth: Duration = .milliseconds(50),
        equipment: Equipment = .oneWay
    ) {
        precondition(coinUnit > 0, "a coin is worth something")
        self.equipment = equipment
        entryLock = lock
        exitLock = lock
        dropArm = .failSafe
        var coin = CoinPolicy(unit: coinUnit)
        coin.pulseWidth = pulseWidth
        coins = PerAcceptor(repeating: coin)
    }

    /// The gate that `wiring` and `policy` describe. A lock that is not wired is one that stays
    /// locked without power.
    public init(wiring: Wiring, policy: Policy) {
        self.init(lock: .failSecure, coinUnit: 1, equipment: wiring.equipment)
        entryLock = wiring.outputs[.lockEntry]?.powerLoss ?? .failSecure
        exitLock = wiring.outputs[.lockExit]?.powerLoss ?? .failSecure
        dropArm = wiring.outputs[.dropArm]?.powerLoss ?? .failSafe
        coins = policy.coins
    }
}
