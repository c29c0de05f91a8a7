extension EntryKind {
    /// What people do and somebody should look at.
    static let alarms = [forcedPassage, reversePassage, passageDelayed, alarmCleared]

    /// The kind of `Alarm.forcedPassage`.
    static let forcedPassage = EntryKind(
        id: "dd02c9b7658a4e41b7d60c1d6e50f556", event: "alarm_forced_passage", priority: .warning,
        subject: "Alarm: the rotor of the locked gate was forced",
        explanation: """
            The rotor's sensors tell of a movement that the lock should not have let happen.

            Look who is at the gate. If nobody is, the arm rests against the lock with play,
            or the lock does not engage: have the mechanism looked at. Where the policy
            latches the alarm, it sounds until the mechanic's key is turned.
            """)

    /// The kind of `Alarm.reversePassage`.
    static let reversePassage = EntryKind(
        id: "4d9cb7cee1184a7bbca78c0b684273ad", event: "alarm_reverse_passage", priority: .warning,
        subject: "Alarm: somebody came through the wrong way",
        explanation: """
            The gate was released for one direction and the rotor turned in the other.

            Look who is at the gate. If everybody goes the right way, the wires of the two
            rotor sensors are exchanged.
            """)

    /// The kind of `Alarm.passageDelayed`.
    static let passageDelayed = EntryKind(
        id: "398fb880a82e488eb334e98672e1945b", event: "alarm_passage_delayed", priority: .warning,
        subject: "Alarm: somebody has stood in the gate for too long",
        explanation: """
            A passage began and has not ended. The gate does not lock onto a person, so it
            stays as it is until the rotor is home.

            Look whether somebody needs help, or whether luggage blocks the arms. If the lane
            is empty, the rotor does not return to rest or a sensor is stuck.
            """)

    /// The kind of `Record.alarmCleared`.
    static let alarmCleared = EntryKind(
        id: "1447c873910649fc83a9b9d5718ee9e9", event: "alarm_cleared", priority: .notice,
        subject: "The alarm @TURNSTILE_ALARM@ is over",
        explanation: """
            What had raised the alarm is over, its time has passed, or the mechanic's key was
            turned.
            """)
}
