/// One kind of journal entry, and what the journal's catalog says about it.
///
/// This is the one source of the message ids, of the catalog that `journalctl -x` shows, and of
/// the codes that a technician looks up. An id never changes its meaning: tools search for it.
public struct EntryKind: Hashable, Sendable {
    /// 32 lower-case hexadecimal digits, drawn at random once.
    public let id: String
    /// The name of the kind, in `TURNSTILE_EVENT`: stable as well.
    public let event: String
    /// How much entries of the kind matter.
    public let priority: Priority
    /// One line about the kind; `@NAME@` stands for the value of that field in the entry.
    public let subject: String
    /// What it means and what to do, in lines of at most 84 columns; `@NAME@` as above.
    public let explanation: String
}

extension EntryKind {
    /// All kinds, in the order of the catalog.
    public static let all =
        service + mechanic + money + vault + passages + alarms + faults + emergency + ledger
        + shell

    /// The catalog's text: the format is that of systemd's own catalog files.
    public static var catalog: String {
        let head = """
            # What journalctl -x says about the entries of turnstiled.
            # Generated from Sources/Service/System/Journal/Kinds; a test fails if it is stale.

            """
        return all.reduce(head) { text, kind in
            text + """

                -- \(kind.id)
                Subject: \(kind.subject)
                Defined-By: turnstiled

                \(kind.explanation)

                """
        }
    }
}
