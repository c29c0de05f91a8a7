/// Faults of lines.
extension EntryKind {
    /// The kind of `LineFailure.unreadable`.
    static let lineUnreadable = EntryKind(
        id: "5ed817d4ef1842dcb1e9a36175daec37", event: "fault_line_unreadable", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: the line @TURNSTILE_LINE@ cannot be read",
        explanation: """
            The kernel refuses to read the line. An entry beside this one has its reason. An
            emergency loop that cannot be read counts as open: the gate stands open.

            Look at the chip: an expander on a bus may have lost power or contact. When the
            line can be read again, wait for two seconds, then turn the mechanic's key: it is
            refused until the service has found the line in order. After an emergency that was
            of such a loop comes the emergency reset key, which is refused before
            ("repair_first").
            """)

    /// The kind of `LineFailure.undrivable`.
    static let lineUndrivable = EntryKind(
        id: "ec4a73f2e5cd40ccac12842f2fbe6908", event: "fault_line_undrivable", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: the line @TURNSTILE_LINE@ cannot be driven",
        explanation: """
            The kernel refused to set a line that it had set before. What the line drives may
            be in a state that nobody asked for. An entry beside this one has the reason.

            Look at the chip: an expander on a bus may have lost power or contact. When the
            line can be driven again, wait for two seconds, then turn the mechanic's key: it is
            refused until the service has found the line in order.
            """)

    /// The kind of `LineFailure.mismatch`.
    static let lineMismatch = EntryKind(
        id: "d8f8706fb9ec4904b029d9db11235695", event: "fault_line_mismatch", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: the line @TURNSTILE_LINE@ does not carry its level",
        explanation: """
            The level that was read back is not the one that was set. Something else drives
            the line: a short circuit, a damaged output, or another program.

            Repair it, wait for two seconds, then turn the mechanic's key: it is refused until
            the service has found the line in order.
            """)
}
