// Releases and people.

extension Record {
    static let passages: [Record] = [
        .released(.entry, by: .free), .stored(.entry), .storedDropped(0),
        .authorisationDropped(.entry), .passageStarted(.entry), .rotorNoise,
        .passageCompleted(.entry, .paid), .passageCompleted(.entry, .emergency),
        .passageCompleted(.entry, .unauthorised), .passageBackedOut(.entry), .waitTimedOut(.entry),
        .passageLost(.entry, .paid), .passageRecovered(.entry, .paid),
        .passageInDoubt(.entry, .paid, .made),
    ]
}

extension FieldVisitor {
    mutating func released(_ way: Direction, _ by: Authorisation) -> Record {
        journalEntry(
            "released", id: "c370049c8b2a469fbf17f40a31da2150", .info,
            "released for one person (\(way.name)), \(by.sentence)",
            subject: "The gate was released by @TURNSTILE_AUTHORISATION@",
            explanation: """
                One person may pass in the direction "@TURNSTILE_DIRECTION@": on credit that covers
                the fare, by the contact of a validator, reader or attendant, or by an operator.
                """)
        return .released(direction(way), by: inline(by, as: .authorisation))
    }

    mutating func stored(_ way: Direction) -> Record {
        journalEntry(
            "stored", id: "134a29347eaa467bb9a1297b88389742", .info,
            "authorisation queued (\(way.name)) until the gate is free",
            subject: "An authorisation waits until the gate is free",
            explanation: """
                A contact or an operator authorised a passenger (@TURNSTILE_DIRECTION@) while the
                gate was in use. It is released for the passenger as soon as it is locked again.
                """)
        return .stored(direction(way))
    }

    mutating func storedDropped(_ count: Int, _ number: UInt32?) -> Record {
        journalEntry(
            "stored_dropped", id: "cde42e0bf76641bfb73bbfae6039f462", .notice,
            "\(counted(count, "stored authorisation")) granted "
                + "\(Authorisation(number).sentence) \(count == 1 ? "is" : "are") void",
            subject: "@TURNSTILE_COUNT@ stored authorisation(s) are void",
            explanation: """
                An emergency, service mode or a repair came between, or an operator withdrew one.
                Or the service was away for "pass_wait" or longer, or the power failed, or the
                direction became locked or free. An outage that ends by itself within "pass_wait"
                does not count as a repair. The passenger needs a new authorisation, unless the
                direction is free. The number is the operator's; without a number, a contact gave
                it.
                """)
        let count = self.count(.count, count)
        return .storedDropped(count, grantedBy: optional(.operatorNumber, number))
    }

    mutating func authorisationDropped(_ way: Direction, _ number: UInt32?) -> Record {
        journalEntry(
            "authorisation_dropped", id: "5b22c884e5234a599d3d77264d975b7e", .notice,
            "the authorisation granted \(Authorisation(number).sentence) is void (\(way.name))",
            subject: "An authorisation is void",
            explanation: """
                The gate had been released by a contact or an operator (@TURNSTILE_DIRECTION@). An
                emergency, service mode, a repair or a cut lock came between, or an operator
                withdrew it. Except in an emergency, the passenger needs a new authorisation. The
                number is the operator's.
                """)
        return .authorisationDropped(
            direction(way), grantedBy: optional(.operatorNumber, number))
    }

    mutating func passageStarted(_ way: Direction) -> Record {
        journalEntry(
            "passage_started", id: "8aa42d7b37134264904736390b7e8440", .debug,
            "somebody begins to pass (\(way.name))", subject: "Somebody began to pass",
            explanation: """
                A passenger began to turn the rotor in the direction "@TURNSTILE_DIRECTION@", with
                an authorisation. The lock does not engage while a person may be between the arms.
                """)
        return .passageStarted(direction(way))
    }

    mutating func rotorNoise() -> Record {
        journalEntry(
            "rotor_noise", id: "d6a6c0fc7e6a40f18815b7d0e0eb9a3d", .notice,
            "noise: both rotor sensors changed at once, and back; not counted",
            subject: "Noise on the sensors of the rotor",
            explanation: """
                Both sensors changed within "rotor_step", which no person in the rotor can cause,
                and changed back within half a second. This is ignored: no movement, no passage.

                One such entry in weeks means little. Many come from the sensors' common supply, a
                loose ground, or a cable beside a motor's or a lock's. A longer disturbance is a
                fault (F2).
                """)
        return .rotorNoise
    }

    mutating func passageCompleted(_ way: Direction, _ kind: PassageKind) -> Record {
        switch kind {
        case .paid, .free, .service: passed(way, kind)
        case .emergency: passedInEmergency(way, kind)
        case .unauthorised: passedUnauthorised(way, kind)
        }
        return .passageCompleted(direction(way), field(.kind, kind))
    }

