extension EntryKind {
    /// What the machine suffers from, in the order of the codes.
    static let faults = [
        externalFault, illegalRotorTransition, sensorStuck, armNotHome, lockNotResponding, coinJam,
        coinLineStuck, noiseBurst, unknownPulseCount, vaultMissing, powerLow, edgesLost,
        clockStepped, energisedTooLong, lineUnreadable, lineUndrivable, lineMismatch,
        storageFailed, vaultFull, faultCleared, faultRecovered, outOfService, onTimeWarning,
    ]

    /// The kind of `Fault.external`.
    static let externalFault = EntryKind(
        id: "89db73faacb34cbfa6512c32b83e92ed", event: "fault_external", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: the machine reports a fault of its own",
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
        subject: "Fault @TURNSTILE_CODE@: the rotor's sensors contradict each other",
        explanation: """
            Both sensors changed within "rotor_step", which a rotor that turns cannot do, and
            did not both change back within half a second, or the sensors came to no rest for
            five seconds: passages can no longer be told from them. What is over sooner is
            noise ("rotor_noise") and no fault.

            Look whether somebody is in the gate: it may have closed without knowing.

            Clean and adjust the sensors and check their plugs. Then turn the mechanic's key.
            """)

    /// The kind of `Fault.sensorStuck`.
    static let sensorStuck = EntryKind(
        id: "1395a0693d7649d08a473934842ebd29", event: "fault_sensor_stuck", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: a rotor sensor is stuck",
        explanation: """
            The home contact says that the arm stands at rest, but a rotor sensor tells of a
            turn. Passages cannot be told from sensors that do not tell the truth.

            Clean and adjust the sensor that is active while the arm is at rest, and check its
            plug. If both sensors are right, the home contact is stuck. Then turn the
            mechanic's key.
            """)

    /// The kind of `Fault.armNotHome`.
    static let armNotHome = EntryKind(
        id: "8ddb92c1b520480fab7e483b1e857404", event: "fault_arm_not_home", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: the arm is not at rest",
        explanation: """
            The rotor's sensors tell of no turn, but the home contact does not say that the
            arm stands at rest. After an emergency this is the arm that has dropped.

            Put the arm back to its place; the fault ends by itself when it is there. If it is
            there already, check the home contact and its plug.
            """)

    /// The kind of `Fault.lockNotResponding`.
    static let lockNotResponding = EntryKind(
        id: "9d566ce4f21a41eb8e6a1ce8131e7247", event: "fault_lock_not_responding",
        priority: .error,
        subject: "Fault @TURNSTILE_CODE@: the lock @TURNSTILE_LINE@ does not follow",
        explanation: """
            The lock was commanded to move, and its feedback contact does not say that it did.
            People may be kept from going, or kept from nothing.

            Listen whether the lock moves when the self-test drives it: hold the mechanic's
            key. If it does, adjust the feedback contact; if not, check the lock's supply,
            driver, fuse and coil. Then turn the mechanic's key.
            """)

    /// The kind of `Fault.vaultMissing`.
    static let vaultMissing = EntryKind(
        id: "91c3fe3de6c94a9faebf582e9264f32a", event: "fault_vault_missing", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: the coin vault is not in its place",
        explanation: """
            The contact "vault_present" says that there is no box, so coins are refused: they
            would fall on the floor. Contacts and free directions work on. Outside service
            mode a vault that is gone is an alarm as well (A8).

            Put the box in; the fault ends by itself. If it is in, check the contact.
            """)

    /// The kind of `Fault.powerLow`.
    static let powerLow = EntryKind(
        id: "4b75a55e81764661bedb60247eee0de9", event: "fault_power_low", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: the supply is low",
        explanation: """
            The contact "power_low" says that the supply is going down. A lock may no longer
            follow, so the gate is out of service. The fault ends by itself when the supply is
            well; after a dip shorter than "pass_wait" the gate goes on as it was.

            Check the mains, the power supply and the battery. Where the gate runs on its
            battery, it will stop.
            """)

    /// The kind of `Fault.edgesLost`.
    static let edgesLost = EntryKind(
        id: "fa5bbbe7da3449f39de45f6ffc5bb764", event: "fault_edges_lost", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: edges of the input lines were lost",
        explanation: """
            Lines changed faster than they could be read, and the kernel dropped some of the
            changes. Coins and passages of that moment may be missing. The lines were read
            again and the gate goes on from there.

            Look for a line that oscillates, such as a loose wire or a sensor at its
            threshold, and for other processes that keep the processor busy.
            """)

