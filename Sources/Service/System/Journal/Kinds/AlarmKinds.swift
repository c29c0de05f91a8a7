extension EntryKind {
    /// What people do and somebody should look at, in the order of the codes.
    static let alarms = [
        forcedPassage, reversePassage, tailgating, passageDelayed, backOutPastMiddle, beamBlocked,
        coinStringing, vaultOpen, cabinetOpen, alarmCleared, alarmRecovered,
    ]

    /// The kind of `Alarm.forcedPassage`.
    static let forcedPassage = EntryKind(
        id: "dd02c9b7658a4e41b7d60c1d6e50f556", event: "alarm_forced_passage", priority: .warning,
        subject: "Alarm @TURNSTILE_CODE@: the rotor of the locked gate was forced",
        explanation: """
            The rotor's sensors tell of a movement that the lock should not have let happen.

            Look who is at the gate. If nobody is, the arm rests against the lock with play,
            or the lock does not engage: have the mechanism looked at. Where the policy
            latches the alarm, it sounds until the mechanic's key is turned.
            """)

    /// The kind of `Alarm.reversePassage`.
    static let reversePassage = EntryKind(
        id: "4d9cb7cee1184a7bbca78c0b684273ad", event: "alarm_reverse_passage", priority: .warning,
        subject: "Alarm @TURNSTILE_CODE@: somebody came through the wrong way",
        explanation: """
            The gate was released for one direction and the rotor turned in the other.

            Look who is at the gate. If everybody goes the right way, the wires of the two
            rotor sensors are exchanged.
            """)

    /// The kind of `Alarm.tailgating`.
    static let tailgating = EntryKind(
        id: "2d127d8de597438aa62f370dacefe326", event: "alarm_tailgating", priority: .warning,
        subject: "Alarm @TURNSTILE_CODE@: somebody slipped in behind somebody else",
        explanation: """
            The rotor turned past its middle without an authorisation, in the direction of a
            passage that had been completed just before.

            Look who is at the gate. If it happens to people who pass alone, the lock engages
            too late and the rotor swings on: have the mechanism looked at.
            """)

    /// The kind of `Alarm.passageDelayed`.
    static let passageDelayed = EntryKind(
        id: "398fb880a82e488eb334e98672e1945b", event: "alarm_passage_delayed", priority: .warning,
        subject: "Alarm @TURNSTILE_CODE@: somebody has stood in the gate for too long",
        explanation: """
            A passage began and has not ended, or somebody stands in the rotor of a locked gate,
            for as long as "pass_delay_alarm" says; or the lock that is held open for somebody
            is cut soon ("on_time_warning"). The gate does not lock onto a person, so it stays
            as it is until the rotor is home, and the alarm ends then.

            Look whether somebody needs help, or whether luggage blocks the arms. If the lane
            is empty, the rotor does not return to rest or a sensor is stuck.
            """)

    /// The kind of `Alarm.backOutPastMiddle`.
    static let backOutPastMiddle = EntryKind(
        id: "6e1abf73ebc84201b7cbdb0aa76788a7", event: "alarm_back_out_past_middle",
        priority: .warning,
        subject: "Alarm @TURNSTILE_CODE@: somebody went back who had passed the middle",
        explanation: """
            The rotor had turned past its middle and came back all the same. A mechanism that
            blocks the way back from there does not let this happen. No passage was counted,
            and the authorisation is still good.

            Look who is at the gate: two people may have used one authorisation. If nobody did
            anything, have the mechanism's reverse stop looked at.
            """)

    /// The kind of `Alarm.beamBlocked`.
    static let beamBlocked = EntryKind(
        id: "0bc73ba2e6c9417c946a349b3522a20d", event: "alarm_beam_blocked", priority: .warning,
        subject: "Alarm @TURNSTILE_CODE@: something stands in a light beam",
        explanation: """
            A beam of the lane has been broken for longer than anybody takes to pass. The
            alarm ends by itself when the beam is free.

            Look for luggage, for somebody who stands in the lane, and for a bag or sticker on
            the lens. If the lane is empty, clean and align the beam, and check its supply.
            """)

    /// The kind of `Alarm.coinStringing`.
    static let coinStringing = EntryKind(
        id: "8684ebfd763d4097a3c4dc73f7b7b8cb", event: "alarm_coin_stringing", priority: .warning,
        subject: "Alarm @TURNSTILE_CODE@: an acceptor that was inhibited reports coins",
        explanation: """
            Pulses came from an acceptor that had been told to refuse coins for longer than
            any coin is on its way. They were not credited. Somebody may be moving a coin on a
            string, or feeding pulses into the cable.

            Look who is at the gate. If nobody is, check the inhibit line, its polarity, and
            that the acceptor refuses when the line is not driven.
            """)

    /// The kind of `Alarm.vaultOpen`.
    static let vaultOpen = EntryKind(
        id: "bd4389744afc44c997e7aa62c9ff4f4e", event: "alarm_vault_open", priority: .error,
        subject: "Alarm @TURNSTILE_CODE@: the coin vault is open or gone",
        explanation: """
            The door of the vault is open, or the vault is not in its place, and the gate is not
            in service mode. The siren sounds until the door is closed and the vault is in.

            Whoever collects the coins holds the mechanic's key first, which is service mode.
            If nobody does, somebody is at the money. If the door is closed and the vault is in,
            check their switches.
            """)

    /// The kind of `Alarm.cabinetOpen`.
    static let cabinetOpen = EntryKind(
        id: "a2d793c411174a0eab162893ab46d29e", event: "alarm_cabinet_open", priority: .error,
        subject: "Alarm @TURNSTILE_CODE@: the cabinet is open",
        explanation: """
            The cabinet is open, and the gate is not in service mode. The siren sounds until
            the cabinet is closed.

            Whoever works in the cabinet holds the mechanic's key first, which is service
            mode. If nobody does, somebody is at the machine. If the cabinet is closed, check
            its tamper switch.
            """)

    /// The kind of `Record.alarmCleared`.
    static let alarmCleared = EntryKind(
        id: "1447c873910649fc83a9b9d5718ee9e9", event: "alarm_cleared", priority: .notice,
        subject: "The alarm @TURNSTILE_ALARM@ (@TURNSTILE_CODE@) is over",
        explanation: """
            What had raised the alarm is over, its time has passed, the mechanic's key was
            turned, or an operator has heard of it.
            """)

    /// The kind of `Record.alarmRecovered`.
    static let alarmRecovered = EntryKind(
        id: "c261f40eec7a497bb70d1099e4acd469", event: "alarm_recovered", priority: .warning,
        subject: "The alarm @TURNSTILE_ALARM@ (@TURNSTILE_CODE@) still waits for the key",
        explanation: """
            The alarm was raised before the service started anew, and nobody has turned the
            mechanic's key since.
            """)
}
