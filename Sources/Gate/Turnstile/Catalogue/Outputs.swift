public import StateMachines

/// A line that the turnstile drives.
///
/// An output is *energised* when current flows to what it drives. De-energised is the safe level
/// of every output: the only one that a dead process, a cut wire and a dead supply all reach.
///
/// An output is *on* when it does what it is for: see ``Drive``. The order of the cases is the
/// order in which outputs are driven: people first, then what tells of them, then coins.
public enum Output: UInt8, Enumerated {
    /// The lock of the way in. On: it lets people in.
    case lockEntry
    /// The lock of the way out. On: it lets people out.
    case lockExit
    /// What holds the arm. On: the arm drops and leaves the way free.
    case dropArm
    /// The siren.
    case alarm
    /// What reminds people, more softly than the siren.
    case buzzer
    /// The lamp "go".
    case lampGo
    /// The lamp "stop".
    case lampStop
    /// The acceptors' inhibit line. On, and energised, means "accept": an undriven line refuses.
    case coinEnable
    /// What ejects a token from the acceptor.
    case coinReject
    /// The gate is healthy and serves people.
    case ready
    /// One pulse per passage, for a counter.
    case countPulse
    /// The electromechanical counter of money.
    case coinMeter
    /// What holds the lock of the way in once it was pulled: driven by the lock's actuator alone.
    case lockEntryHold
    /// The same of the way out.
    case lockExitHold
}

extension Output {
    /// What is said of the output, and nowhere else.
    private var described: OutputEntry {
        switch self {
        case .lockEntry:
            OutputEntry(
                "lock_entry",
                "the lock of the way in; of a pull-and-hold lock the coil, or circuit, that pulls",
                .lock(.entry),
                need: .required(because: "without a lock there is nothing to release"),
                failing: .outOfService, maximumOnTime: .seconds(60),
                powerLossReason: OutputEntry.lockPowerLoss,
                withoutPower: "lock stays locked", failSafe: "lock opens",
                words: LineWords("open", "locked"), isEssential: true)
        case .lockExit:
            OutputEntry(
                "lock_exit", "the lock of the way out, likewise", .lock(.exit),
                need: .conditional("needed with 'lock_exit_hold' and 'lock_feedback_exit'"),
                failing: .outOfService, maximumOnTime: .seconds(60),
                powerLossReason: OutputEntry.lockPowerLoss,
                withoutPower: "lock stays locked", failSafe: "lock opens",
                words: LineWords("open", "locked"), isEssential: true)
        case .dropArm:
            OutputEntry(
                "drop_arm", "what holds the arm up, which drops in an emergency", .arm,
                failing: .outOfService,
                powerLossReason: "what the arm does without power has no default, since only its "
                    + "data sheet tells; write fail_safe if it drops (it is energised to hold the "
                    + "arm up) or fail_secure if it stays up (it is energised to drop the arm)",
                withoutPower: "arm stays up", failSafe: "arm drops",
                words: LineWords("dropped", "up"), isEssential: true)
        case .alarm:
            OutputEntry(
                "alarm", "the siren: energised means sounding", isContinuous: true,
                withoutPower: "silent", words: LineWords("sounds", "silent"), lamp: .trouble,
                isEssential: true)
        case .buzzer:
            OutputEntry(
                "buzzer", "the buzzer that reminds people while enforcement is weak",
                need: .conditional("needed where enforcement is weak"), isContinuous: true,
                withoutPower: "silent", words: LineWords("sounds", "silent"), lamp: .trouble)
        case .lampGo:
            OutputEntry(
                "lamp_go", "the lamp that says go to those who come in", isContinuous: true,
                withoutPower: "dark", words: LineWords("lit", "dark"), lamp: .good)
        case .lampStop:
            OutputEntry(
                "lamp_stop",
                "the lamp that says stop to them, while somebody is let out as well",
                isContinuous: true, withoutPower: "dark", words: LineWords("lit", "dark"),
                lamp: .trouble)
        case .coinEnable:
            OutputEntry(
                "coin_inhibit",
                "the coin acceptors' inhibit input: energised means that coins are accepted",
                .acceptors, need: .conditional("needed with 'coin_pulse'"), failing: .outOfService,
                isContinuous: true, withoutPower: "coins are refused",
                words: LineWords("accepting coins", "refusing coins"), lamp: .good,
                isEssential: true)
        case .coinReject:
            OutputEntry(
                "coin_reject", "what ejects a coin or token from the acceptor; it is pulsed",
                failing: .refusesCoins)
        case .ready:
            OutputEntry(
                "ready",
                "energised while the gate is healthy, its acceptors too, and serves people",
                isContinuous: true, withoutPower: "not ready",
                words: LineWords("serves people", "out of service"), lamp: .good)
        case .countPulse:
            OutputEntry("count_pulse", "a counter of passages, one pulse for each")
        case .coinMeter:
            OutputEntry(
                "coin_meter",
                "the electromechanical counter of money, a pulse per 'coin.meter_unit'",
                failing: .refusesCoins)
        case .lockEntryHold:
            OutputEntry(
                "lock_entry_hold",
                "what holds a pull-and-hold lock of the way in, once it was pulled for "
                    + "'mechanism.lock_pull'",
                .hold(.entry), need: .conditional("for a pull-and-hold lock alone"),
                failing: .outOfService, maximumOnTime: .seconds(60),
                withoutPower: "lock stays locked", failSafe: "lock opens")
        case .lockExitHold:
            OutputEntry(
                "lock_exit_hold", "what holds a pull-and-hold lock of the way out, likewise",
                .hold(.exit), need: .conditional("for a pull-and-hold lock alone"),
                failing: .outOfService, maximumOnTime: .seconds(60),
                withoutPower: "lock stays locked", failSafe: "lock opens")
        }
    }
}

