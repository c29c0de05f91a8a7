import Turnstile

/// The amounts in the vault between collections, by the checkpoints of a ledger.
struct VaultReview {
    /// The last collection: its number, and the expected amount.
    private var number: Int64 = 0
    private var expected: Int64 = 0
    /// The registers then; nil while unknown, since earlier counts have no checkpoints, or records
    /// were lost.
    private var beginning: RegisterList?

    mutating func add(_ stored: StoredCheckpoint, isFirst: Bool, _ name: String) throws(Flaw) {
        switch stored.checkpoint.occasion {
        case .begun:
            let isNew = stored.registers.counts.values.allSatisfy { $0 == 0 }
            if isFirst && isNew { beginning = stored.registers }
        case .gap: beginning = nil
        case .collection(let number, let expected):
            guard self.number == 0 || number == self.number + 1 else {
                throw .found("the collection \(self.number + 1) is gone before \(name)")
            }
            if let beginning {
                let value = stored.registers.valueInVault &- beginning.valueInVault
                guard value == expected else {
                    throw .found(
                        "\(name) expects \(expected) in the vault, and its registers come to "
                            + "\(value)")
                }
            }
            (self.number, self.expected, beginning) = (number, expected, stored.registers)
        case .counted(let number, let count):
            guard self.number == 0 || (number, count.expected) == (self.number, expected) else {
                throw .found("\(name) is not about the collection before it")
            }
        case .day, .interval, .stop, .key: break
        }
    }

    func compare(with books: Books) throws(Flaw) {
        guard (books[.collection], books[.expected]) == (number, expected) else {
            throw .money(
                "its books tell of \(books[.collection]) collections with \(books[.expected]) in "
                    + "the last, and its checkpoints of \(number) with \(expected)")
        }
    }

    func compare(with registers: Registers) throws(Flaw) {
        guard let beginning else { return }
        let (all, since) = (registers.sinceInit, registers.sinceCollection)
        for register in all.counted {
            let before = beginning.counts[register] ?? 0
            let value =
                switch register {
                case .creditAtBeginning:
                    (beginning.counts[.creditHeld] ?? 0) &+ (beginning.counts[.fareInUse] ?? 0)
                case .creditHeld, .fareInUse: all[register]
                case .starts, .faresUsed, .expired, .forfeited, .coins, .unknownTrains,
                    .noisePulses, .coinsInDoubt, .passagesInDoubt, .passagesMade, .passages,
                    .releases, .alarms, .faults:
                    all[register] &- before
                }
            guard since[register] == value else {
                throw .money(
                    "the register \(register.name) shows \(since[register]) since the collection, "
                        + "and it was \(value)")
            }
        }
    }
}

extension RegisterList {
    /// The money that fell into the vault since the gate was new.
    fileprivate var valueInVault: Int64 {
        var values = RegisterValues()
        for case (.coins(let fate, let coin), let count) in counts {
            values[.coins(fate, coin)] = count
        }
        return values.valueInVault
    }
}
