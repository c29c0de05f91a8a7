@testable import Turnstile

/// docs/alarms-and-faults.md, written from the journal's catalog and from what the domain says of
/// each alarm and fault.
struct AlarmsAndFaultsPage {
    /// The page.
    let text: String

    /// The page of all codes.
    init() {
        let alarms = Alarm.allCases.map(Item.init)
        let faults = Dictionary(grouping: Fault.all, by: \.code).values.map(Item.init)
            .sorted { $0.number < $1.number }
        text =
            Self.opening
            + "\n## Alarms\n\n\(Self.aboutAlarms)\n" + Self.table(alarms, "what it does")
            + "\n## Faults\n\n\(Self.aboutFaults)\n" + Self.table(faults, "what the gate refuses")
            + (alarms + faults).map(\.section).joined() + Self.ending
    }

    private static func table(_ items: [Item], _ effect: String) -> String {
        "\n| code | what it says | severity | lasts | \(effect) |\n|---|---|---|---|---|\n"
            + items.map(\.row).joined()
    }
}

/// What the page says of one code.
private struct Item {
    /// The number in the code.
    let number: Int
    private let code: String
    private let name: String
    private let kind: EntryKind
    private let lasting: String
    private let effect: String

    init(_ alarm: Alarm) {
        code = alarm.code
        number = Int(alarm.code.dropFirst())!
        name = alarm.name
        kind = alarm.entryKind
        lasting = alarm.lasting
        effect =
            alarm.isAboutPassage
            ? "the siren where enforcement is strong, the buzzer where it is weak" : "the siren"
    }

    /// The faults of one code, which differ in their lines.
    init(_ faults: [Fault]) {
        code = faults[0].code
        number = Int(faults[0].code.dropFirst())!
        name = faults[0].name
        kind = faults[0].entryKind
        lasting = byLine(faults, strictestFirst: ["until the key is turned", "with its cause"]) {
            $0.isLatching ? "until the key is turned" : "with its cause"
        }
        effect = byLine(faults, strictestFirst: Fault.Effect.strictestFirst) {
            $0.effect.words
        }
    }

    /// The subject of the kind's entry, without the code: it stands beside it.
    private var title: String {
        let words = kind.subject.replacing(#/^\w+ @TURNSTILE_CODE@: /#, with: "")
        return filled(words.prefix(1).uppercased() + words.dropFirst())
    }

    var row: String {
        let link = "[\(code)](#\(code.lowercased()))"
        return "| \(link) | \(title) | \(kind.priority) | \(lasting) | \(effect) |\n"
    }

    var section: String {
        """

        ## \(code)

        **\(title)** (`\(kind.event)`)

        \(filled(kind.explanation))

        """
    }

    /// The text without the name of the line, which differs from entry to entry.
    private func filled(_ text: String) -> String { text.replacing(" @TURNSTILE_LINE@", with: "") }
}

/// What the faults have in common: the strictest that any of them has, then the lines of the
/// others.
private func byLine(
    _ faults: [Fault], strictestFirst order: [String], _ say: (Fault) -> String
) -> String {
    let groups = order.compactMap { words -> (words: String, lines: [Line])? in
        let group = faults.filter { say($0) == words }
        return group.isEmpty ? nil : (words, group.compactMap(\.line))
    }
    let exceptions = groups.dropFirst().map { group in
        group.lines.map { "`\($0)`" }.joined(separator: ", ") + ": \(group.words)"
    }
    return ([groups[0].words] + exceptions).joined(separator: "; ")
}

extension Alarm {
    fileprivate var lasting: String {
        if lastsWithItsCause { return "with its cause" }
        guard self == .forcedPassage else { return "for `alarm_hold`, or until the key is turned" }
        return "for `alarm_hold`, or until the key is turned; only the latter with "
            + "`forced_passage: latch`"
    }
}

extension Fault.Effect {
    fileprivate static let strictestFirst =
        [Fault.Effect.outOfService, .refusesCoins, .mayRefuseCoins, .none].map(\.words)

    fileprivate var words: String {
        switch self {
        case .none: "nothing"
        case .mayRefuseCoins: "coins where `coin.vault_full` is `refuse`"
        case .refusesCoins: "coins"
        case .outOfService: "people and coins"
        }
    }
}

extension AlarmsAndFaultsPage {
    private static let opening = """
        # Alarms and faults

        Every code that a gate shows in its log, what it means and what to do. The same words stand
        in the journal: `journalctl _SYSTEMD_UNIT=turnstiled.service -x` adds them to each entry.
        The code is in `TURNSTILE_CODE`, and the line of a fault that several lines can have is in
        `TURNSTILE_LINE`:

        ```sh
        journalctl _SYSTEMD_UNIT=turnstiled.service TURNSTILE_CODE=F5 -x
        ```

        An **alarm** is about what people do; a **fault** is what the machine suffers from. The
        severity is the entry's priority in the journal: `critical`, `error`, `warning`.

        """

    private static let aboutAlarms = """
        The mechanic's key ends every alarm whose cause is gone.
        """

    private static let aboutFaults = """
        A fault that lasts **with its cause** ends by itself. One that lasts **until the key is
        turned** stays when its cause is gone, since a mechanic has to inspect it. The key ends
        those whose cause is gone, or [is refused](operations.md#the-mechanics-key). F9, F12 and
        F13 are over at once: they tell of something that has happened. A fault that refuses
        **people** takes the gate out of service. If it ends by itself within `passage.pass_wait`,
        the gate goes on as it was; later, and with the key, `passage.repair_resumes` decides. An
        emergency opens the gate whatever its faults are.
        """

    private static let ending = """

        This page is written from the journal's catalog and the domain's own tables:
        `UPDATE_GENERATED=1 swift test --filter AlarmsAndFaultsPageTests` writes it anew.

        """
}
