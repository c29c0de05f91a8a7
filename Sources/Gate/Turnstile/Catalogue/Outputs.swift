public import StateMachines

/// A line that the turnstile drives.
///
/// An output is *energised* when current flows to its device. De-energised is the safe level of
/// every output: the only one that a dead process, a cut wire and a dead supply all reach.
///
/// An output is *on* when it does what it is for: see ``Drive``. The order of the cases is the
/// order in which outputs are driven: people first, then signs, then coins.
public enum Output: UInt8, Enumerated {
    /// The lock of the way in. On: it lets people in.
    case lockEntry
    /// The lock of the way out. On: it lets people out.
    case lockExit
    /// The magnet of the arm. On: the arm drops and leaves the way free.
    case dropArm
    /// The siren.
    case alarm
    /// The reminder, softer than the siren.
    case buzzer
    /// The lamp "go".
    case lampGo
    /// The lamp "stop".
    case lampStop
    /// The acceptors' inhibit line. On, and energised, means "accept": an undriven line refuses.
    case coinEnable
    /// The ejector of the acceptor.
    case coinReject
    /// The gate is healthy and serves people.
    case ready
    /// One pulse per passage, for a counter.
    case countPulse
    /// The electromechanical counter of money.
    case coinMeter
    /// The holding coil of the entry lock: driven by the lock's actuator alone.
    case lockEntryHold
    /// The same of the way out.
    case lockExitHold
}

extension Output {
    /// The description of the output: the only place for it.
    private var described: OutputEntry {
        switch self {
        case .lockEntry:
            OutputEntry(
                name: "lock_entry",
                summary:
                    "the lock of the way in; of a pull-and-hold lock the pulling coil or circuit",
                device: .lock(.entry), commands: LineWords("release_entry", "lock_entry"),
                need: .required(because: "without a lock there is nothing to release"),
                failing: .outOfService, maximumOnTime: .seconds(60),
                powerLossReason: OutputEntry.lockPowerLoss,
                unpowered: "lock stays locked", unpoweredFailSafe: "lock opens",
                words: LineWords("open", "locked"), isEssential: true)
        case .lockExit:
            OutputEntry(
                name: "lock_exit", summary: "the lock of the way out, likewise",
                device: .lock(.exit), commands: LineWords("release_exit", "lock_exit"),
                need: .conditional("needed with 'lock_exit_hold' and 'lock_feedback_exit'"),
                failing: .outOfService, maximumOnTime: .seconds(60),
                powerLossReason: OutputEntry.lockPowerLoss,
                unpowered: "lock stays locked", unpoweredFailSafe: "lock opens",
                words: LineWords("open", "locked"), isEssential: true)
        case .dropArm:
            OutputEntry(
                name: "drop_arm",
                summary: "the coil of the drop arm; the arm drops in an emergency",
                commands: LineWords("drop_arm", "hold_arm"), failing: .outOfService,
                powerLossReason: "there is no default, since it depends on the device: see its "
                    + "data sheet; write fail_safe if the arm drops without power (energised to "
                    + "hold it up) or fail_secure if it stays up (energised to drop it)",
                unpowered: "arm stays up", unpoweredFailSafe: "arm drops",
                words: LineWords("dropped", "up"), isEssential: true)
        case .alarm:
            OutputEntry(
                name: "alarm", summary: "the siren: energised means sounding", isContinuous: true,
                unpowered: "silent", words: LineWords("sounds", "silent"), lamp: .trouble,
                isEssential: true)
        case .buzzer:
            OutputEntry(
                name: "buzzer", summary: "the buzzer that reminds people while enforcement is weak",
                need: .conditional("needed where enforcement is weak"), isContinuous: true,
                unpowered: "silent", words: LineWords("sounds", "silent"), lamp: .trouble)
        case .lampGo:
            OutputEntry(
                name: "lamp_go", summary: "the lamp 'go' of the way in",
                isContinuous: true, unpowered: "dark", words: LineWords("lit", "dark"), lamp: .good)
        case .lampStop:
            OutputEntry(
                name: "lamp_stop",
                summary: "the lamp 'stop' of the way in, also lit while a passenger is let out",
                isContinuous: true, unpowered: "dark", words: LineWords("lit", "dark"),
                lamp: .trouble)
        case .coinEnable:
            OutputEntry(
                name: "coin_inhibit",
                summary:
                    "the coin acceptors' inhibit input: energised accepts coins",
                device: .acceptors, commands: LineWords("accept_coins", "inhibit_coins"),
                need: .conditional("needed with 'coin_pulse'"),
                failing: .outOfService, isContinuous: true, unpowered: "coins are refused",
                words: LineWords("accepting coins", "refusing coins"), lamp: .good,
                isEssential: true)
        case .coinReject:
            OutputEntry(
                name: "coin_reject",
                summary: "the acceptor's reject coil, pulsed to eject a coin or token",
                failing: .refusesCoins)
        case .ready:
            OutputEntry(
                name: "ready",
                summary:
                    "energised while the gate is healthy, its acceptors too, and serves people",
                isContinuous: true, unpowered: "not ready",
                words: LineWords("serves people", "out of service"), lamp: .good)
        case .countPulse:
            OutputEntry(
                name: "count_pulse", summary: "a counter of passages, one pulse for each")
        case .coinMeter:
            OutputEntry(
                name: "coin_meter",
                summary: "the electromechanical counter of money, a pulse per 'coin.meter_unit'",
                failing: .refusesCoins)
        case .lockEntryHold:
            OutputEntry(
                name: "lock_entry_hold",
                summary: "the holding coil of a pull-and-hold lock of the way in, after the pull "
                    + "for 'mechanism.lock_pull'",
                device: .hold(.entry), need: .conditional("for a pull-and-hold lock alone"),
                failing: .outOfService, maximumOnTime: .seconds(60),
                unpowered: "lock stays locked", unpoweredFailSafe: "lock opens")
        case .lockExitHold:
            OutputEntry(
                name: "lock_exit_hold",
                summary: "the holding coil of a pull-and-hold lock of the way out, likewise",
                device: .hold(.exit), need: .conditional("for a pull-and-hold lock alone"),
                failing: .outOfService, maximumOnTime: .seconds(60),
                unpowered: "lock stays locked", unpoweredFailSafe: "lock opens")
        }
    }
}

