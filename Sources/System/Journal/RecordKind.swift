import Turnstile

extension Record {
    /// The kind of the record's entry.
    var kind: EntryKind {
        switch self {
        case .started: .started
        case .stopped: .stopped
        case .policyChanged: .policyChanged
        case .policyDeferred: .policyDeferred
        case .coinAccepted: .coinAccepted
        case .coinLate: .coinLate
        case .coinNoise: .coinNoise
        case .creditUsed: .creditUsed
        case .creditReturned: .creditReturned
        case .creditForfeited: .creditForfeited
        case .released: .released
        case .passageStarted: .passageStarted
        case .passageCompleted: .passageCompleted
        case .passageBackedOut: .passageBackedOut
        case .waitTimedOut: .waitTimedOut
        case .passageLost: .passageLost
        case .passageUnauthorised: .passageUnauthorised
        case .passageInEmergency: .passageInEmergency
        case .refused: .refused
        case .alarmRaised(let alarm): alarm.kind
        case .alarmCleared: .alarmCleared
        case .faultRaised(let fault): fault.kind
        case .faultCleared: .faultCleared
        case .outOfService: .outOfService
        case .inService: .inService
        case .emergencyStarted: .emergencyStarted
        case .emergencyLoopClosed: .emergencyLoopClosed
        case .emergencyReset: .emergencyReset
        }
    }
}

extension Alarm {
    /// The kind of the entry that tells of the alarm.
    var kind: EntryKind {
        switch self {
        case .forcedPassage: .forcedPassage
        case .reversePassage: .reversePassage
        case .passageDelayed: .passageDelayed
        }
    }
}

extension Fault {
    /// The kind of the entry that tells of the fault.
    var kind: EntryKind {
        switch self {
        case .external: .externalFault
        case .illegalRotorTransition: .illegalRotorTransition
        case .coinLineStuck: .coinLineStuck
        case .edgesLost: .edgesLost
        case .energisedTooLong: .energisedTooLong
        case .line(_, .unreadable): .lineUnreadable
        case .line(_, .undrivable): .lineUndrivable
        case .line(_, .mismatch): .lineMismatch
        }
    }
}
