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

extension Record: Named {
    /// What records are called.
    public static var title: String { "record" }

    /// Takes the visitor through all that there is to say of the record, its fields among it: one
    /// function for each, in the file of its family. What people look for has a name of its own: an
    /// alarm, a fault, a passage that nobody paid for.
    public func visit(_ fields: inout some FieldVisitor) -> Record {
        switch self {
        case .started: fields.started()
        case .stopped: fields.stopped()
        case .policyChanged(let who): fields.policyChanged(who)
        case .policyDeferred: fields.policyDeferred()
        case .scheduleDeferred: fields.scheduleDeferred()
        case .modeChanged(let way, let mode, let who):
            fields.modeChanged(way, mode, who)
        case .enforcementChanged(let enforcement, let who):
            fields.enforcementChanged(enforcement, who)
        case .clockAdjusted(let step): fields.clockAdjusted(step)
        case .coinCounted(let coin): fields.coinCounted(coin)
        case .coinAccepted(let coin): fields.coinAccepted(coin)
        case .coinLate(let coin): fields.coinLate(coin)
        case .coinsRefused(let refusal): fields.coinsRefused(refusal)
        case .coinInDoubt(let coin): fields.coinInDoubt(coin)
        case .coinInhibited(let coin): fields.coinInhibited(coin)
        case .coinEarly(let coin): fields.coinEarly(coin)
        case .coinRejected(let coin): fields.coinRejected(coin)
        case .coinUnknown(let acceptor, let pulses): fields.coinUnknown(acceptor, pulses)
        case .coinNoise(let acceptor, let width): fields.coinNoise(acceptor, width)
        case .noiseOver(let acceptor, let pulses): fields.noiseOver(acceptor, pulses)
        case .creditUsed(let amount): fields.creditUsed(amount)
        case .creditReturned(let amount): fields.creditReturned(amount)
        case .creditRecovered(let amount): fields.creditRecovered(amount)
        case .creditForfeited(let amount): fields.creditForfeited(amount)
        case .creditExpired(let amount): fields.creditExpired(amount)
        case .released(let way, let by): fields.released(way, by)
        case .stored(let way): fields.stored(way)
        case .storedDropped(let count, let number): fields.storedDropped(count, number)
        case .authorisationDropped(let way, let number): fields.authorisationDropped(way, number)
        case .passageStarted(let way): fields.passageStarted(way)
        case .rotorNoise: fields.rotorNoise()
        case .passageCompleted(let way, let kind): fields.passageCompleted(way, kind)
        case .passageBackedOut(let way): fields.passageBackedOut(way)
        case .waitTimedOut(let way): fields.waitTimedOut(way)
        case .passageLost(let way, let kind): fields.passageLost(way, kind)
        case .passageRecovered(let way, let kind): fields.passageRecovered(way, kind)
        case .passageInDoubt(let way, let kind, let assumption):
            fields.passageInDoubt(way, kind, assumption)
        case .refused(let kind, let who, let refusal): fields.refused(kind, who, refusal)
        case .deferred(let kind, let who): fields.deferred(kind, who)
        case .done(let kind, let who): fields.done(kind, who)
        case .alarmRaised(let alarm): fields.alarmRaised(alarm)
        case .alarmCleared(let alarm): fields.alarmCleared(alarm)
        case .alarmRecovered(let alarm): fields.alarmRecovered(alarm)
        case .faultRaised(let fault): fields.faultRaised(fault)
        case .faultCleared(let fault): fields.faultCleared(fault)
        case .faultRecovered(let fault): fields.faultRecovered(fault)
        case .onTimeWarning(let output): fields.onTimeWarning(output)
        case .outOfService(let fault): fields.outOfService(fault)
        case .inService: fields.inService()
        case .stopBegan: fields.stopBegan()
        case .stopEnded: fields.stopEnded()
        case .emergencyStarted: fields.emergencyStarted()
        case .emergencyLoopClosed: fields.emergencyLoopClosed()
        case .emergencyReset: fields.emergencyReset()
        case .emergencyRecovered: fields.emergencyRecovered()
        case .stateUnknown: fields.stateUnknown()
        case .serviceStarted(let who): fields.serviceStarted(who)
        case .serviceEnded: fields.serviceEnded()
        case .selfTestFailed(let output): fields.selfTestFailed(output)
        case .selfTestFinished: fields.selfTestFinished()
        case .selfTestAborted: fields.selfTestAborted()
        case .vaultOpened: fields.vaultOpened()
        case .vaultClosed: fields.vaultClosed()
        case .vaultRemoved: fields.vaultRemoved()
        case .vaultReplaced: fields.vaultReplaced()
        case .coinsCollected: fields.coinsCollected()
        case .collectionCounted(let amount): fields.collectionCounted(amount)
        }
    }

    /// A record of every name, which reading begins with.
    public static let forms: [Record] =
        service + money + passages + requests + alarms + faults + emergency + mechanic + vault

    /// The record of this name. A ledger has a hundred thousand of them.
    public static func form(named name: String) -> Record? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: forms.map { ($0.name, $0) })

    /// The kind of the record's entry, and what it says for people.
    public var entry: (kind: EntryKind, sentence: String) {
        var collector = EntryCollector()
        _ = collector.walk(through: self)
        guard let entry = collector.entry else { preconditionFailure("a record that says nothing") }
        return entry
    }
}
