// One record of every name.

extension Record {
    /// A record of every name, which reading begins with.
    public static let forms: [Record] =
        service + coins + passages + alarms + faults + emergency + mechanic

    /// The record of this name. A ledger has a hundred thousand of them.
    public static func form(named name: String) -> Record? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: forms.map { ($0.name, $0) })

    private static let service: [Record] = [
        .started, .stopped, .policyChanged(by: .settings), .policyDeferred, .scheduleDeferred,
        .modeChanged(.entry, .locked, by: .schedule), .enforcementChanged(.weak, by: .schedule),
        .clockAdjusted(by: .zero), .inService, .stopBegan, .stopEnded,
    ]

    private static let coins: [Record] = [
        .coinCounted(.blank), .coinAccepted(.blank), .coinLate(.blank), .coinInDoubt(.blank),
        .coinsRefused(.ledgerAwaited), .coinInhibited(.blank), .coinEarly(.blank),
        .coinRejected(.blank),
        .coinUnknown(.first, pulses: 0), .coinNoise(.first, width: .zero),
        .noiseOver(.first, pulses: 0), .creditUsed(value: 0), .creditReturned(value: 0),
        .creditRecovered(value: 0), .creditForfeited(value: 0), .creditExpired(value: 0),
    ]

    private static let passages: [Record] = [
        .released(.entry, by: .free), .stored(.entry), .storedDropped(0),
        .authorisationDropped(.entry), .passageStarted(.entry), .rotorNoise,
        .passageCompleted(.entry, .paid), .passageCompleted(.entry, .emergency),
        .passageCompleted(.entry, .unauthorised), .passageBackedOut(.entry), .waitTimedOut(.entry),
        .passageLost(.entry, .paid), .passageRecovered(.entry, .paid),
        .passageInDoubt(.entry, .paid, .made),
        .refused(.grant, by: .schedule, .storeFull), .deferred(.grant, by: .schedule),
        .done(.grant, by: .schedule),
    ]

    private static let alarms: [Record] =
        Alarm.ordered.map { .alarmRaised($0) }
        + [.alarmCleared(.forcedPassage), .alarmRecovered(.forcedPassage)]

    private static let faults: [Record] =
        Fault.Kind.allCases.map { .faultRaised($0.faults[0]) }
        + [
            .faultCleared(.external), .faultRecovered(.external), .outOfService(.external),
            .onTimeWarning(.lockEntry),
        ]

    private static let emergency: [Record] = [
        .emergencyStarted, .emergencyLoopClosed, .emergencyReset, .emergencyRecovered,
        .stateUnknown,
    ]

    private static let mechanic: [Record] = [
        .serviceStarted(by: .schedule), .serviceEnded, .selfTestFailed(.lockEntry),
        .selfTestFinished, .selfTestAborted, .vaultOpened, .vaultClosed, .vaultRemoved,
        .vaultReplaced, .coinsCollected, .collectionCounted(value: 0),
    ]
}

extension PassageKind {
    /// The name of the record of a completed passage of this kind.
    var recordName: String {
        switch self {
        case .paid, .free, .service: "passage_completed"
        case .emergency: "passage_in_emergency"
        case .unauthorised: "passage_unauthorised"
        }
    }
}
