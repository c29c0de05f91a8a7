public import Turnstile

extension Record {
    /// What the record says, for people.
    var sentence: String {
        switch self {
        case .started: "in operation"
        case .stopped: "stopped, every output at its safe level"
        case .policyChanged(let requester): "the new policy is in force\(requester.asPerson)"
        case .policyDeferred: "the new policy waits until the gate is idle"
        case .scheduleDeferred: "the schedule's change waits until the gate is idle"
        case .modeChanged(let direction, let mode, let requester):
            "\(direction) is \(mode) from now on\(requester.asPerson)"
        case .enforcementChanged(let enforcement, let requester):
            "enforcement is \(enforcement) from now on\(requester.asPerson)"
        case .clockAdjusted(let step): "the clock was set \(step.stepText)"
        case .coinCounted(let coin): "\(coin.text) counted"
        case .coinAccepted(let coin): "\(coin.text) credited"
        case .coinLate(let coin): "\(coin.text) credited, though the acceptor was inhibited"
        case .coinInDoubt(let coin):
            "the service ended while a coin of \(coin.value) was counted; it is credited"
        case .coinsRefused(let refusal): "coins are refused: \(refusal.sentence)"
        case .coinInhibited(let coin): "\(coin.text) not credited: coins are refused"
        case .coinEarly(let coin):
            "\(coin.text) not credited: the acceptor has just been switched on"
        case .coinRejected(let coin): "\(coin.text) ejected"
        case .coinUnknown(let acceptor, let pulses):
            "\(counted(pulses, "pulse")) on \(acceptor.line.name): no coin that is known"
        case .coinNoise(let acceptor, let width):
            "pulse of \(width.text) on \(acceptor.line.name) is no coin"
        case .noiseOver(let acceptor, let pulses):
            "the noise on \(acceptor.line.name) is over: \(counted(pulses, "pulse"))"
        case .creditUsed(let value): "\(value) paid for a passage"
        case .creditReturned(let value): "\(value) not used, credit again"
        case .creditRecovered(let value): "\(value) held from before the start"
        case .creditForfeited(let value): "\(value) not used, forfeited"
        case .creditExpired(let value): "\(value) not used, expired"
        case .released(let direction, let authorisation):
            "released for one person (\(direction)), \(authorisation.sentence)"
        case .stored(let direction): "authorised (\(direction)), as soon as the gate is free"
        case .storedDropped(let count, let number):
            "\(counted(count, "stored authorisation")) void, \(Authorisation(number).sentence)"
        case .authorisationDropped(let direction, let number):
            "the authorisation is void (\(direction)), \(Authorisation(number).sentence)"
        case .passageStarted(let direction): "somebody begins to pass (\(direction))"
        case .rotorNoise: "both sensors of the rotor at once, and back: noise, and nobody's passage"
        case .passageCompleted(let direction, let kind):
            "somebody passed (\(direction)), \(kind.sentence)"
        case .passageBackedOut(let direction): "somebody went back (\(direction))"
        case .waitTimedOut(let direction): "nobody came (\(direction))"
        case .passageLost(let direction, let kind):
            "the end of a passage was not seen (\(direction), \(kind)); it counts as made"
        case .passageRecovered(let direction, let kind):
            "whoever was in the gate at the start is out of it (\(direction), \(kind))"
        case .passageInDoubt(let direction, let kind, let assumption):
            "the service ended while somebody passed or could (\(direction), \(kind)); "
                + assumption.sentence
        case .refused(let request, let requester, let refusal):
            "\(requester.asking(request)) refused: \(refusal.sentence)"
        case .deferred(let request, let requester):
            "\(requester.asking(request)) waits until nobody is in the gate"
        case .done(let request, let requester): "\(requester.asking(request)): done"
        case .alarmRaised(let alarm): "alarm \(alarm.code): \(alarm.sentence)"
        case .alarmRecovered(let alarm):
            "the alarm \(alarm.code) from before the start waits for the key: \(alarm.sentence)"
        case .alarmCleared(let alarm): "alarm \(alarm.code) is over (was: \(alarm.sentence))"
        case .faultRaised(let fault): "fault \(fault.code): \(fault.sentence)"
        case .faultRecovered(let fault):
            "the fault \(fault.code) from before the start waits for the key: \(fault.sentence)"
        case .faultCleared(let fault): "fault \(fault.code) is over (was: \(fault.sentence))"
        case .onTimeWarning(let output):
            "\(output.name) has been on for long, and is cut in a moment"
        case .outOfService(let fault): "out of service, \(fault.code): \(fault.sentence)"
        case .inService: "back in service"
        case .stopBegan: "stopped by the contact, both directions are blocked"
        case .stopEnded: "the stop contact is at rest again"
        case .emergencyStarted: "emergency: the loop is open, the gate stands open"
        case .emergencyLoopClosed: "the emergency loop is closed; the gate stands open until reset"
        case .emergencyReset: "the emergency is over"
        case .emergencyRecovered: "the emergency from before the start goes on"
        case .stateUnknown: "nobody knows what was before the start"
        case .serviceStarted(let requester):
            "service mode: \(requester.person?.description ?? "the mechanic") has the gate"
        case .serviceEnded: "service mode is over"
        case .selfTestFailed(let output): "self-test: \(output.name) failed"
        case .selfTestFinished: "self-test: done"
        case .selfTestAborted: "self-test: ended before its end"
        case .vaultOpened: "the vault's door was opened"
        case .vaultClosed: "the vault's door was closed"
        case .vaultRemoved: "the vault was taken out"
        case .vaultReplaced: "a vault is in its place, the coins were collected"
        case .coinsCollected: "the coins were collected"
        case .collectionCounted(let value): "\(value) was counted in the collection"
        }
    }
}

