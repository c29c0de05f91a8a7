/// What a row asks for, beyond the kinds of state and event.
struct Constraints: Hashable {
    /// The predicates, as bits.
    let predicates: UInt64
    /// Whether it is about one value of the state, and of the event.
    let state: Bool
    let event: Bool

    var count: Int { predicates.nonzeroBitCount + (state ? 1 : 0) + (event ? 1 : 0) }
}

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
    /// What it was written about: these, or the kinds that cover them.
    let written: (state: Int, event: Int)
    /// For each predicate the values that will do, as bits.
    let masks: [UInt64]
    let constrained: Constraints
    let lead: Lead
    let isOverride: Bool
    let location: SourceLocation
    /// The super state that it was written in, or nil when it is the state's own.
    let owner: ObjectIdentifier?
    /// The super states whose rows it could override.
    let inherits: Set<ObjectIdentifier>

    /// How specific the row is: for how much it asks.
    var rank: Int { constrained.count }

    /// Whether some value of each predicate will do: no row that contradicts itself ever holds.
    var isSatisfiable: Bool { !masks.contains(0) }

    /// Whether this row was written below `other`: by a state or super state that adopts it.
    func descends(from other: PlainRow) -> Bool { other.owner.map(inherits.contains) ?? false }

    /// Whether both ask for the same and some combination of values suits both.
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
    /// The combinations of predicate values, as far as the rows of one pair tell them apart.
    struct Combinations {
        /// A predicate that some row asks for.
        struct Axis {
            let predicate: Int
            /// For each value which class of values it is one of: no row tells those apart.
            let classes: [Int]
            /// For each class its first value.
            let values: [Int]
        }

        let axes: [Axis]
        let count: Int
        /// For each combination the bit of a value of each axis.
        private let bits: [UInt64]

        /// More are not counted out.
        static var limit: Int { 1 << 20 }

        /// Nil when there are more than the limit.
        init?(of rows: [PlainRow], sizes: [Int]) {
            let asked = rows.reduce(0) { $0 | $1.constrained.predicates }
            var axes: [Axis] = []
            var count = 1
            for (predicate, size) in sizes.enumerated() where asked & 1 &<< predicate != 0 {
                let axis = Axis(predicate, size: size, masks: rows.map { $0.masks[predicate] })
                axes.append(axis)
                count *= axis.values.count
                if count > Self.limit { return nil }
            }
            var bits: [UInt64] = []
            bits.reserveCapacity(count * axes.count)
            for combination in 0..<count {
                var stride = count
                for axis in axes {
                    stride /= axis.values.count
                    let value = axis.values[combination / stride % axis.values.count]
                    bits.append(1 &<< UInt64(value))
                }
            }
            self.axes = axes
            self.count = count
            self.bits = bits
        }

        /// Whether the row holds for the combination.
        func suits(_ row: PlainRow, _ combination: Int) -> Bool {
            let start = combination * axes.count
            for (place, axis) in axes.enumerated()
            where bits[start + place] & row.masks[axis.predicate] == 0 { return false }
            return true
        }

        /// A value for each axis that is of the combination.
        func values(of combination: Int) -> [Int] {
            let start = combination * axes.count
            return bits[start..<start + axes.count].map { $0.trailingZeroBitCount }
        }
    }

    /// What was decided about a pair of state and event.
    struct Decision {
        let combinations: Combinations
        /// The row taken for each combination, by its place, or nil where none is.
        let winners: [Int?]
    }

    /// Two rows of the same pair that cannot stand side by side.
    struct Conflict: Hashable {
        let one: Int
        let other: Int
    }

    let rows: [PlainRow]
    /// How many values each predicate has.
    let sizes: [Int]
    private(set) var conflicts: Set<Conflict> = []
    /// Whether some combination leads to the row, or to a conflict that it has a part in.
    private(set) var taken: [Bool]
    /// Whether another row overrides the row, for some combination at least.
    private(set) var overridden: [Bool]

    init(rows: [PlainRow], sizes: [Int]) {
        self.rows = rows
        self.sizes = sizes
        taken = Array(repeating: false, count: rows.count)
        overridden = Array(repeating: false, count: rows.count)
    }

    /// Decides between the rows for one pair of state and event.
    ///
    /// - Returns: nil when they tell too many combinations of predicates apart.
    mutating func decision(among candidates: [Int]) -> Decision? {
        guard let combinations = Combinations(of: candidates.map { rows[$0] }, sizes: sizes)
        else { return nil }
        let replacements = overriding(among: candidates)
        for row in replacements.keys { overridden[row] = true }
        let ranked = candidates.map { (row: $0, rank: rows[$0].rank) }
        let winners = (0..<combinations.count).map { combination in
            winner(of: combination, combinations, among: ranked, replacements)
        }
        return Decision(combinations: combinations, winners: winners)
    }

    /// The most specific of the rows that suit the combination and are not overridden there.
    private mutating func winner(
        of combination: Int, _ combinations: Combinations,
        among candidates: [(row: Int, rank: Int)], _ replacements: [Int: [Int]]
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
            event = row.written.event
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

extension TableJudge.Combinations.Axis {
    /// The values of a predicate, those together that the same masks hold.
    init(_ predicate: Int, size: Int, masks: [UInt64]) {
        self.predicate = predicate
        var values: [Int] = []
        classes = (0..<size).map { value in
            let known = values.firstIndex { first in
                masks.allSatisfy { $0 &>> UInt64(value) & 1 == $0 &>> UInt64(first) & 1 }
            }
            if let known { return known }
            values.append(value)
            return values.count - 1
        }
        self.values = values
    }
}
