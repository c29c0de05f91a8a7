/// Faults of the acceptors and their lines.
extension EntryKind {
    /// The kind of `Fault.coinJam`.
    static let coinJam = EntryKind(
        id: "441d1aab5609466ea7d64182269205fa", event: "fault_coin_jam", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: an acceptor reports a jam",
        explanation: """
            The fault contact of the acceptors is active. Coins are refused, and the reject
            coil was pulled once where one is wired. Contacts and free directions work on.

            Open the acceptor, take the coin or foreign body out and clean the runway. The
            fault ends by itself when the contact is at rest.
            """)

    /// The kind of `Fault.coinLineStuck`.
    static let coinLineStuck = EntryKind(
        id: "f0987043327744b0a38f52d270ac3db1", event: "fault_coin_line_stuck", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: the coin line @TURNSTILE_LINE@ is stuck",
        explanation: """
            The line has been active for longer than any pulse lasts, so coins could no longer
            be counted, and coins are refused. Contacts and free directions work on.

            Look for a jammed coin, then for a short circuit of the cable. The fault ends by
            itself when the line is at rest.
            """)

    /// The kind of `Fault.noiseBurst`.
    static let noiseBurst = EntryKind(
        id: "31325d8c4e3f4b17b5fd61751dad7ac8", event: "fault_noise_burst", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: the coin line @TURNSTILE_LINE@ carries noise",
        explanation: """
            Many pulses that are no coin's came one after the other, or more than 255 that
            would have been one coin's, which none has. Coins are refused, since some of the
            noise would pass for money. The fault ends by itself ten seconds after the last
            such pulse, and an entry says how many there were.

            Noise comes from static electricity, from a missing common ground between
            acceptor and board, and from coin cables beside those of motors and locks. It may
            also be somebody with a spark lighter.
            """)

    /// The kind of `Fault.unknownPulseCount`.
    static let unknownPulseCount = EntryKind(
        id: "836f8926f8534973876f87d8cb710c07", event: "fault_unknown_pulse_count",
        priority: .warning,
        subject: "Fault @TURNSTILE_CODE@: an acceptor sent a number of pulses that is no coin",
        explanation: """
            The table of the configuration has no coin with so many pulses, or the train was
            not one coin's alone: there was noise in it, edges were missing, or one of its gaps
            was more than twice as long as another. Nothing was credited. The entry about the
            unknown coin has the number.

            Compare the table with the acceptor's programming. If the table has the number,
            look for noise or lost edges right before. If only large numbers are unknown,
            two coins ran into one another: choose an acceptor with longer pauses, or values
            in proportion to the pulses.
            """)

    /// The kind of `Fault.vaultFull`.
    static let vaultFull = EntryKind(
        id: "b3d1772e66ae46c0a6ad8c8b08484482", event: "fault_vault_full", priority: .warning,
        subject: "Fault @TURNSTILE_CODE@: the coin vault is full",
        explanation: """
            The level switch in the coin vault, "vault_full", is active. Where the policy says
            "vault_full: warn", coins are taken all the same, as long as there is room above
            the switch; where it says "refuse", they are refused until the vault was emptied.
            Contacts and free directions work on.

            Collect the coins; the fault ends by itself when the switch is at rest. If the
            vault is not full, look for coins that are heaped up under the chute, then check
            the switch.
            """)
}
