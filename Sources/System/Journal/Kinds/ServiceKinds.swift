extension EntryKind {
    /// The life of the service and its policy.
    static let service = [started, stopped, policyChanged, policyDeferred, inService]

    /// The kind of `Record.started`.
    static let started = EntryKind(
        id: "9e117f1f35014f19a7f76c6e01b7b6f4", event: "started", priority: .notice,
        subject: "The turnstile is in operation",
        explanation: """
            The lines have been read, the outputs carry what the gate's state asks for,
            and the gate answers to coins, contacts and people.
            """)

    /// The kind of `Record.stopped`.
    static let stopped = EntryKind(
        id: "1fca36c454e141c292db7298545c4ae7", event: "stopped", priority: .notice,
        subject: "The turnstile has stopped",
        explanation: """
            The service was told to stop and has driven every output to its safe level:
            no lock, alarm or acceptor is energised. What the gate does without power is
            a property of its locks.
            """)

    /// The kind of `Record.policyChanged`.
    static let policyChanged = EntryKind(
        id: "406a88ccba4040b481339277f3f2e2d4", event: "policy_changed", priority: .notice,
        subject: "A new policy is in force",
        explanation: """
            The configuration was read again and what it says of prices, times and credit
            applies from now on.
            """)

    /// The kind of `Record.policyDeferred`.
    static let policyDeferred = EntryKind(
        id: "7fb7f79ade2741ae9184cba7a76762ea", event: "policy_deferred", priority: .notice,
        subject: "A new policy waits until the gate is idle",
        explanation: """
            The configuration was read again while somebody was paying or passing. Nobody's
            fare changes under way: the new policy comes into force as soon as the gate is
            idle, and an entry says so.
            """)

    /// The kind of `Record.inService`.
    static let inService = EntryKind(
        id: "3fa6f8d5b237479fa380139825af51ff", event: "in_service", priority: .notice,
        subject: "The gate is back in service",
        explanation: """
            No fault is left that keeps the gate from taking money and letting people
            through.
            """)
}
