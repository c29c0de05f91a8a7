/// Judges a table as a whole and lays it out, ready to be dispatched by.
struct TableCompiler<Syntax: TableSyntax> {
    private let defines: [Define<Syntax>]
    private let initial: Syntax.State
    private let location: SourceLocation
    private let dimensions: [PredicateDimension]
    private var problems: [TableProblem] = []
    /// The plain rows.
    private(set) var rows: [PlainRow] = []
    /// The rows as they were written.
    private(set) var nodes: [RowNode<Syntax>] = []
    /// The row taken, by state, event and combination of predicates.
    private(set) var winners: [Int?] = []
    let combinationCount: Int
    /// The most cells that a table may have: a few hundred megabytes' worth.
    private static var cellLimit: Int { 1 << 24 }

    private var stateCount: Int { Syntax.State.Kind.count }
    private var eventCount: Int { Syntax.Event.Kind.count }

    init(
        _ defines: [Define<Syntax>], initial: Syntax.State, tolerating tolerance: TableTolerance,
        at location: SourceLocation
    ) throws(TableError) {
        self.defines = defines
        self.initial = initial
        self.location = location
        #if hasFeature(Embedded)
            dimensions = []
        #else
            dimensions = Syntax.Predicates.dimensions
        #endif
        // Kept within bounds here, since a table that exceeds them is refused below.
        combinationCount = dimensions.reduce(1) { min($0 * $1.values.count, Self.cellLimit + 1) }
        checkTypes()
        guard problems.isEmpty else { throw TableError(problems) }
        if defines.isEmpty { problems.append(.init(.emptyTable, "an empty table", at: [location])) }

        let resolution = TableResolution(defines, dimensions: dimensions)
        rows = resolution.rows
        nodes = resolution.nodes
        problems += resolution.problems
        if rows.count > 30_000 {
            problems.append(
                .init(.unsuitableType, "a table has at most 30000 rows", at: [location]))
        }
        checkUse(of: resolution.usedPredicates)
        judge(TableJudge.Combinations(sizes: dimensions.map { $0.values.count }))
        if !defines.isEmpty { checkCompleteness(tolerance) }
        guard problems.isEmpty else { throw TableError(problems) }
    }

    private mutating func checkTypes() {
        for (type, isCounted, count) in [
            ("state", counts(Syntax.State.Kind.self), stateCount),
            ("event", counts(Syntax.Event.Kind.self), eventCount),
        ] {
            if !isCounted {
                problems.append(
                    .init(
                        .unsuitableType, "the \(type)s' raw values do not count from 0",
                        at: [location]))
            }
            if count > 10_000 {
                problems.append(
                    .init(.unsuitableType, "a table has at most 10000 \(type)s", at: [location]))
            }
        }
        if problems.isEmpty, stateCount * eventCount * combinationCount > Self.cellLimit {
            problems.append(
                .init(
                    .unsuitableType,
                    "states, events and predicates make more than \(Self.cellLimit) combinations",
                    at: [location]))
        }
        for dimension in dimensions where dimension.values.count > 64 {
            problems.append(
                .init(
                    .unsuitableType, "the predicate \(dimension.name) has more than 64 values",
                    at: [location]))
        }
    }

    private func counts<Kind: Enumerated>(_ kind: Kind.Type) -> Bool {
        var place = 0
        for value in Kind.allCases {
            if value.ordinal != place { return false }
            place += 1
        }
        return true
    }

    private mutating func checkUse(of used: UInt64) {
        for (place, dimension) in dimensions.enumerated() where used & 1 &<< UInt64(place) == 0 {
            problems.append(
                .init(
                    .unusedPredicate, "no row asks for the predicate \(dimension.name)",
                    at: [location]))
        }
    }

    // MARK: - Rows against each other

    private mutating func judge(_ combinations: TableJudge.Combinations) {
        var byPair = Array(repeating: [Int](), count: stateCount * eventCount)
        for (place, row) in rows.enumerated() {
            byPair[row.state * eventCount + row.event].append(place)
        }
        var judge = TableJudge(rows: rows, combinations: combinations)
        var misplaced: Set<Int> = []
        winners.reserveCapacity(byPair.count * combinations.count)
        for candidates in byPair {
            winners.append(contentsOf: judge.winners(among: candidates))
            for row in candidates where rows[row].isOverride {
                if let kind = judge.problem(about: row, among: candidates) {
                    report(kind, about: rows[row])
                    if kind == .overrideOutOfOrder { misplaced.insert(row) }
                }
            }
        }
        // An override before its time has been reported; that it clashes as well says no more.
        for conflict in judge.conflicts
        where !misplaced.contains(conflict.one) && !misplaced.contains(conflict.other) {
            report(rows[conflict.one], rows[conflict.other])
        }
    }

    private mutating func report(_ kind: TableProblem.Kind, about row: PlainRow) {
        let what =
            kind == .overrideOutOfOrder
            ? "the override comes before what it could override" : "there is nothing to override"
        problems.append(.init(kind, "\(pair(row)): \(what)", at: [row.location]))
    }

