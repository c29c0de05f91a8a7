extension EntryKind {
    /// Releases and people.
    static let passages = [
        released, stored, storedDropped, authorisationDropped, passageStarted, passageCompleted,
        passageBackedOut, waitTimedOut, passageLost, passageRecovered, passageInDoubt,
        passageUnauthorised,
        passageInEmergency, refused, deferred, requestDone, rotorNoise,
    ]

    /// The kind of `Record.released`.
    static let released = EntryKind(
        id: "c370049c8b2a469fbf17f40a31da2150", event: "released", priority: .info,
        subject: "The gate was released by @TURNSTILE_AUTHORISATION@",
        explanation: """
            One person may pass in the direction "@TURNSTILE_DIRECTION@", on credit that covers
            the fare, because a validator, reader or attendant has closed the contact, or
            because an operator lets them pass.
            """)

    /// The kind of `Record.stored`.
    static let stored = EntryKind(
        id: "134a29347eaa467bb9a1297b88389742", event: "stored", priority: .info,
        subject: "An authorisation waits until the gate is free",
        explanation: """
            A contact or an operator authorised somebody (@TURNSTILE_DIRECTION@) while another
            person had the gate. It is released for them as soon as the gate is locked again.
            """)

    /// The kind of `Record.storedDropped`.
    static let storedDropped = EntryKind(
        id: "cde42e0bf76641bfb73bbfae6039f462", event: "stored_dropped", priority: .notice,
        subject: "@TURNSTILE_COUNT@ stored authorisation(s) are void",
        explanation: """
            An emergency, service mode or a repair came between, or an operator took one back;
            an outage that is over by itself within "pass_wait" is no repair. Whoever had been
            authorised needs a new authorisation. The operator who gave it is named by number;
            where none is, a contact did.
            """)

    /// The kind of `Record.authorisationDropped`.
    static let authorisationDropped = EntryKind(
        id: "5b22c884e5234a599d3d77264d975b7e", event: "authorisation_dropped", priority: .notice,
        subject: "An authorisation is void",
        explanation: """
            The gate had been released by a contact or an operator (@TURNSTILE_DIRECTION@), and
            an emergency, service mode, a repair or a lock that was cut came between, or an
            operator took it back. Whoever passes all the same needs no new one in an emergency;
            everybody else does. The operator who gave it is named by number.
            """)

    /// The kind of `Record.passageStarted`.
    static let passageStarted = EntryKind(
        id: "8aa42d7b37134264904736390b7e8440", event: "passage_started", priority: .debug,
        subject: "Somebody began to pass",
        explanation: """
            Somebody began to turn the rotor in the direction "@TURNSTILE_DIRECTION@", as they
            may. The lock is not engaged again while a person may be between the arms.
            """)

    /// The kind of `Record.passageCompleted`.
    static let passageCompleted = EntryKind(
        id: "308eea3fc35c498a9688dbfd8312511f", event: "passage_completed", priority: .info,
        subject: "Somebody passed",
        explanation: """
            Somebody went all the way through in the direction "@TURNSTILE_DIRECTION@". The
            passage counts as "@TURNSTILE_KIND@": paid, with credit; free, by a contact, by an
            operator or since the direction is free; service, in service mode.
            """)

    /// The kind of `Record.passageBackedOut`.
    static let passageBackedOut = EntryKind(
        id: "0bfad368cc6a4f6a8e50d6f998f262dc", event: "passage_backed_out", priority: .info,
        subject: "Somebody began to pass and went back",
        explanation: """
            The rotor came back to where it had started. No passage was made and the
            authorisation is still good: the gate waits for them anew, but not for ever.
            """)

    /// The kind of `Record.waitTimedOut`.
    static let waitTimedOut = EntryKind(
        id: "0932d0fc20a749eca8e5062a423821f1", event: "wait_timed_out", priority: .notice,
        subject: "Nobody came while the gate was released",
        explanation: """
            The gate is locked again. What becomes of the fare is the policy's to say; another
            entry tells.

            Where people stand before the gate and this happens, they do not see that it is
            open, or the time to wait is too short.
            """)

    /// The kind of `Record.passageLost`.
    static let passageLost = EntryKind(
        id: "d2aebef8c3184b8881eddc8f8d7e894f", event: "passage_lost", priority: .warning,
        subject: "The end of a passage was not seen",
        explanation: """
            The kernel lost edges of the rotor's sensors in mid-passage. Nobody can tell
            whether the person went through, so the passage counts as made.

            See the entry about lost edges beside this one.
            """)

    /// The kind of `Record.passageRecovered`.
    static let passageRecovered = EntryKind(
        id: "fe12b8648f7e4cfaa45f0147b783ef8e", event: "passage_recovered", priority: .warning,
        subject: "Whoever was in the gate when the service started is out of it",
        explanation: """
            Somebody stood in the rotor when the service started. Both directions were released
            for them until the rotor was home. Where they went was not seen; the passage counts
            as made, as what was known of it before the start.

            Look for why the service ended while somebody passed: an entry before this one.
            """)

    /// The kind of `Record.passageInDoubt`.
    static let passageInDoubt = EntryKind(
        id: "82cd9a4a2cca44cfa566eb4d314f5c7f", event: "passage_in_doubt", priority: .notice,
        subject: "The service ended while somebody passed, or could",
        explanation: """
            What became of the passage was not seen, and @TURNSTILE_ASSUMPTION@ is assumed.
            made: they paid and had begun, or stood in the rotor, and are gone; it counts.
            not_made: nothing tells that they had begun, or it was not paid for; it counts as
            none, and a fare is credit again. under_way: they are in the rotor, and it counts
            when they are out.

            Look for why the service ended: an entry before this one, or the loss of power.
            """)

    /// The kind of `Record.passageUnauthorised`.
    static let passageUnauthorised = EntryKind(
        id: "dec54aa586484d1bb9e72f2b0cbded63", event: "passage_unauthorised", priority: .warning,
        subject: "Somebody passed without an authorisation",
        explanation: """
            The rotor went all the way round in the direction "@TURNSTILE_DIRECTION@" while
            nobody had been let through.

            If the gate was locked, the lock did not hold: have the mechanism looked at.
            """)

    /// The kind of `Record.passageInEmergency`.
    static let passageInEmergency = EntryKind(
        id: "d5803ce273b644d59e2b2a60b9f05b6f", event: "passage_in_emergency", priority: .info,
        subject: "Somebody passed during an emergency",
        explanation: """
            The gate stands open and asks nobody for a fare. The passage is counted as one of
            the emergency.
            """)

    /// The kind of `Record.refused`.
    static let refused = EntryKind(
        id: "6e8e4b274f204bd5bf0c45711320d42f", event: "refused", priority: .notice,
        subject: "@TURNSTILE_REQUEST@ was refused: @TURNSTILE_REFUSAL@",
        explanation: """
            Somebody asked for what cannot be done now, by a key or contact or from afar:

            store_full: somebody has the gate, and as much is held as "max_stored" allows,
            credit included. This is so for the way out as well.
            mode_locked: nobody may pass in this direction.
            mode_free: everybody may pass in this direction.
            stopped: the stop contact blocks the gate.
            service: the mechanic has the gate, or an operator in service mode.
            out_of_service: a fault keeps people from passing.
            emergency: the gate stands open.
            loop_open: the emergency loop must be closed before the reset.
            cause_present: the causes of all faults are still there, and nothing changed.
            no_emergency: there is nothing to reset.
            repair_first: the emergency is that of a loop that could not be read. Turn the
            mechanic's key first, which says that the loop is repaired, then reset. Or an output
            was cut that somebody would drive: it is not driven before the key.
            starting: the service has just begun, and does not know yet what the lines carry.
            not_from_afar: only allowed at the gate itself, unless "remote" allows it.
            occupied: somebody is in the gate, or may just be coming into it.
            nothing_to_withdraw: nobody is authorised for this way, or they paid for it.
            nothing_to_count: the contact "vault_present" has told of no collection since the
            last one was counted.
            no_service: the gate is not in service mode.
            not_wired: there is no such output.
            time_over: the time until which it was to last is over.
            out_of_range: an amount below zero or more than any vault holds, a time in more than
            ten years, or an output that was to be on for more than five minutes or longer than
            its "max_on" allows: half of it for a lock that is not rated for continuous duty.
            cannot_hold_open: the way cannot be free. Its lock is not rated for continuous duty.
            contradiction: the settings would refuse it as well: the mode, enforcement or policy
            contradicts the wiring or another key. "turnstiled --check-config" names the keys.
            cancelled: somebody turned the mechanic's key while an operator waited for service
            mode.

            What waited until nobody is in the gate may be refused after all:
            superseded: something else was asked for in its place.
            time_over: its time was over before nobody was in the gate.
            restarted: the service ended meanwhile. Service mode and a policy must be asked for
            again; a mode or an enforcement comes into force with the start.
            """)

    /// The kind of `Record.deferred`.
    static let deferred = EntryKind(
        id: "724c79699f03494cbfafc5125d21894e", event: "request_deferred", priority: .notice,
        subject: "@TURNSTILE_REQUEST@ waits until nobody is in the gate",
        explanation: """
            The mechanic's key was held, or the emergency reset key turned, while the gate was
            busy, or somebody asked from afar for what has to wait. What is asked for is done as
            soon as nobody is in the gate. While the mechanic waits, coins are refused, nobody
            new is let in, and what is stored is void once service mode begins.

            Another turn of the mechanic's key takes it back. If nobody is in the gate and this
            lasts, the rotor does not come to rest or a sensor is stuck.
            """)

    /// The kind of `Record.done`.
    static let requestDone = EntryKind(
        id: "86876b6835804775a03eae1a53a0decf", event: "request_done", priority: .notice,
        subject: "@TURNSTILE_REQUEST@ by @TURNSTILE_OPERATOR@: done",
        explanation: """
            An operator asked for something from afar, and it is done, or was so already. What
            came of it is in the entries before this one.
            """)

    /// The kind of `Record.rotorNoise`.
    static let rotorNoise = EntryKind(
        id: "d6a6c0fc7e6a40f18815b7d0e0eb9a3d", event: "rotor_noise", priority: .notice,
        subject: "Noise on the sensors of the rotor",
        explanation: """
            Both sensors changed within "rotor_step", which nobody in the rotor can do, and
            showed again within half a second what they had shown before. It counts for nothing:
            nobody moved, passed or paid.

            One such entry in weeks means little. Many come from the sensors' common supply, a
            loose ground or their cable beside that of a motor or lock. What lasts longer is a
            fault (F2).
            """)
}