extension Output {
    /// `allCases`, made once.
    static let ordered = allCases

    private static let entries = ordered.map { $0.described }
    // What the machine asks as it goes, apart from all that people read.
    private static let devices = entries.map { $0.device }

    /// Makes what is said of the outputs, so that the first event takes no longer than the next.
    static func prepare() { _ = devices }

    /// All that there is to say of the output.
    public var entry: OutputEntry { Self.entries[index] }

    /// The role's name in the configuration, in the journal and in the ledger. It never changes.
    public var name: String { Self.entries[index].name }

    /// The position of the output among the cases, from 0.
    public var index: Int { Int(rawValue) }

    /// What it drives.
    var device: OutputEntry.Device { Self.devices[index] }

    /// Whether it lets people through while it is on. Its line may carry "energised" for that, or
    /// for the opposite, or for a moment, where another coil holds the lock.
    public var isWay: Bool { OutputSet.ways[self] }

    /// The direction whose lock it drives.
    public var way: Direction? {
        switch device {
        case .lock(let direction), .hold(let direction): direction
        case .arm, .acceptors, .other: nil
        }
    }
}

/// All that there is to say of an output: its arm in `Outputs.swift` is the one place for it.
public struct OutputEntry: Sendable {
    /// What an output drives.
    public enum Device: Hashable, Sendable {
        /// The lock of this way, or the coil that pulls it.
        case lock(Direction)
        /// The coil that holds the lock of this way.
        case hold(Direction)
        /// What holds the arm.
        case arm
        /// The inhibit input of the acceptors.
        case acceptors
        /// What tells people of the gate, counts or ejects.
        case other
    }

    /// The role's name.
    public let name: String
    /// What it is: a clause that starts in lower case and has no full stop.
    public let summary: String
    /// What it drives.
    public let device: Device
    /// Whether a board can do without it.
    public let need: LineNeed
    /// What the gate does not do while the output fails.
    let failing: Fault.Effect
    /// Whether it is taken for a device that is rated to be energised without end, where nobody
    /// read the data sheet: coils burn, lamps do not.
    public let isContinuous: Bool
    /// How long an intermittent device may be energised of which nothing is said. A lock is not
    /// cut on somebody before the alarm says that they are stuck, by the defaults of the policy.
    public let maximumOnTime: Duration
    /// Why it must be stated what it does without power; nil where that is no question.
    public let powerLossReason: String?
    private let unpowered: String
    private let unpoweredFailSafe: String
    /// What it means that it is on, or off: a lock that is energised may be locked or open.
    public let words: LineWords
    /// What its lamp means while it is energised.
    public let lamp: LampMeaning
    /// Whether its lamp is shown where there is little room.
    public let isEssential: Bool

    /// A coil without which the gate goes on, but for what is said.
    fileprivate init(
        _ name: String, _ summary: String, _ device: Device = .other, need: LineNeed = .optional,
        failing: Fault.Effect = .none, isContinuous: Bool = false,
        maximumOnTime: Duration = .seconds(30), powerLossReason: String? = nil,
        withoutPower: String = "nothing", failSafe: String? = nil,
        words: LineWords = LineWords("on", "off", isInName: true), lamp: LampMeaning = .notice,
        isEssential: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.device = device
        self.need = need
        self.failing = failing
        self.isContinuous = isContinuous
        self.maximumOnTime = maximumOnTime
        self.powerLossReason = powerLossReason
        unpowered = withoutPower
        unpoweredFailSafe = failSafe ?? withoutPower
        self.words = words
        self.lamp = lamp
        self.isEssential = isEssential
    }

    /// What is so while nothing drives the output, of a lock or an arm that is fail-safe or not.
    public func withoutPower(isFailSafe: Bool) -> String {
        isFailSafe ? unpoweredFailSafe : unpowered
    }

    fileprivate static let lockPowerLoss =
        "what the lock does without power has no default, since only its data sheet tells; "
        + "write fail_safe if it opens (it is energised to lock) or fail_secure if it stays "
        + "locked (it is energised to release)"
}
