// The life of the service, its policy and its times.

extension Record {
    static let service: [Record] = [
        .started, .stopped, .policyChanged(by: .settings), .policyDeferred, .scheduleDeferred,
        .modeChanged(.entry, .locked, by: .schedule), .enforcementChanged(.weak, by: .schedule),
        .clockAdjusted(by: .zero), .inService, .stopBegan, .stopEnded,
    ]
}

extension FieldVisitor {
    mutating func started() -> Record {
        journalEntry(
            "started", id: "9e117f1f35014f19a7f76c6e01b7b6f4", .notice,
            "in operation", subject: "The turnstile is in operation",
            explanation: """
                The lines have been read, the outputs are driven according to the gate's state,
                and the gate answers to coins, contacts and people.
                """)
        return .started
    }

    mutating func stopped() -> Record {
        journalEntry(
            "stopped", id: "1fca36c454e141c292db7298545c4ae7", .notice,
            "stopped, every output at its safe level", subject: "The turnstile has stopped",
            explanation: """
                The service was stopped and has driven every output to its safe level: no lock,
                alarm or acceptor is energised. How the gate behaves without power depends on its
                locks.
                """)
        return .stopped
    }

    mutating func policyChanged(_ who: Requester) -> Record {
        journalEntry(
            "policy_changed", id: "406a88ccba4040b481339277f3f2e2d4", .notice,
            "the new policy is in force\(who.asPerson)", subject: "A new policy is in force",
            explanation: """
                The configuration was read again, or an operator requested another policy. Its
                prices, times and rules for credit apply from now on.
                """)
        return .policyChanged(by: requester(who))
    }

    mutating func policyDeferred() -> Record {
        journalEntry(
            "policy_deferred", id: "7fb7f79ade2741ae9184cba7a76762ea", .notice,
            "the new policy waits until the gate is idle",
            subject: "A new policy waits until the gate is idle",
            explanation: """
                The configuration was read again while a passenger was paying or passing. A fare
                never changes under way: the new policy comes into force as soon as the gate is
                idle, and an entry says so.
                """)
        return .policyDeferred
    }

    mutating func scheduleDeferred() -> Record {
        journalEntry(
            "schedule_deferred", id: "e428b6aa6feb47559a73e51a21b6a67a", .notice,
            "the schedule's change waits until the gate is idle",
            subject: "The schedule's change waits until the gate is idle",
            explanation: """
                The scheduled time came while a passenger was paying or passing, or while the gate
                was not in normal service. The new modes come into force as soon as the gate is
                idle, and entries say so.
                """)
        return .scheduleDeferred
    }

    mutating func modeChanged(_ way: Direction, _ mode: Mode, _ who: Requester) -> Record {
        journalEntry(
            "mode_changed", id: "ed6a0a1f7dfd4de59c5491e1b12c054e", .notice,
            "\(way.name) is \(mode.name) from now on\(who.asPerson)",
            subject: "The direction @TURNSTILE_DIRECTION@ is @TURNSTILE_MODE@ from now on",
            explanation: """
                The schedule, a new policy or an operator set it: locked, nobody may pass;
                controlled, authorised passengers may; free, everybody may.
                """)
        let (way, mode) = (direction(way), field(.mode, mode))
        return .modeChanged(way, mode, by: requester(who))
    }

    mutating func enforcementChanged(_ enforcement: Enforcement, _ who: Requester) -> Record {
        journalEntry(
            "enforcement_changed", id: "60d7e1d403cb4c3a973408c94933a15b", .notice,
            "enforcement is \(enforcement.name) from now on\(who.asPerson)",
            subject: "Enforcement is @TURNSTILE_ENFORCEMENT@ from now on",
            explanation: """
                The schedule, a new policy or an operator set it. Alarms about passages sound the
                siren if enforcement is strong; if it is weak they are recorded, and the buzzer
                sounds.
                """)
        return .enforcementChanged(field(.enforcement, enforcement), by: requester(who))
    }

    mutating func clockAdjusted(_ step: Duration) -> Record {
        journalEntry(
            "clock_adjusted", id: "087f25c7e31a44a985c84b742951e05b", .notice,
            "the clock was set \(step.stepText)", subject: "The system clock was set",
            explanation: """
                The time of day was set by @TURNSTILE_DURATION_USEC@ µs: forwards, or backwards if
                the number is negative. Entries before this one have the old time.
                """)
        return .clockAdjusted(by: duration(.duration, step))
    }

    mutating func inService() -> Record {
        journalEntry(
            "in_service", id: "3fa6f8d5b237479fa380139825af51ff", .notice,
            "back in service", subject: "The gate is back in service",
            explanation: """
                No fault keeps the gate out of service any more. One that only stops coins, such as
                F10 or F18, may still be active.
                """)
        return .inService
    }

    mutating func stopBegan() -> Record {
        journalEntry(
            "stop_began", id: "624c28fc06eb4189a5ec97688fc268a4", .notice,
            "stopped by the contact, both directions are blocked",
            subject: "Both directions are blocked by the stop contact",
            explanation: """
                Nobody may pass and coins are refused until the contact is at rest. A person in the
                gate is let out. An emergency still opens the gate.
                """)
        return .stopBegan
    }

    mutating func stopEnded() -> Record {
        journalEntry(
            "stop_ended", id: "32edf12b28af4083a3a6c1e9e44dbf04", .notice,
            "the stop contact is at rest again",
            subject: "The stop contact blocks the gate no longer",
            explanation: """
                The gate resumes where it was. A passenger with an unused authorisation has the
                whole waiting time again.
                """)
        return .stopEnded
    }
}

extension Duration {
    /// How a clock was set: `forward by 2 s`.
    fileprivate var stepText: String {
        self < .zero ? "back by \((.zero - self).rounded)" : "forward by \(rounded)"
    }
}
