/// A row for one state and one event, with names and closures left out: what is needed to judge it.
struct PlainRow {
    /// Where a row leads, as far as two rows can be compared.
    enum Lead: Hashable {
        case states([Int])
        case nowhere
    }

    let state: Int
    let event: Int
    /// For each predicate the values that will do, as bits.
    let masks: [UInt64]
    /// The predicates that the row asks for, as bits.
    let constrained: UInt64
    let lead: Lead
    let isOverride: Bool
    let location: SourceLocation
    /// How the state came by the row: empty when it is its own, else the way from super state to
    /// super state. A row that is adopted by two ways has both.
    var paths: [[Int]]

    /// How specific the row is: how many predicates it asks for.
    var rank: Int { constrained.nonzeroBitCount }

    /// Whether this row was written below `other`: by a state or super state that adopts it.
    func descends(from other: PlainRow) -> Bool {
        paths.contains { mine in
            other.paths.contains { $0.count > mine.count && $0.starts(with: mine) }
        }
    }

    /// Whether both ask for the same predicates and some combination of values suits both.
    func overlapsAlike(_ other: PlainRow) -> Bool {
        constrained == other.constrained && overlaps(other)
    }

    private func overlaps(_ other: PlainRow) -> Bool {
        for (mine, its) in zip(masks, other.masks) where mine & its == 0 { return false }
        return true
    }
}

/// Decides, for each state, event and combination of predicates, which row is taken.
struct TableJudge {
    /// The combinations of predicate values: how many values each predicate has.
    struct Combinations {
        let sizes: [Int]
        let count: Int
        /// For each combination the bit of the value of each predicate.
        let bits: [UInt64]

        init(sizes: [Int]) {
            self.sizes = sizes
            count = sizes.reduce(1, *)
            var bits: [UInt64] = []
            bits.reserveCapacity(count * sizes.count)
            for combination in 0..<count {
                var stride = count
                for size in sizes {
                    stride /= size
                    bits.append(1 &<< UInt64(combination / stride % size))
                }
            }
            self.bits = bits
        }

        /// Whether the row holds for the combination.
        func suits(_ row: PlainRow, _ combination: Int) -> Bool {
            if row.constrained == 0 { return true }
            let start = combination * sizes.count
            for predicate in 0..<sizes.count
            where bits[start + predicate] & row.masks[predicate] == 0 { return false }
            return true
        }
    }

    /// Two rows of the same pair that cannot stand side by side.
    struct Conflict: Hashable {
        let one: Int
        let other: Int
    }

    let rows: [PlainRow]
    let combinations: Combinations
    private(set) var conflicts: Set<Conflict> = []

    init(rows: [PlainRow], combinations: Combinations) {
        self.rows = rows
        self.combinations = combinations
    }

    /// The row taken for each combination, by its place in `rows`, or nil where none is.
    ///
    /// - Parameter candidates: the places of the rows for one pair of state and event.
    mutating func winners(among candidates: [Int]) -> [Int?] {
        if candidates.isEmpty { return Array(repeating: nil, count: combinations.count) }
        let overridden = overriding(among: candidates)
        let ranked = candidates.map { (row: $0, rank: rows[$0].rank) }
        return (0..<combinations.count).map { combination in
            winner(of: combination, among: ranked, overridden: overridden)
        }
    }

    /// The most specific of the rows that suit the combination and are not overridden there.
    private mutating func winner(
        of combination: Int, among candidates: [(row: Int, rank: Int)], overridden: [Int: [Int]]
    ) -> Int? {
        var best: [Int] = []
        var bestRank = -1
        for (row, rank) in candidates
        where rank >= bestRank && combinations.suits(rows[row], combination) {
            let replacements = overridden[row] ?? []
            if replacements.contains(where: { combinations.suits(rows[$0], combination) }) {
                continue
            }
            if rank > bestRank { best.removeAll(keepingCapacity: true) }
            bestRank = rank
            best.append(row)
        }
        if best.count > 1 {
            for (place, one) in best.enumerated() {
                for other in best[(place + 1)...] {
                    conflicts.insert(Conflict(one: min(one, other), other: max(one, other)))
                }
            }
        }
        return best.first
    }

    /// For each overridden row the rows that override it.
    private func overriding(among candidates: [Int]) -> [Int: [Int]] {
        var result: [Int: [Int]] = [:]
        for override in candidates where rows[override].isOverride {
            for row in candidates
            where rows[override].overlapsAlike(rows[row])
                && rows[override].descends(from: rows[row])
            {
                result[row, default: []].append(override)
            }
        }
        return result
    }

    /// What is wrong with an override, or nil when it has something to override.
    func problem(about override: Int, among candidates: [Int]) -> TableProblem.Kind? {
        let alike = candidates.filter { $0 != override && rows[override].overlapsAlike(rows[$0]) }
        if alike.contains(where: { rows[override].descends(from: rows[$0]) }) { return nil }
        if alike.contains(where: { rows[$0].descends(from: rows[override]) }) {
            return .overrideOutOfOrder
        }
        // Beside a row of the same block the word has no meaning: they are duplicates.
        if alike.contains(where: { rows[$0].paths == rows[override].paths }) { return nil }
        return .nothingToOverride
    }
}
