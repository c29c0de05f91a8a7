/// One thing that the log of a turnstile says. Amounts are minor units of the currency.
public enum Record: Hashable, Sendable {
    case started
    case stopped
    case policyChanged(by: Requester)
    case policyDeferred
    case scheduleDeferred
    case modeChanged(Direction, Mode, by: Requester)
    case enforcementChanged(Enforcement, by: Requester)
    case clockAdjusted(by: Duration)

    /// Provisional, before the quiet time that ends a coin: more pulses may follow. If the service
    /// stops in between, the ledger credits this coin.
    case coinCounted(Coin)
    case coinAccepted(Coin)
    case coinLate(Coin)
    /// Coins are refused while the gate is idle. A fault that refuses them has its own record.
    case coinsRefused(CoinRefusal)
    case coinInDoubt(Coin)
    case coinInhibited(Coin)
    case coinEarly(Coin)
    case coinRejected(Coin)
    case coinUnknown(Acceptor, pulses: Int)
    case coinNoise(Acceptor, width: Duration)
    case noiseOver(Acceptor, pulses: Int)
    case creditUsed(value: Int)
    case creditReturned(value: Int)
    case creditRecovered(value: Int)
    case creditForfeited(value: Int)
    case creditExpired(value: Int)

    case released(Direction, by: Authorisation)
    case stored(Direction)
    /// Queued authorisations of this operator were dropped; nil: of a contact.
    case storedDropped(Int, grantedBy: UInt32? = nil)
    /// The unpaid authorisation in use, of this operator, was dropped; nil: of a contact.
    case authorisationDropped(Direction, grantedBy: UInt32? = nil)
    case passageStarted(Direction)
    case rotorNoise
    case passageCompleted(Direction, PassageKind)
    case passageBackedOut(Direction)
    case waitTimedOut(Direction)
    case passageLost(Direction, PassageKind)
    case passageRecovered(Direction, PassageKind)
    case passageInDoubt(Direction, PassageKind, Assumption)

    case refused(Request.Kind, by: Requester, Refusal)
    case deferred(Request.Kind, by: Requester)
    case done(Request.Kind, by: Requester)

    case alarmRaised(Alarm)
    case alarmCleared(Alarm)
    case alarmRecovered(Alarm)
    case faultRaised(Fault)
    case faultCleared(Fault)
    case faultRecovered(Fault)
    case onTimeWarning(Output)
    case outOfService(Fault)
    case inService
    case stopBegan
    case stopEnded
    /// A contact that is active for a moment at a time has been active for too long.
    case contactStuck(Input)
    case contactAtRest(Input)

    case emergencyStarted
    case emergencyLoopClosed
    case emergencyReset
    case emergencyRecovered
    case stateUnknown

    case serviceStarted(by: Requester)
    case serviceEnded
    case selfTestFailed(Output)
    case selfTestFinished
    case selfTestAborted

    case vaultOpened
    case vaultClosed
    case vaultRemoved
    case vaultReplaced
    case coinsCollected
    case collectionCounted(value: Int)
}

extension Record: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "record" }

    /// Hands the visitor the record's texts and fields: each record has a function in the file of
    /// its family. Alarms, faults and unauthorised passages have names of their own.
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
        case .contactStuck(let input): fields.contactStuck(input)
        case .contactAtRest(let input): fields.contactAtRest(input)
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

    /// The kind of the record's entry, and its sentence.
    public var entry: (kind: EntryKind, sentence: String) {
        var collector = EntryCollector()
        _ = collector.walk(through: self)
        guard let entry = collector.entry else { preconditionFailure("a record that says nothing") }
        return entry
    }
}
