import Turnstile

extension EntryKind {
    /// What is said of the ledger.
    static let ledger = [
        ledgerBegun, checkpoint, ledgerKeyChanged, ledgerRoomRunsOut, recordsSetAside,
    ]

    /// The kind of `StoreNote.begun`.
    static let ledgerBegun = EntryKind(
        id: "cfa00a7ecd5641d6ac35f42f8649d704", event: "ledger_begun", priority: .notice,
        subject: "A new ledger was begun",
        explanation: """
            There was none, and nothing that says that there ever was one: credit is nothing and
            all registers are at 0. After the first start this belongs to putting the gate into
            service; at any other time somebody has removed the old one.

            Its first record has the same name and tells its identity, @TURNSTILE_DETAIL@.
            """)

    /// The kind of `StoreNote.recordsSetAside`.
    static let recordsSetAside = EntryKind(
        id: "a5bd197cd94943b09ecb161889844a96", event: "records_set_aside", priority: .error,
        subject: "The ledger's records are damaged and were set aside",
        explanation: """
            The money and the registers in the ledger are sound, and the gate goes on with them.
            The file with the damaged records is whole in @TURNSTILE_DETAIL@; what it tells may
            still be read there, and in the journal.

            Storage that damages files will do so again: replace it.
            """)

    /// The kind of `StoreNote.checkpoint`.
    static let checkpoint = EntryKind(
        id: "7879ac857f2947b2850ea40c75545903", event: "checkpoint", priority: .info,
        subject: "What the ledger holds was signed",
        explanation: """
            The checkpoint is the field TURNSTILE_DETAIL, some lines with a signature: how
            far the records go, their hash, and what the registers show. Whoever keeps it can
            prove later that no record before it was altered: docs/audit.md.
            """)

    /// The kind of `StoreNote.keyChanged`.
    static let ledgerKeyChanged = EntryKind(
        id: "b1b16225f3d54c43862e53703a1b9ef3", event: "ledger_key_changed", priority: .warning,
        subject: "The ledger is signed with another key",
        explanation: """
            The key beside the ledger, or in the service's credentials, is not the one that
            the ledger was signed with until now: somebody has exchanged or removed it. The
            new one is verified with @TURNSTILE_DETAIL@. Give that to whoever
            verifies the checkpoints, and find out why: docs/audit.md.
            """)

    /// The kind of `StoreNote.roomRunsOut`.
    static let ledgerRoomRunsOut = EntryKind(
        id: "916a1173c8c04dd6b05f28bc8668bdc4", event: "ledger_room_runs_out", priority: .warning,
        subject: "The ledger's room runs out",
        explanation: """
            @TURNSTILE_COUNT@ % of what 'ledger.room' gives it is used. When all of it is,
            coins are refused: have fewer records kept, or give it more room, and start the
            service anew.
            """)
}
