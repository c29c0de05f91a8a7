public import Turnstile

/// The result of a deferred request.
public enum LateOutcome: Hashable, Sendable {
    case done
    case refused(Refusal)
    /// The operator's authorisations that waited are void, this one among them where none waits
    /// any longer.
    case dropped
}

/// A deferred call, whose result is to be found among the records.
struct AwaitedCall: Hashable, Sendable {
    private let call: GateCall
    private let operatorNumber: UInt32
    /// Whether the record of the deferral was received. Earlier records concern other calls, such
    /// as the one that this call replaced.
    private var isPutOff = false

    init(_ call: GateCall, of operatorNumber: UInt32) {
        self.call = call
        self.operatorNumber = operatorNumber
    }

    /// Some records were not heard.
    mutating func recordsLost() { isPutOff = true }

    /// The result of the call according to this record, if any.
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

    /// Whether the record says that the request is in effect.
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
