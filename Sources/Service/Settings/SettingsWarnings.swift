import System
import Turnstile

/// A warning about a configuration file: something allowed but rarely meant.
public struct SettingsWarning: Hashable, Sendable {
    public var kind: WarningKind
    public var position: Position
    /// The finding, why it is rarely meant, and what to do.
    public var message: String

    public init(_ kind: WarningKind, _ message: String, at position: Position) {
        self.kind = kind
        self.message = message
        self.position = position
    }

    /// In the form of compilers: `file:line:column: warning: message`.
    public func line(in file: String) -> String {
        "\(file):\(position): warning: \(message)".onOneLine
    }
}

extension SettingsWarning: Comparable {
    /// In the order of the file.
    public static func < (a: SettingsWarning, b: SettingsWarning) -> Bool {
        (a.position, a.message) < (b.position, b.message)
    }
}

/// All warnings.
public enum WarningKind: String, CaseIterable, Sendable {
    case cutWireGrants = "cut-wire-grants"
    case cutWireHides = "cut-wire-hides"
    case pullDownAlone = "pull-down-alone"
    case pairDiffers = "pair-differs"
    case quotedNumber = "quoted-number"
    case typographicQuotes = "typographic-quotes"
    case commentInName = "comment-in-name"
    case chipByOtherKey = "chip-by-other-key"
    case notOnTheHeader = "not-on-the-header"
    case pinOfTheBoard = "pin-of-the-board"
    case energisedUntilStart = "energised-until-start"
    case resistorNotThere = "resistor-not-there"
    case fireActiveLow = "fire-active-low"
    case pullCoilContinuous = "pull-coil-continuous"
    case withoutEffect = "without-effect"
    case volatileLedger = "volatile-ledger"
    case roomTooSmall = "room-too-small"
    case ageNotReached = "age-not-reached"
    case cutOnTheWay = "cut-on-the-way"
    case lockedInWithoutPower = "locked-in-without-power"
    case priceNeverMet = "price-never-met"
    case storeFullForEver = "store-full-for-ever"
    case coinFallsApart = "coin-falls-apart"
    case twoMakeAThird = "two-make-a-third"
    case valuesExchanged = "values-exchanged"
    case vaultFullNotWired = "vault-full-not-wired"
    case acceptorNotWired = "acceptor-not-wired"
    case endsAsItBegins = "ends-as-it-begins"
    case entryChangesNothing = "entry-changes-nothing"

