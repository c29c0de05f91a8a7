public import Turnstile

/// What came of something that had to wait.
public enum LateOutcome: Hashable, Sendable {
    /// It is so.
    case done
    /// It is not, for this reason.
    case refused(Refusal)
    /// Authorisations that waited are void: this one is, where none waits any longer.
    case dropped
}

extension GateCall {
    /// What this record tells of what this operator asked for; nil for nothing.
    public func outcome(of record: Record, for operatorNumber: UInt32) -> LateOutcome? {
        if case .refused(kind, let requester, let refusal) = record,
            requester.person?.number == operatorNumber
        {
            return .refused(refusal)
        }
        if case .done(kind, let requester) = record, requester.person?.number == operatorNumber {
            return .done
        }
        return isFulfilled(by: record, for: operatorNumber) ? .done : isDropped(by: record)
    }

    private func isDropped(by record: Record) -> LateOutcome? {
        if case .storedDropped = record, kind == .grant { .dropped } else { nil }
    }

    /// Whether the record says that what was asked for is so now.
    private func isFulfilled(by record: Record, for operatorNumber: UInt32) -> Bool {
        func isOurs(_ requester: Requester) -> Bool { requester.person?.number == operatorNumber }
        switch kind {
        case .grant:
            guard let direction else { return false }
            return record == .released(direction, by: .person(operatorNumber))
        case .setMode:
            guard case .modeChanged(direction, _, let requester) = record else { return false }
            return isOurs(requester)
        case .setEnforcement:
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
