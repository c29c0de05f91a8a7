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
                every output for a second, then both directions are open. If an operator requested
                it, they are open at once. A lock with a "max_on" opens only while a person turns
                the rotor. Coins and contacts are refused, passages count as service, doors may be
                opened and the vault taken out. Queued authorisations are void.

                Another turn of the key ends it; so do the operator in service mode, an emergency
                and the stop contact.
                """)
        return .serviceStarted(by: requester(who))
    }

    mutating func serviceEnded() -> Record {
        journalEntry(
            "service_ended", id: "fac61823aec94262ae771ca9ca39c2d8", .notice,
            "service mode is over", subject: "The mechanic gave the gate back",
            explanation: """
                The key was turned, the operator ended service mode, an emergency or the stop
                contact came, or the service restarted. The gate serves passengers again unless a
                fault prevents it.
                """)
        return .serviceEnded
    }

    mutating func selfTestFailed(_ output: Output) -> Record {
        journalEntry(
            "self_test_failed", id: "a06bb4ccd11b42b2822f84467c470136", .error,
            "self-test: \(output.name) failed", subject: "The self-test failed at @TURNSTILE_LINE@",
            explanation: """
                The output could not be driven, did not carry its commanded level, was cut at its
                "max_on", or its feedback contact did not follow. The entry of the fault says
                which, and what to do.
                """)
        return .selfTestFailed(field(.line, output))
    }

    mutating func selfTestFinished() -> Record {
        journalEntry(
            "self_test_finished", id: "2618c87946504f8fb93f9ca27aa5476e", .notice,
            "self-test: done", subject: "The self-test is done",
            explanation: """
                Every output was driven in turn, or one output for the time that an operator
                requested.

                An output that did not follow has an entry of its own before this one. Lamps,
                sirens and counters have no feedback: check them by eye and ear.
                """)
        return .selfTestFinished
    }

    mutating func selfTestAborted() -> Record {
        journalEntry(
            "self_test_aborted", id: "5d5c125e98d942fba0fdddcc61a712d0", .notice,
            "self-test: ended before its end", subject: "The self-test ended before its end",
            explanation: """
                The rotor moved, or an emergency or the stop contact came: people come before
                tests. Or service mode ended, another test was requested, or the driven output was
                cut. The remaining outputs were not driven.
                """)
        return .selfTestAborted
    }
}
