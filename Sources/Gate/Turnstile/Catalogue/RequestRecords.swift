// What became of what somebody asked for.

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
        return .refused(request(kind), by: requester(who), field(.refusal, refusal))
    }

    mutating func deferred(_ kind: Request.Kind, _ who: Requester) -> Record {
        journalEntry(
            "request_deferred", id: "724c79699f03494cbfafc5125d21894e", .notice,
            "\(who.asking(kind)) waits until nobody is in the gate",
            subject: "@TURNSTILE_REQUEST@ waits until nobody is in the gate",
            explanation: """
                The mechanic's key was held, or the emergency reset key turned, while the gate was
                busy, or somebody asked from afar for what has to wait. What is asked for is done as
                soon as nobody is in the gate. While the mechanic waits, coins are refused, nobody
                new is let in, and what is stored is void once service mode begins.

                Another turn of the mechanic's key takes it back. If nobody is in the gate and this
                lasts, the rotor does not come to rest or a sensor is stuck.
                """)
        return .deferred(request(kind), by: requester(who))
    }

    mutating func done(_ kind: Request.Kind, _ who: Requester) -> Record {
        journalEntry(
            "request_done", id: "86876b6835804775a03eae1a53a0decf", .notice,
            "\(who.asking(kind)): done",
            subject: "@TURNSTILE_REQUEST@ by @TURNSTILE_OPERATOR@: done",
            explanation: """
                An operator asked for something from afar, and it is done, or was so already. What
                came of it is in the entries before this one.
                """)
        return .done(request(kind), by: requester(who))
    }
}
