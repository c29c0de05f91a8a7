/// Registers that disagree: an error, or a forgery.
public enum Discrepancy: Hashable, Sendable, CustomStringConvertible {
    /// Two sums must be the same, each named and as it was found.
    case unequal(String, Int64, String, Int64)
    /// A number that no gate can reach.
    case impossible(String, Int64)

    /// The mismatch, with both sums.
    public var description: String {
        switch self {
        case .unequal(let one, let first, let other, let second):
            "\(one): \(first), but \(other): \(second)"
        case .impossible(let name, let number): "\(name) cannot be \(number)"
        }
    }
}

extension RegisterValues {
    /// A bound that no gate's counters reach in its lifetime.
    public static let mostCounted: Int64 = 1 << 53
    /// A bound on the money held for people that no gate reaches: some thousand times that of the
    /// most expensive settings.
    public static let mostHeld: Int64 = 1_000_000_000

    /// The mismatches of these registers, which have counted for `period`; empty if all agree.
    fileprivate func check(_ period: String) -> [Discrepancy] {
        var found = counted.flatMap { check($0, period) }
        let valueHeld = creditAtBeginning.plus(valueIn)
        let valueAccounted = [faresUsed, fareInUse, creditHeld, expired, forfeited, refunded]
            .reduce(Int64(0)) { $0.plus($1) }
        if valueHeld != valueAccounted {
            found.append(
                .unequal(
                    "credit at the beginning and value in \(period)", valueHeld,
                    "fares used and in use, credit held, expired, forfeited and refunded",
                    valueAccounted))
        }
        if passagesMade != passages.total {
            found.append(
                .unequal(
                    "passages \(period)", passagesMade, "passages of all kinds", passages.total))
        }
        return found
    }

    private func check(_ register: Register, _ period: String) -> [Discrepancy] {
        let isHeld = [.fareInUse, .creditHeld, .creditAtBeginning].contains(register)
        let most = isHeld ? Self.mostHeld : Self.mostCounted
        var found: [Discrepancy] = []
        if !(0...most).contains(self[register]) {
            found.append(.impossible("\(register.name) \(period)", self[register]))
        }
        if let coin = register.coin { found += coin.check(register.name) }
        return found
    }
}

extension Coin {
    fileprivate func check(_ name: String) -> [Discrepancy] {
        var found: [Discrepancy] = []
        let most = Int(RegisterValues.mostHeld)
        if !(0...most).contains(value) {
            found.append(.impossible("the value of \(name)", Int64(value)))
        }
        if !(1...most).contains(pulses) {
            found.append(.impossible("the pulses of \(name)", Int64(pulses)))
        }
        return found
    }
}

extension Registers {
    /// The mismatches of the registers; empty if all agree.
    public func check() -> [Discrepancy] {
        var found = sinceInit.check("since the gate was new")
        found += sinceCollection.check("since the collection")
        for register in [Register.creditHeld, .fareInUse]
        where sinceInit[register] != sinceCollection[register] {
            found.append(unequal(register))
        }
        if sinceInit.creditAtBeginning != 0 {
            found.append(.impossible("credit before the gate was new", sinceInit.creditAtBeginning))
        }
        for register in sinceCollection.counted
        where register != .creditAtBeginning && sinceCollection[register] > sinceInit[register] {
            found.append(unequal(register))
        }
        return found
    }

    private func unequal(_ register: Register) -> Discrepancy {
        .unequal(
            "\(register.name) since the gate was new", sinceInit[register],
            "since the collection", sinceCollection[register])
    }
}

extension Balances {
    /// The mismatches between the balances and `registers`; empty if they agree.
    public func check(against registers: Registers) -> [Discrepancy] {
        var found: [Discrepancy] = []
        for (name, held, register) in [
            ("credit", credit, Register.creditHeld), ("the fare in use", fareInUse, .fareInUse),
        ] where Int64(held) != registers.sinceInit[register] {
            found.append(
                .unequal(
                    "\(name) held for people", Int64(held), register.name,
                    registers.sinceInit[register]))
        }
        if isFareBegun && fareInUse == 0 { found.append(.impossible("a fare begun", 0)) }
        var sum = Int64(credit).plus(Int64(fareInUse))
        for acceptor in Acceptor.ordered {
            guard let coin = counted[acceptor] else { continue }
            found += coin.check("the coin counted at \(acceptor.line.name)")
            sum = sum.plus(Int64(coin.value))
        }
        if sum > RegisterValues.mostHeld {
            found.append(.impossible("the sum of the money held for people", sum))
        }
        return found
    }
}
