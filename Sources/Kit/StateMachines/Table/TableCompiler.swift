/// Judges a table as a whole and lays it out, ready to be dispatched by.
struct TableCompiler<Syntax: TableSyntax> {
    private(set) var defines: [Define<Syntax>]
    let initial: Syntax.State
    let location: SourceLocation
    let dimensions: [PredicateDimension]
    var problems: [TableProblem] = []
    /// The plain rows.
    private(set) var rows: [PlainRow] = []
    /// The rows as they were written.
    private(set) var nodes: [RowNode<Syntax>] = []
    /// What was decided, by state and event; nil where there are no rows.
    private(set) var decisions: [TableJudge.Decision?] = []
    /// For each plain row whether it is taken, for some combination at least.
    private(set) var taken: [Bool] = []
    private(set) var names: PredicateNames
    /// For each state the statements about it, by their places: those about the kind of a value,
    /// then those about the value.
    private(set) var statements: [[[Int]]] = []
    private(set) var states = Places<Syntax.State>([])
    private(set) var events = Places<Syntax.Event>([])
    /// How many combinations of predicates there are cells for, lazy ones left out.
    let combinationCount: Int
    /// The most cells that a table may have: a few hundred megabytes' worth.
    private static var cellLimit: Int { 1 << 24 }

    init(
        _ defines: [Define<Syntax>], initial: Syntax.State, tolerating tolerance: TableTolerance,
        at location: SourceLocation
    ) throws(TableError) {
        self.defines = defines
        self.initial = initial
        self.location = location
        dimensions = Syntax.Predicates.dimensions(in: Syntax.Predicates.self)
        names = PredicateNames(dimensions.map { $0.type })
        // Kept within bounds here, since a table that exceeds them is refused below.
        combinationCount = dimensions.reduce(1) {
            $1.isLazy ? $0 : min($0 * $1.count, Self.cellLimit + 1)
        }
        checkTypes()
        guard problems.isEmpty else { throw TableError(problems) }
        if defines.isEmpty { problems.append(.init(.emptyTable, "an empty table", at: [location])) }

        let resolution = TableResolution(defines, dimensions: dimensions)
        self.defines = resolution.defines
        names = resolution.names
        rows = resolution.rows
        nodes = resolution.nodes
        statements = resolution.statements
        states = resolution.states
        events = resolution.events
        problems += resolution.problems
        if rows.count > 30_000 {
            refuse("a table has at most 30000 rows")
            throw TableError(problems)
        }
        if states.count * events.count > Self.cellLimit {
            refuse("states and events make more than \(Self.cellLimit) combinations")
            throw TableError(problems)
        }
        checkUse(of: resolution.usedPredicates)
        guard judge() else { throw TableError(problems) }
        if !self.defines.isEmpty { checkCompleteness(tolerance) }
        guard problems.isEmpty else { throw TableError(problems) }
    }

    private mutating func checkTypes() {
        for (type, isCounted, count) in [
            ("state", countsFromZero(Syntax.State.Kind.self), states.count),
            ("event", countsFromZero(Syntax.Event.Kind.self), events.count),
        ] {
            if !isCounted { refuse("the \(type)s' raw values do not count from 0") }
            if count > 10_000 { refuse("a table has at most 10000 \(type)s") }
        }
        if problems.isEmpty, states.count * events.count * combinationCount > Self.cellLimit {
            refuse("states, events and predicates make more than \(Self.cellLimit) combinations")
        }
        if !Syntax.State.Kind.allCases.contains(initial.kind) {
            refuse("the state \(name(of: initial.kind)) is missing from allCases")
        }
        if dimensions.count > 64 { refuse("a table has at most 64 predicates") }
        checkPredicates()
    }

    mutating func refuse(_ message: String) {
        problems.append(.init(.unsuitableType, message, at: [location]))
    }

