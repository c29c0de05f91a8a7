public import Turnstile

extension EntryKind {
    /// All kinds, in the order of the catalog.
    public static let all = Record.forms.map { $0.entry.kind } + ledger + shell

    /// The catalog, in the format of systemd's own catalog files.
    public static var catalog: String {
        let head = """
            # What journalctl -x says about the entries of turnstiled.
            # Generated from Sources/Gate/Turnstile/Catalogue and Sources/Service/Storage/Journal;
            # a test fails if it is stale.

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
