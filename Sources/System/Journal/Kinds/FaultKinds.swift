extension EntryKind {
    /// What the machine suffers from.
    static let faults = [
        externalFault, illegalRotorTransition, coinLineStuck, edgesLost, energisedTooLong,
        lineUnreadable, lineUndrivable, lineMismatch, faultCleared, outOfService,
    ]

    /// The kind of `Fault.external`.
    static let externalFault = EntryKind(
        id: "89db73faacb34cbfa6512c32b83e92ed", event: "fault_external", priority: .error,
        subject: "Fault: the machine reports a fault of its own",
        explanation: """
            The contact "fault_ext" is active. What it stands for is written in the
            machine's manual.

            Repair the machine. When the contact is at rest again, turn the mechanic's key:
            the fault lasts until then.
            """)

    /// The kind of `Fault.illegalRotorTransition`.
    static let illegalRotorTransition = EntryKind(
        id: "80d1b18631674ad8a90f5bf7e96b5d6c", event: "fault_illegal_rotor_transition",
        priority: .error,
        subject: "Fault: the rotor's sensors contradict each other",
        explanation: """
            Both sensors changed at once. A rotor that turns cannot do this, so passages can
            no longer be told from their sensors.

            Clean and adjust the sensors and check their plugs. Then turn the mechanic's key.
            """)

    /// The kind of `Fault.coinLineStuck`.
    static let coinLineStuck = EntryKind(
        id: "f0987043327744b0a38f52d270ac3db1", event: "fault_coin_line_stuck", priority: .error,
        subject: "Fault: the coin line is stuck",
        explanation: """
            The line "coin_pulse" has been active for longer than any pulse lasts, so coins
            could no longer be counted and the acceptor is inhibited.

            Look for a jammed coin, then for a short circuit of the cable. The fault ends by
            itself when the line is at rest.
            """)

    /// The kind of `Fault.edgesLost`.
    static let edgesLost = EntryKind(
        id: "fa5bbbe7da3449f39de45f6ffc5bb764", event: "fault_edges_lost", priority: .error,
        subject: "Fault: edges of the input lines were lost",
        explanation: """
            Lines changed faster than they could be read, and the kernel dropped some of the
            changes. Coins and passages of that moment may be missing. The lines were read
            again and the gate goes on from there.

            Look for a line that oscillates, such as a loose wire or a sensor at its
            threshold, and for other processes that keep the processor busy.
            """)

    /// The kind of `Fault.energisedTooLong`.
    static let energisedTooLong = EntryKind(
        id: "4e5c621e7a5645fe9e4e9f7aa2a605d9", event: "fault_energised_too_long", priority: .error,
        subject: "Fault: @TURNSTILE_LINE@ was energised for its maximum on-time",
        explanation: """
            The output was cut to save what it drives: a coil that is not rated for
            continuous duty burns.

            If the device is rated for longer, say so in the configuration. If it is a lock,
            find out why the gate stayed released for so long, then turn the mechanic's key.
            """)

    /// The kind of `LineFailure.unreadable`.
    static let lineUnreadable = EntryKind(
        id: "5ed817d4ef1842dcb1e9a36175daec37", event: "fault_line_unreadable", priority: .error,
        subject: "Fault: the line @TURNSTILE_LINE@ cannot be read",
        explanation: """
            The kernel refused to read a line that it had read before. An entry beside this
            one has its reason.

            Look at the chip: an expander on a bus may have lost power or contact. When the
            line can be read again, turn the mechanic's key.
            """)

    /// The kind of `LineFailure.undrivable`.
    static let lineUndrivable = EntryKind(
        id: "ec4a73f2e5cd40ccac12842f2fbe6908", event: "fault_line_undrivable", priority: .error,
        subject: "Fault: the line @TURNSTILE_LINE@ cannot be driven",
        explanation: """
            The kernel refused to set a line that it had set before. What the line drives may
            be in a state that nobody asked for. An entry beside this one has the reason.

            Look at the chip: an expander on a bus may have lost power or contact. When the
            line can be driven again, turn the mechanic's key.
            """)

    /// The kind of `LineFailure.mismatch`.
    static let lineMismatch = EntryKind(
        id: "d8f8706fb9ec4904b029d9db11235695", event: "fault_line_mismatch", priority: .error,
        subject: "Fault: the line @TURNSTILE_LINE@ does not carry what it was driven to",
        explanation: """
            The level that was read back is not the one that was set. Something else drives
            the line: a short circuit, a damaged output, or another program.

            Repair it, then turn the mechanic's key.
            """)

    /// The kind of `Record.faultCleared`.
    static let faultCleared = EntryKind(
        id: "f9984dd8f086421aa2d63e0cda7a3c0b", event: "fault_cleared", priority: .notice,
        subject: "The fault @TURNSTILE_FAULT@ is gone",
        explanation: """
            Its cause is gone and, where the fault asks for it, the mechanic's key was
            turned. Another fault may still keep the gate out of service.
            """)

    /// The kind of `Record.outOfService`.
    static let outOfService = EntryKind(
        id: "b1c14c6adfa545b4a7504ab4cea3256f", event: "out_of_service", priority: .error,
        subject: "The gate is out of service because of @TURNSTILE_FAULT@",
        explanation: """
            The gate takes no coins and lets nobody in until the fault is gone. Credit is
            kept. An emergency still opens the gate.

            The entry of the fault itself says what to do.
            """)
}