extension Requester {
    /// Who asks: `service_key`, `schedule`, `anna (1000)`.
    public var text: String {
        switch self {
        case .contact(let input): input.name
        case .schedule: "schedule"
        case .settings: "settings"
        case .person(let person): person.description
        }
    }

    /// Who asks for what; of a contact it is known.
    fileprivate func asking(_ request: Request.Kind) -> String {
        switch self {
        case .contact: text
        case .schedule, .settings, .person: "\(request.rawValue) by \(text)"
        }
    }

    /// `, as anna (1000) asked`; nothing where nobody asked from afar.
    fileprivate var asPerson: String { person.map { ", as \($0) asked" } ?? "" }
}

extension Coin {
    /// `coin of 100 (2 pulses on coin_pulse)`.
    fileprivate var text: String {
        "coin of \(value) (\(counted(pulses, "pulse")) on \(acceptor.line.name))"
    }
}

extension Duration {
    /// How a clock was set: `forward by 2 s`.
    fileprivate var stepText: String {
        self < .zero ? "back by \((.zero - self).rounded)" : "forward by \(rounded)"
    }
}

extension Authorisation {
    /// What this operator gave; a contact for nil.
    fileprivate init(_ operatorNumber: UInt32?) {
        self = operatorNumber.map { .person($0) } ?? .contact
    }

    /// What somebody may pass by.
    fileprivate var sentence: String {
        switch self {
        case .credit(let fare): "who paid \(fare)"
        case .contact: "by contact"
        case .person(let number): "by the operator \(number)"
        case .free: "as the direction is free"
        }
    }
}

extension Assumption {
    /// What is assumed, in words.
    fileprivate var sentence: String {
        switch self {
        case .made: "it counts as made"
        case .notMade: "it counts as not made"
        case .underWay: "they are still on the way"
        }
    }
}

extension PassageKind {
    /// How somebody passed.
    fileprivate var sentence: String {
        switch self {
        case .paid: "paid"
        case .free: "free"
        case .service: "in service mode"
        case .emergency: "during the emergency"
        case .unauthorised: "without an authorisation"
        }
    }
}

