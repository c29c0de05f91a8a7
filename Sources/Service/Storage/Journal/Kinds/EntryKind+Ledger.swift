import Turnstile

extension EntryKind {
    static let ledger = [
        ledgerBegun, checkpoint, ledgerKeyChanged, ledgerRoomRunsOut, recordsSetAside,
    ]

    static let ledgerBegun = EntryKind(
        id: "cfa00a7ecd5641d6ac35f42f8649d704", event: "ledger_begun", priority: .notice,
        subject: "A new ledger was begun",
        explanation: """
            There was no ledger, and no trace of an earlier one: credit and all registers start
            at 0. After the first start this is part of putting the gate into service; at any
            other time the old ledger was removed.

            Its first record has the same name and gives its identity, @TURNSTILE_DETAIL@.
            """)

    static let recordsSetAside = EntryKind(
        id: "a5bd197cd94943b09ecb161889844a96", event: "records_set_aside", priority: .error,
        subject: "The ledger's records are damaged and were set aside",
        explanation: """
            The money and the registers in the ledger are sound, and the gate continues with
            them. The complete file with the damaged records is in @TURNSTILE_DETAIL@; its
            records may still be read there, and in the journal.

            Storage that damages files will do so again: replace it.
            """)

    static let checkpoint = EntryKind(
        id: "7879ac857f2947b2850ea40c75545903", event: "checkpoint", priority: .info,
        subject: "A checkpoint of the ledger was signed",
        explanation: """
            The checkpoint is the field TURNSTILE_DETAIL, some lines with a signature: the last
            record, its hash, and the registers. An auditor who keeps it can prove later that no
            record before it was altered: docs/audit.md.
            """)

    static let ledgerKeyChanged = EntryKind(
        id: "b1b16225f3d54c43862e53703a1b9ef3", event: "ledger_key_changed", priority: .warning,
        subject: "The ledger is signed with another key",
        explanation: """
            The key beside the ledger, or in the service's credentials, is not the previous
            one: it was replaced or removed. The public key is now
            @TURNSTILE_DETAIL@. Give it to the auditor who
            verifies the checkpoints, and find out who changed the key: docs/audit.md.
            """)

    static let ledgerRoomRunsOut = EntryKind(
        id: "916a1173c8c04dd6b05f28bc8668bdc4", event: "ledger_room_runs_out", priority: .warning,
        subject: "The ledger is nearly full",
        explanation: """
            @TURNSTILE_COUNT@ % of 'ledger.room' is used. When it is full, coins are refused:
            keep fewer records or raise the limit, and restart the service.
            """)
}