    /// The kind of `Fault.clockStepped`.
    static let clockStepped = EntryKind(
        id: "2c0e9347d6124f41a7942a34187bef84", event: "fault_clock_stepped", priority: .warning,
        subject: "Fault @TURNSTILE_CODE@: the clock on the wall was set",
        explanation: """
            The time of day moved by more than a second at once. The gate measures by another
            clock, so nothing is lost; the schedule is judged by the new time, and the times
            in the log before this entry are by the old one.

            Once after the start this is normal on a board without a battery for its clock. If
            it recurs, see that the time is kept by the network: "timedatectl".
            """)

    /// The kind of `Fault.energisedTooLong`.
    static let energisedTooLong = EntryKind(
        id: "4e5c621e7a5645fe9e4e9f7aa2a605d9", event: "fault_energised_too_long", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: the output @TURNSTILE_LINE@ was energised for too long",
        explanation: """
            It had been energised for its maximum on-time, and was cut to save what it drives:
            a coil that is not rated for continuous duty burns, and what burns opens nothing.

            A lock that was cut is locked, and not driven before the key, but in an emergency:
            once it has rested it opens again and again. Somebody may be inside: look there
            first, then turn the mechanic's key.
            The lock is driven again for whoever is in the rotor, and they are let out before
            anything else happens. "on_time_warning" told of it before.

            If the device is rated for longer, say so in the configuration. If it is a lock,
            find out why it was held for so long. If it is the coin meter or the reject coil,
            look at its driver and cable: coins are refused until the key, since what is not
            counted or given back cannot be proved.
            """)

    /// The kind of `Fault.storageFailed`.
    static let storageFailed = EntryKind(
        id: "7e779e64038943788404f4a20a203f9f", event: "fault_storage_failed", priority: .error,
        subject: "Fault @TURNSTILE_CODE@: the ledger cannot be used",
        explanation: """
            The ledger is not open yet, or cannot be written: its disk is full, fails or does
            not answer, or its file is damaged, gone, of another gate, or not the service's to
            write. Coins are refused, since what is not written down may be lost; contacts and
            free directions work on, and credit is kept. What is to be written waits in
            memory, and the fault ends by itself once it is written.

            The entry of the service before this one says what is wrong. Make room ("df"),
            replace a card or disk that reports errors ("journalctl -k"), or decide what is to
            become of the file: docs/operations.md, "The ledger".
            """)

    /// The kind of `Record.faultCleared`.
    static let faultCleared = EntryKind(
        id: "f9984dd8f086421aa2d63e0cda7a3c0b", event: "fault_cleared", priority: .notice,
        subject: "The fault @TURNSTILE_FAULT@ (@TURNSTILE_CODE@) is over",
        explanation: """
            Its cause is gone and, where the fault asks for it, the mechanic's key was turned
            or an operator said that it is repaired. Another fault may still keep the gate out
            of service.
            """)

    /// The kind of `Record.faultRecovered`.
    static let faultRecovered = EntryKind(
        id: "60869265c3de4c168896b32d41baafa4", event: "fault_recovered", priority: .error,
        subject: "The fault @TURNSTILE_FAULT@ (@TURNSTILE_CODE@) still waits for the key",
        explanation: """
            The fault was found before the service started anew, and nobody has turned the
            mechanic's key since: a restart is no repair.

            Do what the entry of the fault itself says, then turn the mechanic's key.
            """)

    /// The kind of `Record.outOfService`.
    static let outOfService = EntryKind(
        id: "b1c14c6adfa545b4a7504ab4cea3256f", event: "out_of_service", priority: .error,
        subject: "The gate is out of service because of @TURNSTILE_FAULT@ (@TURNSTILE_CODE@)",
        explanation: """
            The gate takes no coins and lets nobody through until the fault is gone. Credit is
            kept. An emergency still opens the gate.

            The entry of the fault itself says what to do.
            """)

    /// The kind of `Record.onTimeWarning`.
    static let onTimeWarning = EntryKind(
        id: "fae242631c1442528816234544caba38", event: "on_time_warning", priority: .warning,
        subject: "@TURNSTILE_LINE@ will be cut soon",
        explanation: """
            The output has been on for nearly as long as "max_on" allows: a quarter of that time
            is left, and 10 seconds at most. Then it is cut (F14). If it is a lock that is held
            for somebody in the rotor, the alarm A4 tells of them now.

            Look whether somebody stands in the gate, and help them out before the lock is cut.
            If nobody does, "max_on" is too short for the policy, of which
            "turnstiled --check-config" warns, or the gate was held open in another way, such as
            an emergency.
            """)
}
