import Turnstile

extension Record {
    /// The kind of the record's entry.
    var kind: EntryKind {
        switch self {
        case .started: .started
        case .stopped: .stopped
        case .policyChanged: .policyChanged
        case .policyDeferred: .policyDeferred
        case .scheduleDeferred: .scheduleDeferred
        case .modeChanged: .modeChanged
        case .enforcementChanged: .enforcementChanged
        case .clockAdjusted: .clockAdjusted
        case .coinCounted: .coinCounted
        case .coinAccepted: .coinAccepted
        case .coinLate: .coinLate
        case .coinInDoubt: .coinInDoubt
        case .coinsRefused: .coinsRefused
        case .coinInhibited: .coinInhibited
        case .coinEarly: .coinEarly
        case .coinRejected: .coinRejected
        case .coinUnknown: .coinUnknown
        case .coinNoise: .coinNoise
        case .noiseOver: .noiseOver
        case .creditUsed: .creditUsed
        case .creditReturned: .creditReturned
        case .creditRecovered: .creditRecovered
        case .creditForfeited: .creditForfeited
        case .creditExpired: .creditExpired
        case .released: .released
        case .stored: .stored
        case .storedDropped: .storedDropped
        case .authorisationDropped: .authorisationDropped
        case .passageStarted: .passageStarted
        case .rotorNoise: .rotorNoise
        case .passageCompleted(_, let kind): kind.entryKind
        case .passageBackedOut: .passageBackedOut
        case .waitTimedOut: .waitTimedOut
        case .passageLost: .passageLost
        case .passageRecovered: .passageRecovered
        case .passageInDoubt: .passageInDoubt
        case .refused: .refused
        case .deferred: .deferred
        case .done: .requestDone
        case .alarmRaised(let alarm): alarm.kind
        case .alarmCleared: .alarmCleared
        case .alarmRecovered: .alarmRecovered
        case .faultRaised(let fault): fault.kind
        case .faultCleared: .faultCleared
        case .faultRecovered: .faultRecovered
        case .onTimeWarning: .onTimeWarning
        case .outOfService: .outOfService
        case .inService: .inService
        case .stopBegan: .stopBegan
        case .stopEnded: .stopEnded
        case .emergencyStarted: .emergencyStarted
        case .emergencyLoopClosed: .emergencyLoopClosed
        case .emergencyReset: .emergencyReset
        case .emergencyRecovered: .emergencyRecovered
        case .stateUnknown: .stateUnknown
        case .serviceStarted: .serviceStarted
        case .serviceEnded: .serviceEnded
        case .selfTestFailed: .selfTestFailed
        case .selfTestFinished: .selfTestFinished
        case .selfTestAborted: .selfTestAborted
        case .vaultOpened: .vaultOpened
        case .vaultClosed: .vaultClosed
        case .vaultRemoved: .vaultRemoved
        case .vaultReplaced: .vaultReplaced
        case .coinsCollected: .coinsCollected
        case .collectionCounted: .collectionCounted
        }
    }
}

extension PassageKind {
    /// The kind of the entry that tells of a completed passage of this kind.
    fileprivate var entryKind: EntryKind {
        switch self {
        case .paid, .free, .service: .passageCompleted
        case .emergency: .passageInEmergency
        case .unauthorised: .passageUnauthorised
        }
    }
}

extension Alarm {
    /// The kind of the entry that tells of the alarm.
    var kind: EntryKind {
        switch self {
        case .forcedPassage: .forcedPassage
        case .reversePassage: .reversePassage
        case .tailgating: .tailgating
        case .passageDelayed: .passageDelayed
        case .backOutPastMiddle: .backOutPastMiddle
        case .beamBlocked: .beamBlocked
        case .coinStringing: .coinStringing
        case .vaultOpen: .vaultOpen
        case .cabinetOpen: .cabinetOpen
        }
    }
}

extension Fault {
    /// The kind of the entry that tells of the fault.
    var kind: EntryKind {
        switch self {
        case .external: .externalFault
        case .illegalRotorTransition: .illegalRotorTransition
        case .sensorStuck: .sensorStuck
        case .armNotHome: .armNotHome
        case .lockNotResponding: .lockNotResponding
        case .coinJam: .coinJam
        case .coinLineStuck: .coinLineStuck
        case .noiseBurst: .noiseBurst
        case .unknownPulseCount: .unknownPulseCount
        case .vaultMissing: .vaultMissing
        case .powerLow: .powerLow
        case .edgesLost: .edgesLost
        case .clockStepped: .clockStepped
        case .energisedTooLong: .energisedTooLong
        case .line(_, .unreadable): .lineUnreadable
        case .line(_, .undrivable): .lineUndrivable
        case .line(_, .mismatch): .lineMismatch
        case .storageFailed: .storageFailed
        case .vaultFull: .vaultFull
        }
    }
}
