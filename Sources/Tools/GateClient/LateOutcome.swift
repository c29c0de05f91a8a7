public import Turnstile

/// What came of something that had to wait.
public enum LateOutcome: Hashable, Sendable {
    /// It is so.
    case done
    /// It is not, for this reason.
    case refused(Refusal)
    /// The operator's authorisations that waited are void, this one among them where none waits
    /// any longer.
    case dropped
}

/// A call that the gate has put off, whose end is to be found among the records.
struct AwaitedCall: Hashable, Sendable {
    private let call: GateCall
    private let operatorNumber: UInt32
    /// Whether the record was heard that the call is put off. What came before it concerns others:
    /// what this call took the place of, for one.
    private var isPutOff = false

    init(_ call: GateCall, of operatorNumber: UInt32) {
        self.call = call
        self.operatorNumber = operatorNumber
    }

    /// Some records were not heard.
    mutating func lose() { isPutOff = true }

    /// What this record tells of the call; nil for nothing.
    mutating func hear(_ record: Record) -> LateOutcome? {
        if case .deferred(call.kind, let requester) = record, isOurs(requester) { isPutOff = true }
        if call.isBySettings, record == .policyDeferred { isPutOff = true }
        guard isPutOff else { return nil }
        if case .refused(call.kind, let requester, let refusal) = record, isOurs(requester) {
            return .refused(refusal)
        }
        if case .done(call.kind, let requester) = record, isOurs(requester) { return .done }
        if case .storedDropped(_, grantedBy: operatorNumber) = record, call.kind == .grant {
            return .dropped
        }
        return isFulfilled(by: record) ? .done : nil
    }

    private func isOurs(_ requester: Requester) -> Bool {
        call.isBySettings
            ? requester == .settings : requester.person?.number == operatorNumber
    }

    /// Whether the record says that what was asked for is so now.
    private func isFulfilled(by record: Record) -> Bool {
        switch call.kind {
        case .grant:
            guard let direction = call.direction else { return false }
            return record == .released(direction, by: .person(operatorNumber))
        case .setMode, .setModeUntil:
            guard case .modeChanged(let direction, _, let requester) = record else { return false }
            return direction == call.direction && isOurs(requester)
        case .setEnforcement, .setEnforcementUntil:
            guard case .enforcementChanged(_, let requester) = record else { return false }
            return isOurs(requester)
        case .adopt:
            guard case .policyChanged(let requester) = record else { return false }
            return isOurs(requester)
        case .beginService:
            guard case .serviceStarted(let requester) = record else { return false }
            return isOurs(requester)
        case .endService: return record == .serviceEnded
        case .resetEmergency: return record == .emergencyReset
        case .withdraw, .confirmRepair, .acknowledgeAlarms, .selfTest, .test, .collectCoins:
            return false
        }
    }
}
