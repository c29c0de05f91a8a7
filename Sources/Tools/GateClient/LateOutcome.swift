public import Turnstile

/// What came of something that had to wait.
public enum LateOutcome: Hashable, Sendable {
    case done
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
    mutating func recordsLost() { isPutOff = true }

    /// What this record tells of the call; nil for nothing.
    mutating func receive(_ record: Record) -> LateOutcome? {
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
        switch (call.kind, record) {
        case (.grant, .released(call.direction, by: .person(operatorNumber))): true
        case (.setMode, .modeChanged(call.direction, _, let requester)),
            (.setModeUntil, .modeChanged(call.direction, _, let requester)),
            (.setEnforcement, .enforcementChanged(_, let requester)),
            (.setEnforcementUntil, .enforcementChanged(_, let requester)),
            (.adopt, .policyChanged(let requester)),
            (.beginService, .serviceStarted(let requester)):
            isOurs(requester)
        case (.endService, .serviceEnded), (.resetEmergency, .emergencyReset): true
        default: false
        }
    }
}
