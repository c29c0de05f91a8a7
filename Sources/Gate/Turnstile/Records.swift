/// One thing that the log of a turnstile says. Amounts are minor units of the currency.
public enum Record: Hashable, Sendable {
    /// The service is up and the gate works.
    case started
    /// The service stops in an orderly way.
    case stopped
    /// A new policy is in force, as this one asked.
    case policyChanged(by: Requester)
    /// The owner's new policy waits until the gate is idle.
    case policyDeferred
    /// What the schedule asks for waits until the gate is idle.
    case scheduleDeferred
    /// Another mode is in force for a direction, as this one asked.
    case modeChanged(Direction, Mode, by: Requester)
    /// Another enforcement is in force, as this one asked.
    case enforcementChanged(Enforcement, by: Requester)
    /// The clock on the wall was set, by so much.
    case clockAdjusted(by: Duration)

    /// A coin was counted: it is credit in a moment, unless more pulses follow. Should the gate die
    /// in that moment, this says what the coin was.
    case coinCounted(Coin)
    /// A coin was taken: it is credit, unless the next record says otherwise.
    case coinAccepted(Coin)
    /// A coin that was already on its way when the acceptor was inhibited was credited.
    case coinLate(Coin)
    /// Coins are refused from now on, for this reason, in a gate that serves nobody just now. A
    /// fault that refuses them has a record of its own.
    case coinsRefused(CoinRefusal)
    /// The service ended while a coin was being counted: as far as that went, it is credited.
    case coinInDoubt(Coin)
    /// An acceptor that was inhibited reports a coin: not credited.
    case coinInhibited(Coin)
    /// An acceptor that had just been switched on reports a coin: not credited.
    case coinEarly(Coin)
    /// A coin that came while the gate was unlocked was ejected: not credited.
    case coinRejected(Coin)
    /// A train of so many pulses is no coin that the table knows: not credited.
    case coinUnknown(Acceptor, pulses: Int)
    /// A pulse of a width that no coin makes: not credited.
    case coinNoise(Acceptor, width: Duration)
    /// The noise on a coin line is over; there were so many pulses of it.
    case noiseOver(Acceptor, pulses: Int)
    /// Credit paid for a passage that was released.
    case creditUsed(value: Int)
    /// A fare that was paid and not used became credit again.
    case creditReturned(value: Int)
    /// So much is held for people from before the gate started anew.
    case creditRecovered(value: Int)
    /// Credit fell to the operator.
    case creditForfeited(value: Int)
    /// Credit was held for nobody for too long, and fell to the operator.
    case creditExpired(value: Int)

    /// The gate was released for one person to pass this way.
    case released(Direction, by: Authorisation)
    /// An authorisation that nobody paid for waits until the gate is free for it.
    case stored(Direction)
    /// So many stored authorisations are void, which this operator gave; a contact for nil.
    case storedDropped(Int, grantedBy: UInt32? = nil)
    /// The authorisation that the gate was released for, and that nobody paid for, is void; this
    /// operator had given it, a contact for nil.
    case authorisationDropped(Direction, grantedBy: UInt32? = nil)
    /// Somebody began to turn the rotor of a released gate.
    case passageStarted(Direction)
    /// Both of the rotor's sensors changed at once and back again, which nobody in it can do: it
    /// counts for nothing.
    case rotorNoise
    /// Somebody passed.
    case passageCompleted(Direction, PassageKind)
    /// Somebody began to pass and went back; the authorisation is still good.
    case passageBackedOut(Direction)
    /// Nobody came while the gate was released.
    case waitTimedOut(Direction)
    /// Edges of a passage are missing: it counts as made, since nobody can tell.
    case passageLost(Direction, PassageKind)
    /// Whoever stood in the rotor as the gate started is out of it: it counts as made.
    case passageRecovered(Direction, PassageKind)
    /// The service ended while somebody passed, or could: what is assumed of it.
    case passageInDoubt(Direction, PassageKind, Assumption)

    /// Somebody asked for what cannot be done now, or waited for it in vain.
    case refused(Request.Kind, by: Requester, Refusal)
    /// Somebody asked for what is done as soon as nobody is in the gate.
    case deferred(Request.Kind, by: Requester)
    /// What somebody asked for from afar is done.
    case done(Request.Kind, by: Requester)

    /// The alarm was raised.
    case alarmRaised(Alarm)
    /// The alarm is over.
    case alarmCleared(Alarm)
    /// The alarm from before the start still waits for the mechanic's key.
    case alarmRecovered(Alarm)
    /// A fault was found.
    case faultRaised(Fault)
    /// A fault is gone.
    case faultCleared(Fault)
    /// The fault from before the start still waits for the mechanic's key.
    case faultRecovered(Fault)
    /// The output is cut soon: it has been energised for nearly its maximum on-time.
    case onTimeWarning(Output)
    /// The gate is out of service.
    case outOfService(Fault)
    /// The gate is back in service.
    case inService
    /// Both directions are blocked by the stop contact.
    case stopBegan
    /// They no longer are.
    case stopEnded

    /// The emergency loop is open: the gate stands open.
    case emergencyStarted
    /// The loop is closed again; the gate stands open until the reset.
    case emergencyLoopClosed
    /// The emergency is over.
    case emergencyReset
    /// The emergency from before the start is not over: the gate stands open.
    case emergencyRecovered
    /// Nobody knows what was before the start. Where there is an emergency loop, the gate stands
    /// open until the reset.
    case stateUnknown

