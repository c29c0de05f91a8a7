extension EntryKind {
    /// The coin vault.
    static let vault = [
        vaultOpened, vaultClosed, vaultRemoved, vaultReplaced, coinsCollected, collectionCounted,
    ]

    /// The kind of `Record.vaultOpened`.
    static let vaultOpened = EntryKind(
        id: "59765f5482384ec489a7656432815202", event: "vault_opened", priority: .notice,
        subject: "The door of the coin vault was opened",
        explanation: """
            The contact "vault_door" became active. Outside service mode the siren sounds as
            well.
            """)

    /// The kind of `Record.vaultClosed`.
    static let vaultClosed = EntryKind(
        id: "bc243bfe3de14005b70c83c3b0553528", event: "vault_closed", priority: .notice,
        subject: "The door of the coin vault was closed",
        explanation: """
            The contact "vault_door" is at rest again.
            """)

    /// The kind of `Record.vaultRemoved`.
    static let vaultRemoved = EntryKind(
        id: "cae3096ce86142ee91dce8e0ebc5fd85", event: "vault_removed", priority: .notice,
        subject: "The coin vault was taken out",
        explanation: """
            Coins are refused until a box is in its place (F10), and outside service mode the
            siren sounds (A8). Whoever counts the box compares it with the registers that are
            written when it is back.
            """)

    /// The kind of `Record.vaultReplaced`.
    static let vaultReplaced = EntryKind(
        id: "77aa036e068b4ef2ae0307a0a1ce2d92", event: "vault_replaced", priority: .notice,
        subject: "A coin vault is in its place: the coins were collected",
        explanation: """
            The registers since the collection before are in the next entry; those since the
            collection begin anew. This is so whoever took the box: the registers since then
            have to be those of what is in it.

            If the alarm A8 came before, it was not taken in service mode: ask who did.
            """)

    /// The kind of `Record.coinsCollected`.
    static let coinsCollected = EntryKind(
        id: "6e3345ef573a40d295ed6fa421e09c8d", event: "coins_collected", priority: .notice,
        subject: "The coins were collected",
        explanation: """
            An operator says so, and no contact "vault_present" tells when a box is in its
            place. The registers since the collection before are in the next entry; those since
            the collection begin anew.
            """)

    /// The kind of `Record.collectionCounted`.
    static let collectionCounted = EntryKind(
        id: "9721ed3d73014e7ba048d072a519d73c", event: "collection_counted", priority: .notice,
        subject: "@TURNSTILE_VALUE@ was counted in the collection",
        explanation: """
            An operator has counted the coins of the last collection, which is counted once.
            Compare it with the registers that were written down as the coins were collected.
            """)
}
