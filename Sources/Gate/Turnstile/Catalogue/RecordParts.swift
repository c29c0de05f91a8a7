// The parts of records: coins, passages, requests, reasons.

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

extension Coin: Composite {
    /// `coin of 100 (2 pulses on coin_pulse)`.
    var text: String {
        "coin of \(value) (\(counted(pulses, "pulse")) on \(acceptor.line.name))"
    }

    /// The name of the type in the vocabulary.
    public static var title: String { "coin" }
    /// A coin of nothing.
    public static let blank = Coin(.first, pulses: 0, value: 0)

    /// The coin's fields.
    public func visit(_ fields: inout some FieldVisitor) -> Coin {
        let value = fields.amount(.value, value)
        let pulses = fields.count(.pulses, pulses)
        return Coin(fields.acceptor(acceptor), pulses: pulses, value: value)
    }
}

/// The source of a passage's authorisation.
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
    /// The kind of a passage with this authorisation.
    public var kind: PassageKind {
        switch self {
        case .credit: .paid
        case .contact, .person, .free: .free
        }
    }

    /// The number of the operator who gave it, if one did.
    var operatorNumber: UInt32? {
        if case .person(let number) = self { number } else { nil }
    }

    /// Whether it was granted without payment.
    var isGranted: Bool {
        switch self {
        case .contact, .person: true
        case .credit, .free: false
        }
    }

    /// An authorisation by this operator; by a contact for nil.
    init(_ operatorNumber: UInt32?) {
        self = operatorNumber.map { .person($0) } ?? .contact
    }

    var sentence: String {
        switch self {
        case .credit(let fare): "who paid \(fare)"
        case .contact: "by contact"
        case .person(let number): "by the operator \(number)"
        case .free: "as the direction is free"
        }
    }
}

extension Authorisation: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "authorisation" }
    /// One of each name.
    public static let forms: [Authorisation] = [.credit(fare: 0), .contact, .person(0), .free]

    /// The authorisation's fields.
    public func visit(_ fields: inout some FieldVisitor) -> Authorisation {
        switch self {
        case .credit(let fare): fields.named("credit", .credit(fare: fields.amount(.value, fare)))
        case .contact: fields.named("contact", self)
        case .person(let number): fields.named("person", .person(fields.operatorNumber(number)))
        case .free: fields.named("free", self)
        }
    }
}

/// What is assumed of a passage that was interrupted when the service stopped.
public enum Assumption: String, CaseIterable, Hashable, Sendable {
    /// It was made, and counts.
    case made
    /// It was not made, and does not count.
    case notMade = "not_made"
    /// A passenger is in the rotor: it counts when they have left it.
    case underWay = "under_way"
}

extension Assumption: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "assumption" }

    var sentence: String {
        switch self {
        case .made: "it counts as made"
        case .notMade: "it counts as not made"
        case .underWay: "it is still under way"
        }
    }
}

/// The kind of a passage, for the books.
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

extension PassageKind: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "passage_kind" }

    var sentence: String {
        switch self {
        case .paid: "paid"
        case .free: "free"
        case .service: "in service mode"
        case .emergency: "during the emergency"
        case .unauthorised: "without an authorisation"
        }
    }
}

/// Why a request was refused.
public enum Refusal: String, CaseIterable, Hashable, Sendable {
    case storeFull = "store_full"
    case modeLocked = "mode_locked"
    case modeFree = "mode_free"
    case stopped
    case service
    case outOfService = "out_of_service"
    case emergency
    case loopOpen = "loop_open"
    case causePresent = "cause_present"
    case noEmergency = "no_emergency"
    /// The emergency is due to an unreadable loop, or the output was cut: the repair comes first.
    case repairFirst = "repair_first"
    case starting
    /// The policy does not permit it remotely.
    case notFromAfar = "not_from_afar"
    case occupied
    case nothingToWithdraw = "nothing_to_withdraw"
    /// The vault's switch has reported no collection since the last count.
    case nothingToCount = "nothing_to_count"
    case noService = "no_service"
    case notWired = "not_wired"
    case timeOver = "time_over"
    case outOfRange = "out_of_range"
    case cancelled
    case cannotHoldOpen = "cannot_hold_open"
    case contradiction
    case superseded
    case restarted
}