    /// The mechanic has the gate, or whoever else asked for service mode.
    case serviceStarted(by: Requester)
    /// The mechanic gave it back.
    case serviceEnded
    /// The self-test found that something does not follow.
    case selfTestFailed(Output)
    /// The self-test has driven every output.
    case selfTestFinished
    /// The self-test ended before its end.
    case selfTestAborted

    /// The door of the vault was opened.
    case vaultOpened
    /// It was closed.
    case vaultClosed
    /// The vault was taken out.
    case vaultRemoved
    /// A vault is in its place again: the coins were collected.
    case vaultReplaced
    /// The coins were collected, by what somebody says: no switch tells of the vault.
    case coinsCollected
    /// Whoever collected the coins has counted so much.
    case collectionCounted(value: Int)
}

/// A coin, as an acceptor reports it.
public struct Coin: Hashable, Sendable {
    /// The acceptor.
    public var acceptor: Acceptor
    /// The number of its pulses.
    public var pulses: Int
    /// Its value, in minor units of the currency.
    public var value: Int

    /// A coin of this value.
    public init(_ acceptor: Acceptor, pulses: Int, value: Int) {
        self.acceptor = acceptor
        self.pulses = pulses
        self.value = value
    }
}

/// What a passage was granted by.
public enum Authorisation: Hashable, Sendable {
    /// Credit that covered the fare at that time.
    case credit(fare: Int)
    /// A contact: validator, reader or attendant.
    case contact
    /// The operator of this number, from afar: see ``Operator/number``.
    case person(UInt32)
    /// The direction is free.
    case free
}

extension Authorisation {
    /// What a passage by this authorisation counts as.
    public var kind: PassageKind {
        switch self {
        case .credit: .paid
        case .contact, .person, .free: .free
        }
    }

    /// The number of the operator who gave it; nil for none.
    var operatorNumber: UInt32? {
        if case .person(let number) = self { number } else { nil }
    }

    /// Whether somebody granted it to somebody who did not pay.
    var isGranted: Bool {
        switch self {
        case .contact, .person: true
        case .credit, .free: false
        }
    }
}

/// What is assumed of a passage that the end of the service came in between.
public enum Assumption: String, CaseIterable, Hashable, Sendable {
    /// It was made, and counts.
    case made
    /// It was not made, and counts as none.
    case notMade = "not_made"
    /// Somebody is in the rotor, and on the way through: it counts when they are out.
    case underWay = "under_way"
}

/// What a passage counts as.
public enum PassageKind: String, CaseIterable, Hashable, Sendable {
    /// With credit.
    case paid
    /// Without: by contact, by an operator, or since the direction is free.
    case free
    /// In service mode.
    case service
    /// While the gate stood open in an emergency.
    case emergency
    /// Without an authorisation.
    case unauthorised
}

/// Why a request was refused.
public enum Refusal: String, CaseIterable, Hashable, Sendable {
    /// As many authorisations are held as may be.
    case storeFull = "store_full"
    /// Nobody may pass in this direction.
    case modeLocked = "mode_locked"
    /// Everybody may pass in this direction.
    case modeFree = "mode_free"
    /// Both directions are blocked by the stop contact.
    case stopped
    /// The mechanic has the gate.
    case service
    /// The gate is out of service.
    case outOfService = "out_of_service"
    /// The gate stands open in an emergency.
    case emergency
    /// An emergency cannot be reset while its loop is open.
    case loopOpen = "loop_open"
    /// The cause of the fault is still there.
    case causePresent = "cause_present"
    /// There is no emergency.
    case noEmergency = "no_emergency"
    /// The emergency is that of a loop that could not be read, or the output was cut: the repair
    /// comes first.
    case repairFirst = "repair_first"
    /// The gate has not started yet.
    case starting
    /// It must not be asked for from afar: the owner has not allowed it.
    case notFromAfar = "not_from_afar"
    /// Somebody is in the gate, or may just be coming into it.
    case occupied
    /// Nobody is authorised who did not pay for it.
    case nothingToWithdraw = "nothing_to_withdraw"
    /// No collection waits to be counted: the vault's switch has told of none since the last count.
    case nothingToCount = "nothing_to_count"
    /// The gate is not in service mode.
    case noService = "no_service"
    /// There is no such output.
    case notWired = "not_wired"
    /// The time until which it was to last is over.
    case timeOver = "time_over"
    /// The number is none that can be, or the time longer than may be.
    case outOfRange = "out_of_range"
    /// Somebody at the gate has cancelled it.
    case cancelled
    /// The way cannot be free: its lock cannot be held open.
    case cannotHoldOpen = "cannot_hold_open"
    /// What was asked for contradicts the wiring, or another key of the policy.
    case contradiction
    /// Something else was asked for before it could be done.
    case superseded
    /// The service ended before it could be done.
    case restarted
}

/// Why a gate in service refuses coins.
public enum CoinRefusal: Hashable, Sendable {
    /// This fault.
    case fault(Fault)
    /// The ledger is not open yet.
    case ledgerAwaited
    /// Nobody may come in.
    case entryLocked
    /// As many authorisations are held as may be.
    case storeFull
    /// The gate is released for somebody to come in, and the policy rejects coins meanwhile.
    case released
    /// The mechanic waits for the gate.
    case serviceAwaited
}

extension CoinRefusal {
    /// The reason's name, which never changes: `store_full`.
    public var name: String {
        switch self {
        case .fault(let fault): fault.name
        case .ledgerAwaited: "ledger_awaited"
        case .entryLocked: "entry_locked"
        case .storeFull: "store_full"
        case .released: "released"
        case .serviceAwaited: "service_awaited"
        }
    }
}