    /// A sentence for the documentation.
    public var explanation: String {
        switch self {
        case .cutWireGrants:
            alternatives(Input.allCases.filter { $0.entry.grants != nil }.map { "`\($0.name)`" })
                + " is active when its wire is cut: cutting it releases the gate, or acts as the "
                + "key."
        case .cutWireHides:
            alternatives(
                Input.allCases.compactMap { input in
                    input.entry.guards.map { "`\(input.name)` reads as \($0.calm)" }
                }) + " when its wire is cut: nothing would raise the alarm."
        case .pullDownAlone:
            "An input has `bias: pull_down` and no `active_low`, which is true by default: it is "
                + "active while nothing is connected. If that is intended, write "
                + "`active_low: true`."
        case .pairDiffers:
            "`rotor_a` and `rotor_b`, `beam_a` and `beam_b`, or `lock_feedback` and "
                + "`lock_feedback_exit` have the same bias but different `active_low`: at rest one "
                + "of them would be active. Or two related outputs on one chip differ in it: the "
                + "coils of a lock, the locks, the lamps."
        case .quotedNumber:
            "A role's `line` is a number in quotes, which is read as a name. An offset is written "
                + "without quotes."
        case .typographicQuotes:
            "A name begins with a typographic quotation mark, as word processors make it, which "
                + "is a part of the name."
        case .commentInName:
            "A name is followed by a space and `#2` or the like, which is a comment and no part of "
                + "the name."
        case .chipByOtherKey:
            "A chip's `label` is a name such as `gpiochip0` or a path, or its `name` is not such "
                + "a name."
        case .notOnTheHeader:
            "An offset on a Raspberry Pi is 28 or more, which is not on its header: it is the "
                + "number of a pin, or one of `/sys/class/gpio`."
        case .pinOfTheBoard:
            "On a Raspberry Pi a role has GPIO 0 or 1, which the board drives as it starts, or an "
                + "output GPIO 14, to which it may write its messages then."
        case .energisedUntilStart:
            "On a Raspberry Pi an output that a high level energises is one of GPIO 2 to 8, which "
                + "are pulled up from the power on until the service runs."
        case .resistorNotThere:
            "An input has `bias: pull_down` on an expander that has none (labels `mcp23…`, "
                + "`pcf85…`, `pca85…`), or on GPIO 2 or 3 of a Raspberry Pi, which have pull-ups "
                + "on the board."
        case .fireActiveLow:
            "`fire` has `active_low: true` with a resistor outside: a loop that closes to ground "
                + "would be an emergency for as long as it is whole."
        case .pullCoilContinuous:
            "`lock_entry` or `lock_exit` says `duty: continuous` while the coil that holds is "
                + "wired as well: nothing cuts the one that pulls."
        case .withoutEffect:
            "`beam_blocked`, `lock_pull`, `lock_response`, `home_settle`, `count_pulse` or "
                + "`service_hold` differs from the default, but no wired line uses it."
        case .volatileLedger:
            "`ledger.path` lies below `/tmp`, `/run`, `/var/run` or `/dev`, or on a file system "
                + "in memory (which `--check-config` checks): money is lost with the next start of "
                + "the board."
        case .roomTooSmall:
            "`ledger.records`, at about 200 bytes each, and the checkpoints of ten years take more "
                + "than `ledger.room`: once it is full no coins are taken."
        case .ageNotReached:
            "A busy gate (27,000 records a day) reaches `ledger.records` before `ledger.age`: "
                + "records are deleted before that age."
        case .cutOnTheWay:
            "The `max_on` of a fail-secure lock is not longer than `passage.pass_wait` and "
                + "`passage.pass_delay_alarm` together: it locks while a passenger may be in the "
                + "gate, before the alarm."
        case .lockedInWithoutPower:
            "`lock_entry` is `fail_safe` and `lock_exit` is `fail_secure`: without power people "
                + "get in, and not out again."
        case .priceNeverMet:
            "No coins of the wired acceptors add up to `fare.price`: everybody pays too much."
        case .storeFullForEver:
            "`passage.max_stored` is 1 and `passage.credit_expiry` 0: the credit of one unused "
                + "fare refuses coins until a passenger pushes the arm, without knowing of the "
                + "credit."
        case .coinFallsApart:
            "An acceptor's `train_quiet` is not longer than its `pulse_width`. The pause between "
                + "two pulses of a coin is about as long as a pulse: each pulse would be a coin."
        case .twoMakeAThird:
            "Two numbers of an acceptor's `values` add up to a third with another value: two "
                + "coins in close succession may be counted as that one."
        case .valuesExchanged:
            "Each number of pulses in an acceptor's `values` is larger than its value, and no coin "
                + "pays `fare.price`, or several numbers are all amounts such as 50 and 100: "
                + "pulses and values may be exchanged. Write the number of pulses first."
        case .acceptorNotWired:
            "`coin.second` or `coin.third` is stated, and `coin_pulse_2` or `coin_pulse_3` is not "
                + "wired: coins in that acceptor are not counted."
        case .vaultFullNotWired:
            "`coin.vault_full` is `refuse`, and the input `vault_full` is not wired: a full vault "
                + "is not detected, and coins are taken until it overflows."
        case .endsAsItBegins:
            "An entry of `schedule` has the same `from` and `to`, and lasts for 24 hours. Whole "
                + "days are written `from: 00:00, to: 24:00`."
        case .entryChangesNothing:
            "An entry of `schedule` has no effect beside `modes` and the other entries."
        }
    }
}