    private mutating func passed(_ way: Direction, _ kind: PassageKind) {
        journalEntry(
            "passage_completed", id: "308eea3fc35c498a9688dbfd8312511f", .info,
            "somebody passed (\(way.name)), \(kind.sentence)",
            subject: "Somebody passed",
            explanation: """
                A passenger went all the way through in the direction "@TURNSTILE_DIRECTION@". The
                passage counts as "@TURNSTILE_KIND@": paid, with credit; free, by a contact, by an
                operator or in a free direction; service, in service mode.
                """)
    }

    private mutating func passedInEmergency(_ way: Direction, _ kind: PassageKind) {
        journalEntry(
            "passage_in_emergency", id: "d5803ce273b644d59e2b2a60b9f05b6f", .info,
            "somebody passed (\(way.name)), \(kind.sentence)",
            subject: "Somebody passed during an emergency",
            explanation: """
                The gate stands open and asks for no fare. The passage is counted under the
                emergency.
                """)
    }

    private mutating func passedUnauthorised(_ way: Direction, _ kind: PassageKind) {
        journalEntry(
            "passage_unauthorised", id: "dec54aa586484d1bb9e72f2b0cbded63", .warning,
            "somebody passed (\(way.name)), \(kind.sentence)",
            subject: "Somebody passed without an authorisation",
            explanation: """
                The rotor went all the way round in the direction "@TURNSTILE_DIRECTION@" without
                an authorisation.

                If the gate was locked, the lock did not hold: have the mechanism checked.
                """)
    }

    mutating func passageBackedOut(_ way: Direction) -> Record {
        journalEntry(
            "passage_backed_out", id: "0bfad368cc6a4f6a8e50d6f998f262dc", .info,
            "somebody went back (\(way.name))", subject: "Somebody began to pass and went back",
            explanation: """
                The rotor came back to where it had started. No passage was made, and the
                authorisation is still good: the gate waits again, for a limited time.
                """)
        return .passageBackedOut(direction(way))
    }

    mutating func waitTimedOut(_ way: Direction) -> Record {
        journalEntry(
            "wait_timed_out", id: "0932d0fc20a749eca8e5062a423821f1", .notice,
            "nobody came (\(way.name))", subject: "Nobody came while the gate was released",
            explanation: """
                The gate is locked again. The policy decides about the fare, and another entry
                records it.

                If this happens while passengers stand at the gate, they do not see that it is
                open, or "pass_wait" is too short.
                """)
        return .waitTimedOut(direction(way))
    }

    mutating func passageLost(_ way: Direction, _ kind: PassageKind) -> Record {
        journalEntry(
            "passage_lost", id: "d2aebef8c3184b8881eddc8f8d7e894f", .warning,
            "the end of a passage was not seen (\(way.name), \(kind.name)); it counts as made",
            subject: "The end of a passage was not seen",
            explanation: """
                During the passage the rotor's sensors contradicted each other (F2), the kernel
                lost edges of theirs (F12), or the service ended. Whether the passenger went
                through is unknown, so the passage counts as made.

                An entry before this one gives the cause: a fault, or "passage_in_doubt".
                """)
        return .passageLost(direction(way), field(.kind, kind))
    }

    mutating func passageRecovered(_ way: Direction, _ kind: PassageKind) -> Record {
        journalEntry(
            "passage_recovered", id: "fe12b8648f7e4cfaa45f0147b783ef8e", .warning,
            "the person in the gate at the start has left it (\(way.name), \(kind.name))",
            subject: "The person in the gate at the start of the service has left it",
            explanation: """
                A person stood in the rotor when the service started. Both directions were released
                until the rotor was home. The direction taken was not seen; the passage counts as
                made, with the direction and kind known before the start.

                Find out why the service ended during a passage: an entry before this one.
                """)
        return .passageRecovered(direction(way), field(.kind, kind))
    }

    mutating func passageInDoubt(
        _ way: Direction, _ kind: PassageKind, _ assumption: Assumption
    ) -> Record {
        journalEntry(
            "passage_in_doubt", id: "82cd9a4a2cca44cfa566eb4d314f5c7f", .notice,
            "the service ended during a passage, or while the gate was released for one "
                + "(\(way.name), \(kind.name)); \(assumption.sentence)",
            subject: "The service ended during a passage, or while the gate was released for one",
            explanation: """
                The outcome of the passage was not seen; @TURNSTILE_ASSUMPTION@ is assumed.
                made: the passenger had paid and begun, or stood in the rotor, and is gone; it
                counts. not_made: nothing shows that it had begun, or it was not paid for; it does
                not count, and a fare becomes credit again. under_way: the passenger is in the
                rotor, and the passage counts on leaving it.

                Find out why the service ended: an entry before this one, or a power failure.
                """)
        return .passageInDoubt(
            direction(way), field(.kind, kind), field(.assumption, assumption))
    }
}
