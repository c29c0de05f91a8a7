// What records tell of: coins, alarms, faults, reasons.

extension FieldVisitor {
    /// Which way.
    public mutating func direction(_ direction: Direction) -> Direction {
        field(.direction, direction)
    }

    /// The coin acceptor, and with it its line.
    mutating func acceptor(_ acceptor: Acceptor) -> Acceptor {
        let range = Int64(1)...Int64(Acceptor.ordered.count)
        let number = number(.acceptor, Int64(acceptor.rawValue), .integer(range))
        let acceptor = Acceptor(rawValue: UInt8(clamping: number)) ?? acceptor
        derived(.line, acceptor.line.name)
        return acceptor
    }

    /// An amount that the record is about.
    mutating func value(_ value: Int) -> Int { amount(.value, value) }

    /// What was asked for.
    mutating func request(_ kind: Request.Kind) -> Request.Kind { field(.request, kind) }

    /// Who asked.
    mutating func requester(_ requester: Requester) -> Requester {
        inline(requester, as: .requester)
    }

    /// The operator's number.
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

extension Coin: Composite {
    /// What coins are called.
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

extension Authorisation: Named {
    /// What authorisations are called.
    public static var title: String { "authorisation" }
    /// One of each name.
    public static let forms: [Authorisation] = [.credit(fare: 0), .contact, .person(0), .free]

    /// The name, which never changes: `credit`.
    public var name: String {
        switch self {
        case .credit: "credit"
        case .contact: "contact"
        case .person: "person"
        case .free: "free"
        }
    }

    /// The authorisation's fields.
    public func visit(_ fields: inout some FieldVisitor) -> Authorisation {
        switch self {
        case .credit(let fare): .credit(fare: fields.amount(.value, fare))
        case .person(let number): .person(fields.operatorNumber(number))
        case .contact, .free: self
        }
    }
}

extension CoinRefusal: Named {
    /// What the reasons are called.
    public static var title: String { "coin_refusal" }
    /// One of each name: that of a fault is the fault's.
    public static let forms: [CoinRefusal] =
        [.ledgerAwaited, .entryLocked, .storeFull, .released, .serviceAwaited]
        + Fault.Kind.allCases.map { .fault($0.faults[0]) }

    /// The reason's fields.
    public func visit(_ fields: inout some FieldVisitor) -> CoinRefusal {
        switch self {
        case .fault(let fault): .fault(fields.inline(fault))
        case .ledgerAwaited, .entryLocked, .storeFull, .released, .serviceAwaited: self
        }
    }
}

extension Fault: Listed {
    /// What faults are called.
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
