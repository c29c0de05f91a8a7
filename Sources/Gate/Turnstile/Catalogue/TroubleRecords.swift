// Alarms and faults; each is described in `Alarms.swift` and `Faults.swift`.

extension Record {
    static let alarms: [Record] =
        Alarm.ordered.map { .alarmRaised($0) }
        + [.alarmCleared(.forcedPassage), .alarmRecovered(.forcedPassage)]

    static let faults: [Record] =
        Fault.forms.map { .faultRaised($0) }
        + [
            .faultCleared(.external), .faultRecovered(.external), .outOfService(.external),
            .onTimeWarning(.lockEntry), .contactStuck(.releaseEntry),
            .contactAtRest(.releaseEntry),
        ]
}

extension FieldVisitor {
    mutating func alarmRaised(_ alarm: Alarm) -> Record {
        journalEntry(
            "alarm_\(alarm.name)", alarm.entryKind, "alarm \(alarm.code): \(alarm.sentence)")
        return .alarmRaised(self.alarm(alarm))
    }

    mutating func alarmCleared(_ alarm: Alarm) -> Record {
        journalEntry(
            "alarm_cleared", id: "1447c873910649fc83a9b9d5718ee9e9", .notice,
            "alarm \(alarm.code) is over (was: \(alarm.sentence))",
            subject: "The alarm @TURNSTILE_ALARM@ (@TURNSTILE_CODE@) is over",
            explanation: """
                The cause of the alarm is gone, its time has passed, the mechanic's key was turned,
                or an operator acknowledged it.
                """)
        return .alarmCleared(self.alarm(alarm))
    }

    mutating func alarmRecovered(_ alarm: Alarm) -> Record {
        journalEntry(
            "alarm_recovered", id: "c261f40eec7a497bb70d1099e4acd469", .warning,
            "the alarm \(alarm.code) from before the start waits for the key: \(alarm.sentence)",
            subject: "The alarm @TURNSTILE_ALARM@ (@TURNSTILE_CODE@) still waits for the key",
            explanation: """
                The alarm was raised before the service restarted, and the mechanic's key has not
                been turned since.
                """)
        return .alarmRecovered(self.alarm(alarm))
    }

    mutating func faultRaised(_ fault: Fault) -> Record {
        journalEntry(
            "fault_\(fault.name)", fault.entryKind, "fault \(fault.code): \(fault.sentence)")
        return .faultRaised(inline(fault))
    }

    mutating func faultCleared(_ fault: Fault) -> Record {
        journalEntry(
            "fault_cleared", id: "f9984dd8f086421aa2d63e0cda7a3c0b", .notice,
            "fault \(fault.code) is over (was: \(fault.sentence))",
            subject: "The fault @TURNSTILE_FAULT@ (@TURNSTILE_CODE@) is over",
            explanation: """
                Its cause is gone and, where required, the mechanic's key was turned or an operator
                confirmed the repair. Another fault may still keep the gate out of service.
                """)
        return .faultCleared(inline(fault))
    }

    mutating func faultRecovered(_ fault: Fault) -> Record {
        journalEntry(
            "fault_recovered", id: "60869265c3de4c168896b32d41baafa4", .error,
            "the fault \(fault.code) from before the start waits for the key: \(fault.sentence)",
            subject: "The fault @TURNSTILE_FAULT@ (@TURNSTILE_CODE@) still waits for the key",
            explanation: """
                The fault was found before the service restarted, and the mechanic's key has not
                been turned since: a restart is no repair.

                Follow the entry of the fault itself, then turn the mechanic's key.
                """)
        return .faultRecovered(inline(fault))
    }

    mutating func outOfService(_ fault: Fault) -> Record {
        journalEntry(
            "out_of_service", id: "b1c14c6adfa545b4a7504ab4cea3256f", .error,
            "out of service, \(fault.code): \(fault.sentence)",
            subject: "The gate is out of service because of @TURNSTILE_FAULT@ (@TURNSTILE_CODE@)",
            explanation: """
                The gate takes no coins and lets nobody through until the fault is gone. Credit is
                kept. An emergency still opens the gate.

                The entry of the fault itself says what to do.
                """)
        return .outOfService(inline(fault))
    }

    mutating func onTimeWarning(_ output: Output) -> Record {
        journalEntry(
            "on_time_warning", id: "fae242631c1442528816234544caba38", .warning,
            "\(output.name) is near its maximum on-time and will be cut soon",
            subject: "@TURNSTILE_LINE@ will be cut soon",
            explanation: """
                The output has been on for nearly "max_on": a quarter of that time is left, 10
                seconds at most. Then it is cut (F14). If it is a lock held for a person in the
                rotor, the alarm A4 is raised now.

                Check whether a person stands in the gate, and help them out before the lock is
                cut. If the gate is empty, "max_on" is too short for the policy
                ("turnstiled --check-config" warns of it), or the gate was held open in another
                way, such as an emergency.
                """)
        return .onTimeWarning(field(.line, output))
    }

    mutating func contactStuck(_ input: Input) -> Record {
        journalEntry(
            "contact_stuck", id: "dfdea21d194d4bda812a2c66aeb2ce5f", .warning,
            "\(input.name) has been active for too long",
            subject: "@TURNSTILE_LINE@ has been active for too long",
            explanation: """
                A contact that is active for a moment at a time has been active for
                "contact_stuck_after": a button sticks, a relay has welded, a controller gives a
                level where the gate takes a pulse, or a detector has lost its supply. Until it is
                at rest the gate cannot be told anything by it: a reader's contact lets nobody in.

                Check the contact, its wire and "active_low". "contact_at_rest" says when it has
                come to rest.
                """)
        return .contactStuck(field(.line, input))
    }

    mutating func contactAtRest(_ input: Input) -> Record {
        journalEntry(
            "contact_at_rest", id: "60bb4e6da08346bd8d37c8fca754b67f", .notice,
            "\(input.name) is at rest again",
            subject: "@TURNSTILE_LINE@ is at rest again",
            explanation: """
                The contact that was reported as active for too long ("contact_stuck") is at rest,
                and works as before.
                """)
        return .contactAtRest(field(.line, input))
    }
}
