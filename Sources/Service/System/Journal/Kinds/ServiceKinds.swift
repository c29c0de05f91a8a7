extension EntryKind {
    /// The life of the service, its policy and its times.
    static let service = [
        started, stopped, policyChanged, policyDeferred, scheduleDeferred, modeChanged,
        enforcementChanged, clockAdjusted, inService, stopBegan, stopEnded,
    ]

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
            The configuration was read again, or an operator asked for another policy. What it
            says of prices, times and credit applies from now on.
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

    /// The kind of `Record.scheduleDeferred`.
    static let scheduleDeferred = EntryKind(
        id: "e428b6aa6feb47559a73e51a21b6a67a", event: "schedule_deferred", priority: .notice,
        subject: "What the schedule asks for waits until the gate is idle",
        explanation: """
            The time has come for other modes while somebody was paying or passing, or while
            the gate was not in its ordinary service. They come into force as soon as the gate
            is idle, and entries say so.
            """)

    /// The kind of `Record.modeChanged`.
    static let modeChanged = EntryKind(
        id: "ed6a0a1f7dfd4de59c5491e1b12c054e", event: "mode_changed", priority: .notice,
        subject: "The direction @TURNSTILE_DIRECTION@ is @TURNSTILE_MODE@ from now on",
        explanation: """
            The schedule, a new policy or an operator asks for it: locked, nobody may pass;
            controlled, whoever is authorised; free, everybody.
            """)

    /// The kind of `Record.enforcementChanged`.
    static let enforcementChanged = EntryKind(
        id: "60d7e1d403cb4c3a973408c94933a15b", event: "enforcement_changed", priority: .notice,
        subject: "Enforcement is @TURNSTILE_ENFORCEMENT@ from now on",
        explanation: """
            The schedule, a new policy or an operator asks for it. Alarms about people who pass
            sound the siren where it is strong; where it is weak they are recorded, and the
            buzzer reminds people.
            """)

    /// The kind of `Record.clockAdjusted`.
    static let clockAdjusted = EntryKind(
        id: "087f25c7e31a44a985c84b742951e05b", event: "clock_adjusted", priority: .notice,
        subject: "The clock on the wall was set",
        explanation: """
            The time of day moved by @TURNSTILE_DURATION_USEC@ µs at once: forwards, or
            backwards where the number is negative. Entries before this one have their times
            by the old clock.
            """)

    /// The kind of `Record.inService`.
    static let inService = EntryKind(
        id: "3fa6f8d5b237479fa380139825af51ff", event: "in_service", priority: .notice,
        subject: "The gate is back in service",
        explanation: """
            No fault is left that keeps the gate from taking money and letting people
            through.
            """)

    /// The kind of `Record.stopBegan`.
    static let stopBegan = EntryKind(
        id: "624c28fc06eb4189a5ec97688fc268a4", event: "stop_began", priority: .notice,
        subject: "Both directions are blocked by the stop contact",
        explanation: """
            Nobody may pass and coins are refused until the contact is at rest. Whoever is in
            the gate is let out. An emergency still opens the gate.
            """)

    /// The kind of `Record.stopEnded`.
    static let stopEnded = EntryKind(
        id: "32edf12b28af4083a3a6c1e9e44dbf04", event: "stop_ended", priority: .notice,
        subject: "The stop contact blocks the gate no longer",
        explanation: """
            The gate goes on where it was. Whoever had been let through and had not come yet
            has the whole time once more.
            """)
}
