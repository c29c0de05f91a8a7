// The beginning of a turnstile, as fields.

extension Beginning: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "beginning" }
    /// The beginning of a turnstile without lines.
    public static var blank: Beginning { Beginning(policy: .blank, equipment: .blank) }

    /// The parts of a turnstile. Every trace that begins with a start has it, in any version: a
    /// later field gives its meaning `before`.
    public func visit(_ fields: inout some FieldVisitor) -> Beginning {
        var beginning = Beginning(
            policy: fields.terms(policy), equipment: fields.field(.equipment, equipment))
        beginning.debounce = fields.debounced(debounce)
        beginning.bankDebounces =
            fields.optional(.bankDebounces, bankDebounces ? true : nil) ?? false
        (beginning.maximumOnTimes, beginning.emergencyDuties) = fields.onTimes(
            maximumOnTimes, emergencyDuties)
        let past = Gate.Past(
            ledger: fields.inline(Gate.PastLedger(ledger), as: .ledgerConnection),
            recovery: fields.inline(Gate.PastRecovery.from(recovery), as: .recovery))
        guard let ledger = past.connection else {
            fields.reject(.ledgerConnection)
            return beginning
        }
        (beginning.ledger, beginning.recovery) = (ledger, past.recovered)
        return beginning
    }
}

extension Turnstile {
    /// The parts of the turnstile; nil once it has started.
    public var beginning: Beginning? {
        guard !gate.hasStarted, let ledger = gate.past.connection else { return nil }
        return Beginning(
            policy: gate.policy, equipment: gate.equipment, debounce: gate.installation.debounce,
            bankDebounces: bankDebounces,
            maximumOnTimes: gate.installation.maximumOnTimes,
            emergencyDuties: gate.emergencyDuties, ledger: ledger, recovery: gate.past.recovered)
    }
}

extension Gate.Past {
    /// Where the ledger is, as it was said before the start; nil for one that was opened since.
    fileprivate var connection: LedgerConnection? {
        switch ledger {
        case .none: LedgerConnection.none
        case .awaited: .awaited
        case .holds(let balances): .open(balances)
        case .open: nil
        }
    }

    fileprivate var recovered: Recovery {
        switch recovery {
        case .nothing: .known(RetainedState())
        case .unknown: .unknown
        case .state(let state): .known(state)
        }
    }
}

extension FieldVisitor {
    /// How long the levels of inputs must last.
    mutating func debounced(_ times: [Input: Duration]) -> [Input: Duration] {
        let listed = Input.ordered.compactMap { input in
            times[input].map { DebounceTime(input: input, length: $0) }
        }
        return field(.debounced, listed).reduce(into: [:]) { $0[$1.input] = $1.length }
    }
}

/// How long an input's level must last.
struct DebounceTime: Composite {
    var input: Input
    var length: Duration

    static var title: String { "debounce_time" }
    static let blank = DebounceTime(input: .fire, length: .zero)

    func visit(_ fields: inout some FieldVisitor) -> DebounceTime {
        let input = fields.field(.line, input)
        return DebounceTime(input: input, length: fields.duration(.debounce, length))
    }
}
