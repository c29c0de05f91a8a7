// Every record's name and fields.

extension Record: Named {
    /// What records are called.
    public static var title: String { "record" }

    /// The name of what happened, which never changes: `coin_accepted`. What people look for has a
    /// name of its own: an alarm, a fault, a passage that nobody paid for.
    public var name: String {
        switch self {
        case .started: "started"
        case .stopped: "stopped"
        case .policyChanged: "policy_changed"
        case .policyDeferred: "policy_deferred"
        case .scheduleDeferred: "schedule_deferred"
        case .modeChanged: "mode_changed"
        case .enforcementChanged: "enforcement_changed"
        case .clockAdjusted: "clock_adjusted"
        case .coinCounted: "coin_counted"
        case .coinAccepted: "coin_accepted"
        case .coinInDoubt: "coin_in_doubt"
        case .coinLate: "coin_late"
        case .coinsRefused: "coins_refused"
        case .coinInhibited: "coin_inhibited"
        case .coinEarly: "coin_early"
        case .coinRejected: "coin_rejected"
        case .coinUnknown: "coin_unknown"
        case .coinNoise: "coin_noise"
        case .noiseOver: "noise_over"
        case .creditUsed: "credit_used"
        case .creditReturned: "credit_returned"
        case .creditRecovered: "credit_recovered"
        case .creditForfeited: "credit_forfeited"
        case .creditExpired: "credit_expired"
        case .released: "released"
        case .stored: "stored"
        case .storedDropped: "stored_dropped"
        case .authorisationDropped: "authorisation_dropped"
        case .passageStarted: "passage_started"
        case .rotorNoise: "rotor_noise"
        case .passageCompleted(_, let kind): kind.recordName
        case .passageBackedOut: "passage_backed_out"
        case .waitTimedOut: "wait_timed_out"
        case .passageLost: "passage_lost"
        case .passageRecovered: "passage_recovered"
        case .passageInDoubt: "passage_in_doubt"
        case .refused: "refused"
        case .deferred: "request_deferred"
        case .done: "request_done"
        case .alarmRaised(let alarm): "alarm_\(alarm.name)"
        case .alarmCleared: "alarm_cleared"
        case .alarmRecovered: "alarm_recovered"
        case .faultRaised(let fault): "fault_\(fault.name)"
        case .faultCleared: "fault_cleared"
        case .faultRecovered: "fault_recovered"
        case .onTimeWarning: "on_time_warning"
        case .outOfService: "out_of_service"
        case .inService: "in_service"
        case .stopBegan: "stop_began"
        case .stopEnded: "stop_ended"
        case .emergencyStarted: "emergency_started"
        case .emergencyLoopClosed: "emergency_loop_closed"
        case .emergencyReset: "emergency_reset"
        case .emergencyRecovered: "emergency_recovered"
        case .stateUnknown: "state_unknown"
        case .serviceStarted: "service_started"
        case .serviceEnded: "service_ended"
        case .selfTestFailed: "self_test_failed"
        case .selfTestFinished: "self_test_finished"
        case .selfTestAborted: "self_test_aborted"
        case .vaultOpened: "vault_opened"
        case .vaultClosed: "vault_closed"
        case .vaultRemoved: "vault_removed"
        case .vaultReplaced: "vault_replaced"
        case .coinsCollected: "coins_collected"
        case .collectionCounted: "collection_counted"
        }
    }

