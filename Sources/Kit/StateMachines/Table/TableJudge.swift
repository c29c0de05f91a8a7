/// A row for one state and one event, with names and closures left out: what is needed to judge it.
struct PlainRow {
    /// Where a row leads, as far as two rows can be compared.
    enum Lead: Hashable {
        case states([Int])
        case nowhere
    }

    /// Which row it is of those written: adopted by two states, it is the same one.
    let number: Int
    let state: Int
    let event: Int
    /// For each predicate the values that will do, as bits.
    let masks: [UInt64]
    /// The predicates that the row asks for, as bits.
    let constrained: UInt64
    let lead: Lead
    let isOverride: Bool
    let location: SourceLocation
    /// The super state that it was written in, or nil when it is the state's own.
    let owner: ObjectIdentifier?
    /// The super states whose rows it could override.
    let inherits: Set<ObjectIdentifier>

    /// How specific the row is: how many predicates it asks for.
    var rank: Int { constrained.nonzeroBitCount }

    /// Whether some value of each predicate will do: no row that contradicts itself ever holds.
    var isSatisfiable: Bool { !masks.contains(0) }

    /// Whether this row was written below `other`: by a state or super state that adopts it.
    func descends(from other: PlainRow) -> Bool { other.owner.map(inherits.contains) ?? false }

    /// Whether both ask for the same predicates and some combination of values suits both.
    func overlapsAlike(_ other: PlainRow) -> Bool {
        constrained == other.constrained && overlaps(other)
    }

    /// Whether some combination of values suits both.
    func overlaps(_ other: PlainRow) -> Bool {
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
    /// Whether some combination leads to the row, or to a conflict that it has a part in.
    private(set) var taken: [Bool]
    /// Whether another row overrides the row, for some combination at least.
    private(set) var overridden: [Bool]

    init(rows: [PlainRow], combinations: Combinations) {
        self.rows = rows
        self.combinations = combinations
        taken = Array(repeating: false, count: rows.count)
        overridden = Array(repeating: false, count: rows.count)
    }

    /// The row taken for each combination, by its place in `rows`, or nil where none is.
    ///
    /// - Parameter candidates: the places of the rows for one pair of state and event.
    mutating func winners(among candidates: [Int]) -> [Int?] {
        if candidates.isEmpty { return Array(repeating: nil, count: combinations.count) }
        let replacements = overriding(among: candidates)
        for row in replacements.keys { overridden[row] = true }
        let ranked = candidates.map { (row: $0, rank: rows[$0].rank) }
        return (0..<combinations.count).map { combination in
            winner(of: combination, among: ranked, replacements)
        }
    }

    /// The most specific of the rows that suit the combination and are not overridden there.
    private mutating func winner(
        of combination: Int, among candidates: [(row: Int, rank: Int)],
        _ replacements: [Int: [Int]]
    ) -> Int? {
        var best: [Int] = []
        var bestRank = -1
        for (row, rank) in candidates
        where rank >= bestRank && combinations.suits(rows[row], combination) {
            let overriding = replacements[row] ?? []
            if overriding.contains(where: { combinations.suits(rows[$0], combination) }) {
                continue
            }
            if rank > bestRank { best.removeAll(keepingCapacity: true) }
            bestRank = rank
            best.append(row)
        }
        for row in best { taken[row] = true }
        if best.count > 1 {
            // More than these say no more, and might be too many to count in pairs.
            let clashing = best.prefix(100)
            for (place, one) in clashing.enumerated() {
                for other in clashing[(place + 1)...] {
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
    ///
    /// The winners among the candidates have to be known.
    func problem(about override: Int, among candidates: [Int]) -> TableProblem.Kind? {
        let row = rows[override]
        guard row.isSatisfiable else { return nil }
        let alike = candidates.filter { $0 != override && row.overlapsAlike(rows[$0]) }
        if alike.contains(where: { row.descends(from: rows[$0]) }) { return nil }
        if alike.contains(where: { rows[$0].descends(from: row) }) { return .overrideOutOfOrder }
        // Beside a row of the same block the word has no meaning: they are duplicates.
        let clashes = alike.contains {
            rows[$0].owner == row.owner
                && conflicts.contains(Conflict(one: min($0, override), other: max($0, override)))
        }
        return clashes ? nil : .nothingToOverride
    }

    /// A row as it was written, for one of its events.
    private struct Written: Hashable {
        let number: Int
        let event: Int

        init(_ row: PlainRow) {
            number = row.number
            event = row.event
        }
    }

    /// The rows, own or adopted, that are taken in none of the states that have them, though
    /// nothing overrides them and they do not contradict themselves; each for one of those states.
    var untaken: [Int] {
        var known: Set<Written> = []
        for (place, row) in rows.enumerated()
        where taken[place] || overridden[place] || !row.isSatisfiable {
            known.insert(Written(row))
        }
        return rows.indices.filter { known.insert(Written(rows[$0])).inserted }
    }

    /// The more specific rows that leave nothing to a row which is never taken.
    func coverers(of row: Int) -> [Int] {
        rows.indices.filter { other in
            let (mine, its) = (rows[row], rows[other])
            return taken[other] && its.rank > mine.rank && its.state == mine.state
                && its.event == mine.event && its.overlaps(mine)
        }
    }
}