extension Refusal: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "refusal" }

    /// The refusal in a few words.
    public var sentence: String {
        switch self {
        case .storeFull: "the queue of authorisations is full"
        case .modeLocked: "nobody may pass this way"
        case .modeFree: "everybody may pass this way"
        case .stopped: "the stop contact blocks the gate"
        case .service: "the mechanic has the gate"
        case .outOfService: "the gate is out of service"
        case .emergency: "the gate stands open in an emergency"
        case .loopOpen: "the emergency loop is still open"
        case .causePresent: "the cause of the fault is still there"
        case .noEmergency: "there is no emergency"
        case .repairFirst: "a repair comes first: confirm it with the mechanic's key"
        case .starting: "the gate has not started yet"
        case .notFromAfar: "only allowed at the gate itself"
        case .occupied: "the gate is occupied, or being entered"
        case .nothingToWithdraw: "there is no unpaid authorisation"
        case .nothingToCount: "no collection waits to be counted"
        case .noService: "the gate is not in service mode"
        case .notWired: "there is no such output"
        case .timeOver: "the requested time is over"
        case .outOfRange: "value out of range"
        case .cancelled: "cancelled at the gate"
        case .cannotHoldOpen: "its lock cannot be held open"
        case .contradiction: "it contradicts the wiring, or another key of the policy"
        case .superseded: "superseded by a later request"
        case .restarted: "the service ended before it could be done"
        }
    }
}

/// Why a gate in service refuses coins.
public enum CoinRefusal: Hashable, Sendable {
    /// This fault.
    case fault(Fault)
    /// The ledger is not open yet.
    case ledgerAwaited
    /// The entry is locked.
    case entryLocked
    /// The queue of authorisations is full.
    case storeFull
    /// The gate is released for the way in, and the policy rejects coins meanwhile.
    case released
    /// The mechanic waits for the gate.
    case serviceAwaited
}

extension CoinRefusal {
    var sentence: String {
        switch self {
        case .fault(let fault): fault.sentence
        case .ledgerAwaited: "the ledger is not open yet"
        case .entryLocked: "nobody may come in"
        case .storeFull: "the queue of fares is full, until a passenger pushes"
        case .released: "the gate is already released"
        case .serviceAwaited: "the mechanic waits for the gate"
        }
    }
}

extension CoinRefusal: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "coin_refusal" }
    /// One of each name; a fault has its own.
    public static let forms: [CoinRefusal] =
        [.ledgerAwaited, .entryLocked, .storeFull, .released, .serviceAwaited]
        + Fault.forms.map { .fault($0) }

    /// The reason's fields.
    public func visit(_ fields: inout some FieldVisitor) -> CoinRefusal {
        switch self {
        case .fault(let fault): fields.named(fault.name, .fault(fields.inline(fault)))
        case .ledgerAwaited: fields.named("ledger_awaited", self)
        case .entryLocked: fields.named("entry_locked", self)
        case .storeFull: fields.named("store_full", self)
        case .released: fields.named("released", self)
        case .serviceAwaited: fields.named("service_awaited", self)
        }
    }
}

extension Fault: Listed {
    /// The name of the type in the vocabulary.
    public static var title: String { "fault" }
    /// Some fault.
    public static var blank: Fault { .external }

    /// The fault's fields: its name, which several lines may share, and its line.
    public func visit(_ fields: inout some FieldVisitor) -> Fault {
        let kind = fields.field(.fault, kind)
        fields.derived(.code, kind.code)
        let line = fields.optional(.line, line)
        if let fault = kind.faults.first(where: { $0.line == line }) { return fault }
        fields.reject(.line)
        return self
    }
}

extension FieldVisitor {
    /// Which way.
    public mutating func direction(_ direction: Direction) -> Direction {
        field(.direction, direction)
    }

    /// The coin acceptor, and with it its line.
    mutating func acceptor(_ acceptor: Acceptor) -> Acceptor {
        let range = Int64(1)...Int64(Acceptor.ordered.count)
        let number = number(.acceptor, Int64(acceptor.rawValue), .integer(range), before: nil)
        let acceptor = Acceptor(rawValue: UInt8(clamping: number)) ?? acceptor
        derived(.line, acceptor.line.name)
        return acceptor
    }

    /// An amount that the record is about.
    mutating func value(_ value: Int) -> Int { amount(.value, value) }

    mutating func request(_ kind: Request.Kind) -> Request.Kind { field(.request, kind) }

    mutating func requester(_ requester: Requester) -> Requester {
        inline(requester, as: .requester)
    }

    mutating func operatorNumber(_ number: UInt32) -> UInt32 {
        field(.operatorNumber, number)
    }

    /// The alarm, and with it its code.
    mutating func alarm(_ alarm: Alarm) -> Alarm {
        let alarm = field(.alarm, alarm)
        derived(.code, alarm.code)
        return alarm
    }
}
