// Coins and credit.

extension Record {
    static let money: [Record] = [
        .coinCounted(.blank), .coinAccepted(.blank), .coinLate(.blank), .coinInDoubt(.blank),
        .coinsRefused(.ledgerAwaited), .coinInhibited(.blank), .coinEarly(.blank),
        .coinRejected(.blank), .coinUnknown(.first, pulses: 0), .coinNoise(.first, width: .zero),
        .noiseOver(.first, pulses: 0), .creditUsed(value: 0), .creditReturned(value: 0),
        .creditRecovered(value: 0), .creditForfeited(value: 0), .creditExpired(value: 0),
    ]
}

extension FieldVisitor {
    mutating func coinCounted(_ coin: Coin) -> Record {
        journalEntry(
            "coin_counted", id: "ee33904c66664f30938263694b4e822a", .debug,
            "\(coin.text) counted", subject: "A coin of @TURNSTILE_VALUE@ was counted",
            explanation: """
                Acceptor @TURNSTILE_ACCEPTOR@ sent @TURNSTILE_PULSES@ pulse(s), and three quarters
                of the silence that ends a coin have passed. The ledger stores the coin during the
                rest, so that no passenger waits for the disk and a power failure loses no coin.
                These entries are written only if the service runs with --trace.
                """)
        return .coinCounted(inline(coin))
    }

    mutating func coinAccepted(_ coin: Coin) -> Record {
        journalEntry(
            "coin_accepted", id: "9448b94700914c37a0e2994d92cc3ed6", .info,
            "\(coin.text) credited", subject: "A coin of @TURNSTILE_VALUE@ was credited",
            explanation: """
                Acceptor @TURNSTILE_ACCEPTOR@ sent @TURNSTILE_PULSES@ pulse(s). The value is in
                minor units of the currency, by the configuration for this number of pulses.
                """)
        return .coinAccepted(inline(coin))
    }

    mutating func coinLate(_ coin: Coin) -> Record {
        journalEntry(
            "coin_late", id: "c0dcde0f8c9c444d8355172e8d4613db", .notice,
            "\(coin.text) credited, though the acceptor was inhibited",
            subject: "A coin of @TURNSTILE_VALUE@ came while the acceptor was inhibited",
            explanation: """
                When its pulses come, a coin is already in the box, so it was credited. Now and
                then a coin is on its way when the acceptor is inhibited.

                If it happens often, the acceptor ignores the inhibit line: check the line, its
                polarity, and that the acceptor refuses coins when the line is not driven.
                """)
        return .coinLate(inline(coin))
    }

    mutating func coinInDoubt(_ coin: Coin) -> Record {
        journalEntry(
            "coin_in_doubt", id: "c161b799f8d348f88897dda029461ec8", .notice,
            "\(coin.text) is in doubt: pulses of it may be missing",
            subject: "Pulses of a coin may be missing",
            explanation: """
                While acceptor @TURNSTILE_ACCEPTOR@ sent the coin, edges of the lines were lost
                (F12), its line could not be read (F15), or the service ended. An entry before this
                one says which. The coin counts as one of @TURNSTILE_PULSES@ pulse(s), those that
                were seen: the next entry says what became of it.
                """)
        return .coinInDoubt(inline(coin))
    }

    mutating func coinsRefused(_ refusal: CoinRefusal) -> Record {
        journalEntry(
            "coins_refused", id: "5967ad4939974c02a62417c4693a8e18", .notice,
            "coins are refused: \(refusal.sentence)",
            subject: "Coins are refused: @TURNSTILE_REFUSAL@",
            explanation: """
                The gate is in service and nobody is being let in, but coins are refused. The
                status of the service says so as long as it lasts:

                store_full: "max_stored" fares are held. A passenger who pushes the arm is let in
                on one of them; with "credit_expiry" they fall to the operator in time.
                entry_locked: the schedule, the policy or an operator has locked the way in.

                If store_full recurs, passengers pay and do not pass: see "wait_timed_out". A fault
                that refuses coins has an entry of its own.
                """)
        return .coinsRefused(inline(refusal, as: .refusal))
    }

    mutating func coinInhibited(_ coin: Coin) -> Record {
        journalEntry(
            "coin_inhibited", id: "c1f2b68147044d47a8d018d8ca9a31a8", .warning,
            "\(coin.text) not credited: coins are refused",
            subject: "A coin of @TURNSTILE_VALUE@ was reported while coins were refused",
            explanation: """
                Acceptor @TURNSTILE_ACCEPTOR@ reports a coin although it had been inhibited for
                longer than a coin takes to fall. It was not credited.

                This is fraud, or an acceptor that ignores the inhibit line: the entry about the
                alarm says what to check.
                """)
        return .coinInhibited(inline(coin))
    }

    mutating func coinEarly(_ coin: Coin) -> Record {
        journalEntry(
            "coin_early", id: "6683e362abd64671b576524cfa749f8d", .notice,
            "\(coin.text) not credited: the acceptor has just been switched on",
            subject: "A coin of @TURNSTILE_VALUE@ was reported as coins were accepted again",
            explanation: """
                Acceptor @TURNSTILE_ACCEPTOR@ sent @TURNSTILE_PULSES@ pulse(s) within the
                early_coin_window after it was enabled, as some acceptors do when they are
                switched on. It was not credited.

                If a passenger paid at that moment, give the coin back.
                """)
        return .coinEarly(inline(coin))
    }

