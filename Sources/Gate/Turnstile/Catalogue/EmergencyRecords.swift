// Fire.

extension Record {
    static let emergency: [Record] = [
        .emergencyStarted, .emergencyLoopClosed, .emergencyReset, .emergencyRecovered,
        .stateUnknown,
    ]
}

extension FieldVisitor {
    mutating func emergencyStarted() -> Record {
        journalEntry(
            "emergency_started", id: "2496fbef102548909a1e9a3c6c4af134", .critical,
            "emergency: the loop is open, the gate stands open",
            subject: "Emergency: the gate stands open",
            explanation: """
                The emergency loop is open: a call point was pressed, the fire panel has
                triggered, or a wire of the loop is broken. The gate stands open while the loop is
                open. Only a lock with "max_on" cannot be held open: it is released and locked by
                turns ("emergency_on", "emergency_off").

                Find the cause. If there is no fire, check the loop's wiring. With the fault F15 of
                the line "fire" the loop could not be read: repair it, turn the mechanic's key,
                then reset.
                """)
        return .emergencyStarted
    }

    mutating func emergencyLoopClosed() -> Record {
        journalEntry(
            "emergency_loop_closed", id: "4738aae1ef7840c497b939aa27769ec3", .notice,
            "the emergency loop is closed; the gate stands open until the emergency ends",
            subject:
                "The emergency loop is closed; the gate stays open until the emergency ends",
            explanation: """
                The cause of the emergency is gone. The gate stands open until the lane is clear
                and, unless fire_reset is auto, until the reset. Then it locks again.

                If all is well, turn the emergency reset key.
                """)
        return .emergencyLoopClosed
    }

    mutating func emergencyReset() -> Record {
        journalEntry(
            "emergency_reset", id: "8bfca74150154e05a5ecdbdf1502ad5c", .notice,
            "the emergency is over", subject: "The emergency is over",
            explanation: """
                The loop is closed, the lane is clear and, unless fire_reset is auto, the reset was
                given. The gate asks for fares again.
                """)
        return .emergencyReset
    }

    mutating func emergencyRecovered() -> Record {
        journalEntry(
            "emergency_recovered", id: "0ea90a73d04f4884ac6cf4186582c448", .critical,
            "the emergency from before the start goes on",
            subject: "The emergency from before the start goes on: the gate stands open",
            explanation: """
                The emergency had not been reset when the service ended. A start of the service or
                the board ends no emergency.

                If all is well and the loop is closed, turn the emergency reset key.
                """)
        return .emergencyRecovered
    }

    mutating func stateUnknown() -> Record {
        journalEntry(
            "state_unknown", id: "c49f9491901841fbaf5ccdd15279e582", .warning,
            "the state before the start is unknown",
            subject: "The state before the start is unknown",
            explanation: """
                The service cannot tell whether there was an emergency when it last ended: this is
                its first start, or its state cannot be read (a service entry next to this one says
                why). The gate stands open, as after an emergency.

                Check that there is no emergency, then turn the emergency reset key. After the
                first start this is part of putting the gate into service.
                """)
        return .stateUnknown
    }
}