extension Refusal {
    /// The refusal in a few words.
    public var sentence: String {
        switch self {
        case .storeFull: "as many are authorised as may be"
        case .modeLocked: "nobody may pass this way"
        case .modeFree: "everybody may pass this way"
        case .stopped: "the stop contact blocks the gate"
        case .service: "the mechanic has the gate"
        case .outOfService: "the gate is out of service"
        case .emergency: "the gate stands open in an emergency"
        case .loopOpen: "the emergency loop is still open"
        case .causePresent: "the cause of the fault is still there"
        case .noEmergency: "there is no emergency"
        case .repairFirst: "a repair comes first: the mechanic's key says that it is done"
        case .starting: "the gate has not started yet"
        case .notFromAfar: "only allowed at the gate itself"
        case .occupied: "somebody is in the gate, or comes into it"
        case .nothingToWithdraw: "nobody is authorised who did not pay"
        case .nothingToCount: "no collection waits to be counted"
        case .noService: "the gate is not in service mode"
        case .notWired: "there is no such output"
        case .timeOver: "the time is over"
        case .outOfRange: "value out of range"
        case .cancelled: "somebody at the gate has cancelled it"
        case .cannotHoldOpen: "its lock cannot be held open"
        case .contradiction: "it contradicts the wiring, or another key of the policy"
        case .superseded: "something else was asked for since"
        case .restarted: "the service ended before it could be done"
        }
    }
}

extension CoinRefusal {
    /// Why coins are refused, in a few words.
    fileprivate var sentence: String {
        switch self {
        case .fault(let fault): fault.sentence
        case .ledgerAwaited: "the ledger is not open yet"
        case .entryLocked: "nobody may come in"
        case .storeFull: "as much is held as may be, until somebody pushes"
        case .released: "somebody may come in already"
        case .serviceAwaited: "the mechanic waits for the gate"
        }
    }
}

extension Alarm {
    /// The alarm in a few words.
    fileprivate var sentence: String {
        switch self {
        case .forcedPassage: "the rotor of the locked gate was forced"
        case .reversePassage: "somebody came through the wrong way"
        case .tailgating: "somebody slipped in behind somebody else"
        case .passageDelayed: "somebody has stood in the gate for too long"
        case .backOutPastMiddle: "somebody went back who had passed the middle"
        case .beamBlocked: "something stands in a light beam"
        case .coinStringing: "an acceptor that was inhibited reports coins"
        case .vaultOpen: "the coin vault is open or gone"
        case .cabinetOpen: "the cabinet is open"
        }
    }
}

extension Fault {
    /// The fault in a few words.
    fileprivate var sentence: String {
        switch self {
        case .external: "the machine reports a fault of its own"
        case .illegalRotorTransition: "the rotor's sensors contradict each other"
        case .sensorStuck: "a rotor sensor is stuck"
        case .armNotHome: "the arm is not at rest"
        case .lockNotResponding(let direction): "\(direction.lock.name) does not follow"
        case .coinJam: "an acceptor reports a jam"
        case .coinLineStuck(let acceptor): "\(acceptor.line.name) is stuck"
        case .noiseBurst(let acceptor): "\(acceptor.line.name) carries noise"
        case .unknownPulseCount: "an acceptor sent a number of pulses that is no coin"
        case .vaultMissing: "the coin vault is not in its place"
        case .vaultFull: "the coin vault is full"
        case .powerLow: "the supply is low"
        case .edgesLost: "edges of the input lines were lost"
        case .clockStepped: "the clock on the wall was set"
        case .energisedTooLong(let output):
            "\(output.name) was energised for its maximum on-time"
        case .line(let line, .unreadable): "the line \(line) cannot be read"
        case .line(let line, .undrivable): "the line \(line) cannot be driven"
        case .line(let line, .mismatch): "the line \(line) does not carry what it was driven to"
        case .storageFailed: "the ledger cannot be used"
        }
    }
}
