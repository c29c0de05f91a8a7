extension EntryKind {
    /// Coins and credit.
    static let money = [
        coinAccepted, coinLate, coinNoise, creditUsed, creditReturned, creditForfeited,
    ]

    /// The kind of `Record.coinAccepted`.
    static let coinAccepted = EntryKind(
        id: "9448b94700914c37a0e2994d92cc3ed6", event: "coin_accepted", priority: .info,
        subject: "A coin of @TURNSTILE_VALUE@ was credited",
        explanation: """
            The acceptor sent @TURNSTILE_PULSES@ pulse(s). The value is in minor units of the
            currency: pulses times the unit in the configuration.
            """)

    /// The kind of `Record.coinLate`.
    static let coinLate = EntryKind(
        id: "c0dcde0f8c9c444d8355172e8d4613db", event: "coin_late", priority: .notice,
        subject: "A coin of @TURNSTILE_VALUE@ came while the acceptor was inhibited",
        explanation: """
            When its pulses come, a coin is already in the box, so it was credited. One such
            coin now and then was on its way when the acceptor was inhibited.

            Where it happens often, the acceptor does not obey: check the inhibit line, its
            polarity, and that an undriven line makes the acceptor refuse.
            """)

    /// The kind of `Record.coinNoise`.
    static let coinNoise = EntryKind(
        id: "eabe96ba159f42fb805ad9a4d679846a", event: "coin_noise", priority: .warning,
        subject: "A pulse on the coin line was no coin",
        explanation: """
            The pulse lasted @TURNSTILE_DURATION_USEC@ µs, which is less than half or more than
            double the acceptor's nominal width, and was not credited.

            Noise comes from static electricity, from a missing common ground between
            acceptor and board, and from coin cables beside those of motors and locks. If
            customers lose money, compare the configured pulse width with the acceptor's.
            """)

    /// The kind of `Record.creditUsed`.
    static let creditUsed = EntryKind(
        id: "7ad8688378d041b4bcfbba97c976b92e", event: "credit_used", priority: .info,
        subject: "@TURNSTILE_VALUE@ was paid for a passage",
        explanation: """
            Somebody passed, and the fare was taken from the credit. The value is in minor
            units of the currency.
            """)

    /// The kind of `Record.creditReturned`.
    static let creditReturned = EntryKind(
        id: "6a6f0d4af87c4b0ea7a282835e1f2b10", event: "credit_returned", priority: .info,
        subject: "@TURNSTILE_VALUE@ became credit again",
        explanation: """
            A fare had been paid and nobody passed. It is credit again and pays for the next
            passage.
            """)

    /// The kind of `Record.creditForfeited`.
    static let creditForfeited = EntryKind(
        id: "6396b52542be4a29838fae503725ab1e", event: "credit_forfeited", priority: .notice,
        subject: "Credit of @TURNSTILE_VALUE@ fell to the operator",
        explanation: """
            The policy says that a fare which is not used in time, or what was paid above the
            fare, is not kept for the next passage.
            """)
}
