/// The counters of a ledger, kept with its money.
struct Books: Hashable, Sendable {
    /// The raw values never change.
    enum Name: String, CaseIterable {
        /// The last record.
        case sequence
        /// The chain of hashes begins after this record.
        case base
        /// The records up to this one are pruned.
        case pruned
        /// The last checkpoint.
        case checkpoint
        /// How many of the checkpoints so far are kept for good.
        case keptCheckpoints = "page"
        /// The present day, by the gate's wall clock: `20261122`; 0 for none.
        case day
        /// The number of the last collection; 0 before the first.
        case collection
        /// The expected amount in the vault at the last collection, in minor units.
        case expected
    }

    var isPossible: Bool {
        self[.pruned] <= self[.base] && self[.base] <= sequence
            && self[.keptCheckpoints] <= self[.checkpoint]
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
        if occasion.isKept { self[.keptCheckpoints] += 1 }
        if case .collection(_, let expected) = occasion {
            self[.collection] += 1
            self[.expected] = expected
        }
    }
}

extension Checkpoint.Occasion {
    /// The occasion with the number and the expected amount of its collection, from `books`.
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
