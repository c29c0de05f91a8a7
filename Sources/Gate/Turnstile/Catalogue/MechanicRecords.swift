// Service mode.

extension Record {
    static let mechanic: [Record] = [
        .serviceStarted(by: .schedule), .serviceEnded, .selfTestFailed(.lockEntry),
        .selfTestFinished, .selfTestAborted,
    ]
}

extension FieldVisitor {
    mutating func serviceStarted(_ who: Requester) -> Record {
        journalEntry(
            "service_started", id: "8086afdd52724d19b7a086111bd3f711", .notice,
            "service mode: \(who.person?.description ?? "the mechanic") has the gate",
            subject: "The mechanic has the gate",
            explanation: """
                The mechanic's key was held, and the gate is in service mode: a self-test drives
                every output for a second, then both directions are open. Where an operator asked
                for it from afar, they are open at once. Coins and contacts are refused, passages
                count as service, doors may be opened and the vault taken out. Authorisations that
                were stored are void.

                Turning the key once more ends it, and so do the operator who began it, an
                emergency and the stop contact.
                """)
        return .serviceStarted(by: requester(who))
    }

    mutating func serviceEnded() -> Record {
        journalEntry(
            "service_ended", id: "fac61823aec94262ae771ca9ca39c2d8", .notice,
            "service mode is over", subject: "The mechanic gave the gate back",
            explanation: """
                The key was turned, the operator who had begun it gave the gate back, an emergency
                or the stop contact came, or the service started anew. The gate serves people again
                unless a fault keeps it from that.
                """)
        return .serviceEnded
    }

    mutating func selfTestFailed(_ output: Output) -> Record {
        journalEntry(
            "self_test_failed", id: "a06bb4ccd11b42b2822f84467c470136", .error,
            "self-test: \(output.name) failed", subject: "The self-test failed at @TURNSTILE_LINE@",
            explanation: """
                The output could not be driven, did not carry what it was driven to, was cut since
                it had been on for as long as "max_on" allows, or its feedback contact did not
                follow. The entry of the fault says which, and what to do.
                """)
        return .selfTestFailed(field(.line, output))
    }

    mutating func selfTestFinished() -> Record {
        journalEntry(
            "self_test_finished", id: "2618c87946504f8fb93f9ca27aa5476e", .notice,
            "self-test: done", subject: "The self-test is done",
            explanation: """
                Every output was driven, one after the other, or the one that an operator asked for
                was, for as long as they asked.

                What did not follow has an entry of its own before this one. Lamps, sirens and
                counters have no feedback: they are well if somebody saw and heard them.
                """)
        return .selfTestFinished
    }

    mutating func selfTestAborted() -> Record {
        journalEntry(
            "self_test_aborted", id: "5d5c125e98d942fba0fdddcc61a712d0", .notice,
            "self-test: ended before its end", subject: "The self-test ended before its end",
            explanation: """
                The rotor moved, or an emergency or the stop contact came: people come before
                tests. Or the gate was given back, something else was tested in its place, or the
                one output that was driven was cut. Outputs that were not reached yet were not
                driven.
                """)
        return .selfTestAborted
    }
}
