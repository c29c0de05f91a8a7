// The coin vault.

extension Record {
    static let vault: [Record] = [
        .vaultOpened, .vaultClosed, .vaultRemoved, .vaultReplaced, .coinsCollected,
        .collectionCounted(value: 0),
    ]
}

extension FieldVisitor {
    mutating func vaultOpened() -> Record {
        journalEntry(
            "vault_opened", id: "59765f5482384ec489a7656432815202", .notice,
            "the vault's door was opened", subject: "The door of the coin vault was opened",
            explanation: """
                The contact "vault_door" became active. Outside service mode the siren sounds.
                """)
        return .vaultOpened
    }

    mutating func vaultClosed() -> Record {
        journalEntry(
            "vault_closed", id: "bc243bfe3de14005b70c83c3b0553528", .notice,
            "the vault's door was closed", subject: "The door of the coin vault was closed",
            explanation: """
                The contact "vault_door" is at rest again.
                """)
        return .vaultClosed
    }

    mutating func vaultRemoved() -> Record {
        journalEntry(
            "vault_removed", id: "cae3096ce86142ee91dce8e0ebc5fd85", .notice,
            "the vault was taken out", subject: "The coin vault was taken out",
            explanation: """
                Coins are refused until a box is in its place (F10), and outside service mode the
                siren sounds (A8). Compare the count of the box with the registers that are written
                when the box is back.
                """)
        return .vaultRemoved
    }

    mutating func vaultReplaced() -> Record {
        journalEntry(
            "vault_replaced", id: "77aa036e068b4ef2ae0307a0a1ce2d92", .notice,
            "a vault is in its place, the coins were collected",
            subject: "A coin vault is in its place: the coins were collected",
            explanation: """
                The next entry has the registers since the previous collection; the registers since
                the collection start again. This does not depend on who took the box: from now on
                they have to match its contents.

                If the alarm A8 came before, the box was taken outside service mode: investigate.
                """)
        return .vaultReplaced
    }

    mutating func coinsCollected() -> Record {
        journalEntry(
            "coins_collected", id: "6e3345ef573a40d295ed6fa421e09c8d", .notice,
            "the coins were collected", subject: "The coins were collected",
            explanation: """
                An operator reported the collection; no contact "vault_present" is wired. The next
                entry has the registers since the previous collection; the registers since the
                collection start again.
                """)
        return .coinsCollected
    }

    mutating func collectionCounted(_ amount: Int) -> Record {
        journalEntry(
            "collection_counted", id: "9721ed3d73014e7ba048d072a519d73c", .notice,
            "\(amount) was counted in the collection",
            subject: "@TURNSTILE_VALUE@ was counted in the collection",
            explanation: """
                An operator has counted the coins of the last collection; each is counted once.
                Compare the count with the registers written at the collection.
                """)
        return .collectionCounted(value: value(amount))
    }
}