    mutating func coinRejected(_ coin: Coin) -> Record {
        journalEntry(
            "coin_rejected", id: "2cf917720ddc4bc7a4f2f0bd951868a7", .notice,
            "\(coin.text) ejected", subject: "A coin of @TURNSTILE_VALUE@ was ejected",
            explanation: """
                It came while the gate was unlocked, when the policy refuses coins, and was given
                back. It was not credited.

                If passengers do not get such coins back, the reject coil does not eject: check
                its supply and driver.
                """)
        return .coinRejected(inline(coin))
    }

    mutating func coinUnknown(_ acceptor: Acceptor, _ pulses: Int) -> Record {
        journalEntry(
            "coin_unknown", id: "77126be1a5284e02bb9d2d7ac1e00d58", .warning,
            "\(counted(pulses, "pulse")) on \(acceptor.line.name): unknown coin",
            subject: "Unknown coin: the table has none with @TURNSTILE_PULSES@ pulse(s)",
            explanation: """
                The coin is in the box, its value is unknown and nothing was credited. Passengers
                may ask for their money: this entry is the proof.

                Compare the table of the configuration with the programming of acceptor
                @TURNSTILE_ACCEPTOR@.
                """)
        let pulses = count(.pulses, pulses)
        return .coinUnknown(self.acceptor(acceptor), pulses: pulses)
    }

    mutating func coinNoise(_ acceptor: Acceptor, _ width: Duration) -> Record {
        journalEntry(
            "coin_noise", id: "eabe96ba159f42fb805ad9a4d679846a", .warning,
            "pulse of \(width.text) on \(acceptor.line.name) is noise",
            subject: "A pulse on the coin line @TURNSTILE_LINE@ was noise",
            explanation: """
                The pulse lasted @TURNSTILE_DURATION_USEC@ µs: less than half or more than double
                the acceptor's nominal width. It was not credited.

                Noise comes from static electricity, from a missing common ground between
                acceptor and board, and from coin cables beside those of motors and locks. If
                passengers lose money, compare the configured pulse width with the acceptor's.
                """)
        let width = duration(.duration, width)
        return .coinNoise(self.acceptor(acceptor), width: width)
    }

    mutating func noiseOver(_ acceptor: Acceptor, _ pulses: Int) -> Record {
        journalEntry(
            "noise_over", id: "e8c31b6d95b9446ebb18bb25cb450003", .notice,
            "the noise on \(acceptor.line.name) is over: \(counted(pulses, "pulse"))",
            subject: "The noise on the coin line @TURNSTILE_LINE@ is over",
            explanation: """
                There were @TURNSTILE_PULSES@ pulses of noise. None was credited.
                """)
        let pulses = count(.pulses, pulses)
        return .noiseOver(self.acceptor(acceptor), pulses: pulses)
    }

    mutating func creditUsed(_ amount: Int) -> Record {
        journalEntry(
            "credit_used", id: "7ad8688378d041b4bcfbba97c976b92e", .info,
            "\(amount) paid for a passage", subject: "@TURNSTILE_VALUE@ was paid for a passage",
            explanation: """
                The gate was released on credit, and the fare was taken from it. The value is in
                minor units of the currency.
                """)
        return .creditUsed(value: value(amount))
    }

    mutating func creditReturned(_ amount: Int) -> Record {
        journalEntry(
            "credit_returned", id: "6a6f0d4af87c4b0ea7a282835e1f2b10", .info,
            "\(amount) not used, credit again", subject: "@TURNSTILE_VALUE@ became credit again",
            explanation: """
                A fare had been paid and nobody passed. It is credit again, and lets in the next
                passenger who pushes the arm or adds a coin.
                """)
        return .creditReturned(value: value(amount))
    }

    mutating func creditRecovered(_ amount: Int) -> Record {
        journalEntry(
            "credit_recovered", id: "40ec060cca1646cebadf43d1de37bca8", .notice,
            "\(amount) held from before the start",
            subject: "Credit of @TURNSTILE_VALUE@ is held from before the start",
            explanation: """
                The service ended or the power failed while credit was held. The ledger kept it. It
                lets in the next passenger who pushes, or pays the rest of a fare, until it expires.
                """)
        return .creditRecovered(value: value(amount))
    }

    mutating func creditForfeited(_ amount: Int) -> Record {
        journalEntry(
            "credit_forfeited", id: "6396b52542be4a29838fae503725ab1e", .notice,
            "\(amount) not used, forfeited",
            subject: "Credit of @TURNSTILE_VALUE@ fell to the operator",
            explanation: """
                By the policy one of these is not kept for the next passage: a fare that was not
                used in time, a remainder smaller than a fare, or a coin that came while the gate
                was released.
                """)
        return .creditForfeited(value: value(amount))
    }

    mutating func creditExpired(_ amount: Int) -> Record {
        journalEntry(
            "credit_expired", id: "3c7e81e8f6d548799ab620f330e39266", .notice,
            "\(amount) not used, expired", subject: "Credit of @TURNSTILE_VALUE@ expired",
            explanation: """
                Nobody used it or added to it within "credit_expiry". It fell to the operator.

                If it happens often, passengers do not understand the price of a passage, or coins
                are lost: look for noise and unknown coins.
                """)
        return .creditExpired(value: value(amount))
    }
}
