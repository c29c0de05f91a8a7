import Turnstile

struct KnownCoins: Hashable {
    /// The coins' values, the smallest first.
    let values: [Int64]
    /// The values of one pulse, of acceptors whose pulses add up: every multiple is a coin.
    private let units: [Int64]

    /// Those that have been taken, and those that the policy names; nil where that is not known.
    init(taken: Set<Int64>, _ policy: Policy?, _ equipment: Equipment) {
        var (values, units) = (taken, Set<Int64>())
        for acceptor in Acceptor.allCases where equipment.inputs[acceptor.line] {
            switch policy?.coins[acceptor].values {
            case .proportional(let unit): units.insert(Int64(unit))
            case .exact(let table): values.formUnion(table.values.map { Int64($0) })
            case nil: break
            }
        }
        self.values = values.union(units).sorted()
        self.units = units.sorted()
    }

    /// Why there can be no coin of this value; nil where there can.
    func objection(to value: Int64) -> String? {
        if values.contains(value) || units.contains(where: { value.isMultiple(of: $0) }) {
            return nil
        }
        guard let nearest = values.min(by: { abs($0 - value) < abs($1 - value) }) else {
            return "no coin of \(value) can be here: none is known to be taken"
        }
        let allowed =
            values.map { "\($0)" } + units.map { "multiples of \($0)" }
        return "no coin of \(value) can be here: allowed are \(allowed.joined(separator: ", ")); "
            + "nearest is \(nearest)"
    }
}
