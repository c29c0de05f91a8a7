/// Where the books of a ledger stand: numbers that are kept with its money.
struct Books: Hashable, Sendable {
    /// The names of the numbers, which never change.
    enum Name: String, CaseIterable {
        /// The number of the last record.
        case sequence
        /// The records behind this one have hashes, one after the other.
        case base
        /// The records up to this one are kept no longer.
        case pruned
        /// The number of the last checkpoint.
        case checkpoint
        /// How many checkpoints were made that are kept for good.
        case page
        /// The day that it is, by the clock on the wall where the gate is: `20261122`; 0 for none.
        case day
        /// How often the coins were collected.
        case collection
        /// What should have been in the vault when they were, in minor units of the currency.
        case expected
    }

    var isPossible: Bool {
        self[.pruned] <= self[.base] && self[.base] <= sequence
            && self[.page] <= self[.checkpoint]
    }

    private var numbers: [Name: Int64] = [:]

    subscript(name: Name) -> Int64 {
        get { numbers[name] ?? 0 }
        set { numbers[name] = newValue == 0 ? nil : newValue }
    }
}

extension Books {
    var sequence: Int64 {
        get { self[.sequence] }
        set { self[.sequence] = newValue }
    }
}

// Checkpoints.
extension Books {
    mutating func count(_ occasion: Checkpoint.Occasion) {
        self[.checkpoint] += 1
        if occasion.isKept { self[.page] += 1 }
        if case .collection(_, let expected) = occasion {
            self[.collection] += 1
            self[.expected] = expected
        }
    }
}

extension Checkpoint.Occasion {
    /// The same with the number, and what was expected, of the collection that it is about.
    func numbered(_ books: Books) -> Checkpoint.Occasion {
        switch self {
        case .collection(_, let expected):
            .collection(books[.collection], expected: expected)
        case .counted(_, let count):
            .counted(
                books[.collection],
                Checkpoint.Count(expected: books[.expected], counted: count.counted))
        case .begun, .day, .interval, .stop, .gap, .key: self
        }
    }
}
