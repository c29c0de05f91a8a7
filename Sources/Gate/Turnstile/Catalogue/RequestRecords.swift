// The results of requests.

extension Record {
    static let requests: [Record] = [
        .refused(.grant, by: .schedule, .storeFull), .deferred(.grant, by: .schedule),
        .done(.grant, by: .schedule),
    ]
}

extension FieldVisitor {
    mutating func refused(_ kind: Request.Kind, _ who: Requester, _ refusal: Refusal) -> Record {
        journalEntry(
            "refused", id: "6e8e4b274f204bd5bf0c45711320d42f", .notice,
            "\(who.asking(kind)) refused: \(refusal.sentence)",
            subject: "@TURNSTILE_REQUEST@ was refused: @TURNSTILE_REFUSAL@",
            explanation: """
                A request by key, contact or operator cannot be carried out now:

                store_full: the gate is in use, and "max_stored" authorisations are held, credit
                included. This applies to the way out as well.
                mode_locked: nobody may pass in this direction.
                mode_free: everybody may pass in this direction.
                stopped: the stop contact blocks the gate.
                service: the mechanic has the gate, or an operator in service mode.
                out_of_service: a fault keeps people from passing.
                emergency: the gate stands open.
                loop_open: the emergency loop must be closed before the reset.
                cause_present: the causes of all faults are still present; nothing changed.
                no_emergency: there is nothing to reset.
                repair_first: the emergency is due to an unreadable loop: confirm its repair with
                the mechanic's key, then reset. Or the output was cut: it is not driven before the
                mechanic's key is turned.
                starting: the service has just started, and has not read the lines yet.
                not_from_afar: only allowed at the gate itself, unless "remote" allows it.
                occupied: a person is in the gate, or may just be entering it.
                nothing_to_withdraw: there is no authorisation for this way, or it was paid for.
                nothing_to_count: the contact "vault_present" has reported no collection since the
                last count.
                no_service: the gate is not in service mode.
                not_wired: there is no such output.
                time_over: the end of the requested time has passed.
                out_of_range: an amount below zero or above the capacity of any vault, a time more
                than ten years ahead, or an output test longer than five minutes or its "max_on".
                A lock is open for half of "max_on" at most, that of its holding coil if it has one.
                cannot_hold_open: the way cannot be free. Its lock is not rated for continuous duty.
                contradiction: the settings would refuse it as well: the mode, enforcement or policy
                contradicts the wiring or another key. "turnstiled --check-config" names the keys.
                cancelled: the mechanic's key was turned while an operator waited for service mode.

                A deferred request may be refused later:
                superseded: a later request took its place.
                time_over: its time ended before the gate was idle.
                restarted: the service ended meanwhile. Request service mode or a policy again; a
                mode or an enforcement comes into force with the start.
                """)
        return .refused(request(kind), by: requester(who), field(.refusal, refusal))
    }

    mutating func deferred(_ kind: Request.Kind, _ who: Requester) -> Record {
        journalEntry(
            "request_deferred", id: "724c79699f03494cbfafc5125d21894e", .notice,
            "\(who.asking(kind)) waits until the gate allows it",
            subject: "@TURNSTILE_REQUEST@ waits until the gate allows it",
            explanation: """
                The mechanic's key was held or the emergency reset key turned while the gate was
                busy, or an operator made a request that has to wait. An emergency and service mode
                end as soon as nobody is in the gate. Service mode begins once nobody is in the gate
                and it is released for nobody. All else is done once the gate is idle. While
                service mode is pending, coins are refused and nobody new is let in; queued
                authorisations become void once service mode begins.

                Another turn of the mechanic's key cancels a pending service mode. If the gate is
                empty and the request still waits, the rotor does not come to rest or a sensor is
                stuck.
                """)
        return .deferred(request(kind), by: requester(who))
    }

    mutating func done(_ kind: Request.Kind, _ who: Requester) -> Record {
        journalEntry(
            "request_done", id: "86876b6835804775a03eae1a53a0decf", .notice,
            "\(who.asking(kind)): done",
            subject: "@TURNSTILE_REQUEST@ by @TURNSTILE_OPERATOR@: done",
            explanation: """
                An operator's request is done, or was already fulfilled. The entries before this one
                give its effects.
                """)
        return .done(request(kind), by: requester(who))
    }
}