    private mutating func report(_ one: PlainRow, _ other: PlainRow) {
        let places = Array(Set([one.location, other.location]))
        let (first, second) = one.location < other.location ? (one, other) : (other, one)
        if first.constrained != second.constrained {
            problems.append(
                .init(
                    .implicitClash,
                    "\(pair(first)): neither row is the more specific, and both can hold",
                    at: places))
        } else if first.lead == second.lead {
            problems.append(
                .init(
                    .duplicateRows, "\(pair(first)): a second row \(describe(first.lead))",
                    at: places))
        } else {
            problems.append(
                .init(
                    .clash,
                    "\(pair(first)): one row \(describe(first.lead)), "
                        + "another \(describe(second.lead))",
                    at: places))
        }
    }

    private func pair(_ row: PlainRow) -> String { "\(state(row.state)), \(event(row.event))" }
    private func state(_ ordinal: Int) -> String { name(of: Syntax.State.Kind(ordinal: ordinal)) }
    private func event(_ ordinal: Int) -> String { name(of: Syntax.Event.Kind(ordinal: ordinal)) }

    private func describe(_ lead: PlainRow.Lead) -> String {
        switch lead {
        case .nowhere: "ignores the event"
        case .states(let states): "leads to \(states.map(state).joined(separator: " or "))"
        }
    }

    // MARK: - What was left open

    private mutating func checkCompleteness(_ tolerance: TableTolerance) {
        var places: [Int: SourceLocation] = [:]
        for define in defines.reversed() { places[define.state.ordinal] = define.location }
        let ends = Set(defines.filter { $0.isFinal }.map { $0.state.ordinal })
        let used = Set(winners.compactMap { $0 })
        var leads: [Int: Set<Int>] = [:]
        for row in used {
            if case .states(let targets) = rows[row].lead {
                leads[rows[row].state, default: []].formUnion(targets)
            }
        }
        if !tolerance.contains(.undefinedTargets) {
            checkTargets(used, defined: Set(places.keys))
            if places[initial.kind.ordinal] == nil {
                problems.append(
                    .init(
                        .undefinedTarget,
                        "the initial state \(state(initial.kind.ordinal)) is not defined",
                        at: [location]))
            }
        }
        if !tolerance.contains(.unreachableStates) { checkReachability(leads, places) }
        if !tolerance.contains(.statesWithoutExit) {
            for (ordinal, place) in places
            where !ends.contains(ordinal) && (leads[ordinal] ?? []).subtracting([ordinal]).isEmpty {
                problems.append(
                    .init(
                        .stateWithoutExit,
                        "nothing leads out of \(state(ordinal)), which is not declared final",
                        at: [place]))
            }
        }
        if !tolerance.contains(.undecidedPairs) {
            for (ordinal, place) in places where !ends.contains(ordinal) {
                checkDecisions(in: ordinal, at: place)
            }
        }
    }

    private mutating func checkTargets(_ used: Set<Int>, defined: Set<Int>) {
        for row in used {
            guard case .states(let targets) = rows[row].lead else { continue }
            for target in targets where !defined.contains(target) {
                problems.append(
                    .init(
                        .undefinedTarget,
                        "\(pair(rows[row])): leads to \(state(target)), which is not defined",
                        at: [rows[row].location]))
            }
        }
    }

    private mutating func checkReachability(
        _ leads: [Int: Set<Int>], _ places: [Int: SourceLocation]
    ) {
        var reached: Set<Int> = [initial.kind.ordinal]
        var waiting = Array(reached)
        while let next = waiting.popLast() {
            for target in leads[next] ?? [] where reached.insert(target).inserted {
                waiting.append(target)
            }
        }
        for (ordinal, place) in places where !reached.contains(ordinal) {
            problems.append(
                .init(.unreachableState, "nothing leads to \(state(ordinal))", at: [place]))
        }
    }

    private mutating func checkDecisions(in ordinal: Int, at place: SourceLocation) {
        for number in 0..<eventCount {
            let start = (ordinal * eventCount + number) * combinationCount
            let open = winners[start..<start + combinationCount].indices.filter {
                winners[$0] == nil
            }
            guard let example = open.first else { continue }
            let condition =
                open.count == combinationCount ? "" : " when \(predicates(of: example - start))"
            problems.append(
                .init(
                    .undecidedPair, "\(state(ordinal)), \(event(number)): not decided\(condition)",
                    at: [place]))
        }
    }

    /// The values of a combination, as in `Enforcement.weak, Reward.negative`.
    private func predicates(of combination: Int) -> String {
        var stride = combinationCount
        return dimensions.map { dimension in
            stride /= dimension.values.count
            let value = dimension.values[combination / stride % dimension.values.count]
            return "\(dimension.name).\(value)"
        }.joined(separator: ", ")
    }
}