    private mutating func checkPredicates() {
        for (place, dimension) in dimensions.enumerated() {
            let name = names.name(of: dimension.type)
            if !dimension.isCounted {
                refuse("the raw values of the predicate \(name) do not count from 0")
            }
            if dimension.count > 64 { refuse("the predicate \(name) has more than 64 values") }
            if dimension.count == 0 { refuse("the predicate \(name) has no values") }
            if dimensions[..<place].contains(where: { $0.type == dimension.type }) {
                problems.append(
                    .init(
                        .repeatedPredicate, "the predicate \(name) is declared twice",
                        at: [location]))
            }
        }
    }

    private mutating func checkUse(of used: UInt64) {
        for (place, dimension) in dimensions.enumerated() where used & 1 &<< UInt64(place) == 0 {
            let name = names.name(of: dimension.type)
            problems.append(
                .init(
                    .unusedPredicate, "no row asks for the predicate \(name)", at: [location]))
        }
    }

    // MARK: - Rows against each other

    /// The place of a pair of state and event among the decisions.
    func pair(_ state: Int, _ event: Int) -> Int { state * events.count + event }

    /// Whether the cells by kind, for a pair of kinds, cannot say what is meant: values of them are
    /// named, or lazy predicates asked for.
    func isLookedUp(_ state: Int, _ event: Int) -> Bool {
        let axes = decisions[pair(state, event)]?.combinations.axes ?? []
        return states.hasValues(state) || events.hasValues(event)
            || axes.contains { dimensions[$0.predicate].isLazy }
    }

    /// For each predicate how far apart its values lie among the combinations that there are cells
    /// for, and how many there are.
    var placesOfPredicates: [(stride: Int, count: Int)] {
        var stride = combinationCount
        return dimensions.map { dimension in
            if !dimension.isLazy { stride /= dimension.count }
            return (stride, dimension.count)
        }
    }

    /// - Returns: whether all rows could be judged.
    private mutating func judge() -> Bool {
        var byPair = Array(repeating: [Int](), count: states.count * events.count)
        for (place, row) in rows.enumerated() { byPair[pair(row.state, row.event)].append(place) }
        var judge = TableJudge(rows: rows, sizes: dimensions.map { $0.count })
        var misplaced: Set<Int> = []
        decisions = Array(repeating: nil, count: byPair.count)
        for (place, candidates) in byPair.enumerated() where !candidates.isEmpty {
            decisions[place] = judge.decision(among: candidates)
            if decisions[place] == nil {
                reportTooMany(candidates)
                return false
            }
            for row in candidates where rows[row].isOverride {
                if let kind = judge.problem(about: row, among: candidates) {
                    report(kind, about: rows[row])
                    if kind == .overrideOutOfOrder { misplaced.insert(row) }
                }
            }
        }
        taken = judge.taken
        // An override before its time has been reported; that it clashes as well says no more.
        for conflict in judge.conflicts
        where !misplaced.contains(conflict.one) && !misplaced.contains(conflict.other) {
            report(rows[conflict.one], rows[conflict.other])
        }
        reportUntaken(judge)
        return true
    }

    private mutating func reportTooMany(_ candidates: [Int]) {
        problems.append(
            .init(
                .unsuitableType,
                "\(pair(rows[candidates[0]])): the rows tell more than "
                    + "\(TableJudge.Combinations.limit) combinations of predicates apart",
                at: Array(Set(candidates.map { rows[$0].location }))))
    }

    private mutating func reportUntaken(_ judge: TableJudge) {
        for place in judge.untaken {
            let coverers = judge.coverers(of: place).map { rows[$0].location }
            problems.append(
                .init(
                    .rowNeverTaken,
                    "\(pair(rows[place])): never taken, since more specific rows leave nothing to "
                        + "it",
                    at: Array(Set(coverers).union([rows[place].location]))))
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

    func pair(_ row: PlainRow) -> String {
        "\(states.name(of: row.written.state)), \(events.name(of: row.written.event))"
    }

    private func describe(_ lead: PlainRow.Lead) -> String {
        switch lead {
        case .nowhere: "ignores the event"
        case .states(let targets): "leads to \(targets.map(states.name).joined(separator: " or "))"
        }
    }
}