    /// The record's fields.
    public func visit(_ fields: inout some FieldVisitor) -> Record {
        switch self {
        case .started, .stopped, .policyDeferred, .scheduleDeferred, .rotorNoise, .inService,
            .stopBegan, .stopEnded, .emergencyStarted, .emergencyLoopClosed, .emergencyReset,
            .emergencyRecovered, .stateUnknown, .serviceEnded, .coinsCollected, .selfTestFinished,
            .selfTestAborted, .vaultOpened, .vaultClosed, .vaultRemoved, .vaultReplaced:
            return self
        case .policyChanged(let requester): return .policyChanged(by: fields.requester(requester))
        case .modeChanged(let direction, let mode, let requester):
            let (direction, mode) = (fields.direction(direction), fields.field(.mode, mode))
            return .modeChanged(direction, mode, by: fields.requester(requester))
        case .enforcementChanged(let to, let who):
            return .enforcementChanged(fields.field(.enforcement, to), by: fields.requester(who))
        case .clockAdjusted(let step): return .clockAdjusted(by: fields.duration(.duration, step))
        case .coinCounted(let coin): return .coinCounted(fields.inline(coin))
        case .coinAccepted(let coin): return .coinAccepted(fields.inline(coin))
        case .coinLate(let coin): return .coinLate(fields.inline(coin))
        case .coinInDoubt(let coin): return .coinInDoubt(fields.inline(coin))
        case .coinsRefused(let refusal): return .coinsRefused(fields.inline(refusal, as: .refusal))
        case .coinInhibited(let coin): return .coinInhibited(fields.inline(coin))
        case .coinEarly(let coin): return .coinEarly(fields.inline(coin))
        case .coinRejected(let coin): return .coinRejected(fields.inline(coin))
        case .coinUnknown(let acceptor, let pulses):
            let pulses = fields.count(.pulses, pulses)
            return .coinUnknown(fields.acceptor(acceptor), pulses: pulses)
        case .coinNoise(let acceptor, let width):
            let width = fields.duration(.duration, width)
            return .coinNoise(fields.acceptor(acceptor), width: width)
        case .noiseOver(let acceptor, let pulses):
            let pulses = fields.count(.pulses, pulses)
            return .noiseOver(fields.acceptor(acceptor), pulses: pulses)
        case .creditUsed(let value): return .creditUsed(value: fields.value(value))
        case .creditReturned(let value): return .creditReturned(value: fields.value(value))
        case .creditRecovered(let value): return .creditRecovered(value: fields.value(value))
        case .creditForfeited(let value): return .creditForfeited(value: fields.value(value))
        case .creditExpired(let value): return .creditExpired(value: fields.value(value))
        case .released(let direction, let by):
            return .released(fields.direction(direction), by: fields.inline(by, as: .authorisation))
        case .stored(let way): return .stored(fields.direction(way))
        case .storedDropped(let count, let number): return fields.storedDropped(count, number)
        case .authorisationDropped(let way, let who): return fields.authorisationDropped(way, who)
        case .passageStarted(let direction): return .passageStarted(fields.direction(direction))
        case .passageCompleted(let direction, let kind):
            return .passageCompleted(fields.direction(direction), fields.field(.kind, kind))
        case .passageBackedOut(let direction): return .passageBackedOut(fields.direction(direction))
        case .waitTimedOut(let direction): return .waitTimedOut(fields.direction(direction))
        case .passageLost(let direction, let kind):
            return .passageLost(fields.direction(direction), fields.field(.kind, kind))
        case .passageRecovered(let direction, let kind):
            return .passageRecovered(fields.direction(direction), fields.field(.kind, kind))
        case .passageInDoubt(let way, let kind, let what): return fields.inDoubt(way, kind, what)
        case .refused(let kind, let who, let refusal):
            let (kind, who) = (fields.request(kind), fields.requester(who))
            return .refused(kind, by: who, fields.field(.refusal, refusal))
        case .deferred(let kind, let who):
            return .deferred(fields.request(kind), by: fields.requester(who))
        case .done(let kind, let who): return .done(fields.request(kind), by: fields.requester(who))
        case .serviceStarted(let requester): return .serviceStarted(by: fields.requester(requester))
        case .collectionCounted(let value): return .collectionCounted(value: fields.value(value))
        case .alarmRaised(let alarm): return .alarmRaised(fields.alarm(alarm))
        case .alarmCleared(let alarm): return .alarmCleared(fields.alarm(alarm))
        case .alarmRecovered(let alarm): return .alarmRecovered(fields.alarm(alarm))
        case .faultRaised(let fault): return .faultRaised(fields.inline(fault))
        case .faultCleared(let fault): return .faultCleared(fields.inline(fault))
        case .faultRecovered(let fault): return .faultRecovered(fields.inline(fault))
        case .onTimeWarning(let output): return .onTimeWarning(fields.field(.line, output))
        case .outOfService(let fault): return .outOfService(fields.inline(fault))
        case .selfTestFailed(let output): return .selfTestFailed(fields.field(.line, output))
        }
    }
}

extension FieldVisitor {
    /// The fields of what waited and is void: a contact's has no number.
    fileprivate mutating func storedDropped(_ count: Int, _ number: UInt32?) -> Record {
        let count = self.count(.count, count)
        return .storedDropped(count, grantedBy: optional(.operatorNumber, number))
    }

    /// The fields of an authorisation that is void.
    fileprivate mutating func authorisationDropped(_ way: Direction, _ number: UInt32?) -> Record {
        let way = direction(way)
        return .authorisationDropped(way, grantedBy: optional(.operatorNumber, number))
    }

    /// The fields of a passage that the end of the service came in between.
    fileprivate mutating func inDoubt(
        _ direction: Direction, _ kind: PassageKind, _ assumption: Assumption
    ) -> Record {
        let (direction, kind) = (self.direction(direction), field(.kind, kind))
        return .passageInDoubt(direction, kind, field(.assumption, assumption))
    }
}