extension Output {
    /// `allCases`, made once.
    static let ordered = allCases

    private static let entries = ordered.map { $0.described }
    // The part that the machine needs for every event, without the texts.
    private static let devices = entries.map { $0.device }

    /// Makes the descriptions, so that the first event takes no longer than the next.
    static func prepare() { _ = devices }

    /// The description of the output.
    public var entry: OutputEntry { Self.entries[index] }

    /// The role's name in the configuration, in the journal and in the ledger. It never changes.
    public var name: String { Self.entries[index].name }

    /// The position of the output among the cases, from 0.
    public var index: Int { Int(rawValue) }

    var commandNames: LineWords? { Self.entries[index].commands }

    var device: OutputEntry.Device { Self.devices[index] }

    /// Whether it lets people through while on. The line may be energised, not, or only for the
    /// pull.
    public var isWay: Bool { OutputSet.ways[self] }

    /// The direction whose lock it drives.
    public var way: Direction? {
        switch device {
        case .lock(let direction), .hold(let direction): direction
        case .acceptors, .other: nil
        }
    }
}

/// The description of an output: its arm in `Outputs.swift` is the only place for it.
public struct OutputEntry: Sendable {
    /// The device of an output.
    public enum Device: Hashable, Sendable {
        /// The lock of this way, or the coil that pulls it.
        case lock(Direction)
        /// The coil that holds the lock of this way.
        case hold(Direction)
        /// The inhibit input of the acceptors.
        case acceptors
        /// A sign, a counter or an ejector.
        case other
    }

    /// The role's name.
    public var name: String
    /// A clause that starts in lower case and has no full stop.
    public var summary: String
    /// What it drives.
    public var device = Device.other
    /// The names of the commands that turn it on and off, where they are not made of its own.
    var commands: LineWords?
    /// Whether a board can do without it.
    public var need = LineNeed.conditional("optional")
    /// The restriction while the output fails.
    var failing = Fault.Effect.none
    /// Whether `duty: continuous` is the default: coils burn, lamps do not.
    public var isContinuous = false
    /// The default of `max_on`.
    public var maximumOnTime = Duration.seconds(30)
    /// Why its behaviour without power must be stated; nil if that is no question.
    public var powerLossReason: String?
    /// The state of its device while nothing drives the output.
    public var unpowered = "nothing"
    /// The same of a lock or an arm that is fail-safe.
    public var unpoweredFailSafe: String?
    /// The words for on and off: an energised lock may be locked or open.
    public var words = LineWords("on", "off", isInName: true)
    /// The meaning of its lamp while it is energised.
    public var lamp = LampMeaning.notice
    /// Whether its lamp is shown where there is little room.
    public var isEssential = false

    fileprivate static let lockPowerLoss =
        "there is no default, since it depends on the device: see its data sheet; write "
        + "fail_safe if the lock opens without power (energised to lock) or fail_secure if it "
        + "stays locked (energised to release)"
}
