import StateMachines

/// A written table, read in the plainest way: what is wrong with it, and what comes of an event.
///
/// It shares nothing with the kit: it asks of every row, state, event and combination of predicates
/// whether the row holds, and compares each row with each other one.
struct PlainReading {
    /// A mistake, without its words.
    struct Mistake: Hashable, CustomStringConvertible {
        let kind: TableProblem.Kind
        let lines: Set<UInt>
        var description: String { "\(kind) \(lines.sorted())" }
    }

    /// A row with all that the blocks round it say.
    struct Line {
        let line: UInt
        /// The super state that it stands in, or nil when it is the state's own.
        let owner: Int?
        var asks: [(ask: WrittenTable.Ask, line: UInt)] = []
        var conditions: [WrittenTable.Condition] = []
        var events: [Happening] = []
        var target: WrittenTable.Aim?
        var commands: [Int] = []
        var worksOutCommands = false
        var reenters = false
        var isOverride = false
        var isEmpty = false
        var saidBy: UInt

        func suits(_ facts: Facts) -> Bool {
            asks.allSatisfy { ask, _ in
                switch ask {
                case .p(let values): values.contains(facts.p)
                case .q(let values): values.contains(facts.q)
                case .foreign: true
                }
            }
        }
        var asksForP: Bool { asks.contains { if case .p = $0.ask { true } else { false } } }
        var asksForQ: Bool { asks.contains { if case .q = $0.ask { true } else { false } } }
        var rank: Int { (asksForP ? 1 : 0) + (asksForQ ? 1 : 0) }
    }

    struct Facts {
        let p: P
        let q: Q
        static let all = P.allCases.flatMap { p in Q.allCases.map { Facts(p: p, q: $0) } }
    }

    /// A row for one event: the same event twice in a row makes two of them.
    struct Candidate {
        let line: Line
        let event: Happening
        let number: Int
    }

    let written: WrittenTable
    private(set) var lines: [Place: [Line]] = [:]
    /// The rows that some facts lead to, by the state that they are taken in.
    private(set) var taken: [(state: Place, row: Candidate)] = []

    init(_ written: WrittenTable) {
        self.written = written
        for state in Place.allCases { lines[state] = read(state) }
        for state in Place.allCases {
            for event in Happening.allCases {
                let rows = candidates(state, event)
                let numbers = Set(Facts.all.flatMap { best(rows, $0).map(\.number) })
                taken += rows.filter { numbers.contains($0.number) }.map { (state, $0) }
            }
        }
    }

    // MARK: - Flattening

    private func read(_ state: Place) -> [Line] {
        let defines = written.defines.filter { $0.state == state }
        var result: [Line] = []
        for place in adopted(by: state) {
            result += read(written.superStates[place], owner: place, isEnough: false)
        }
        for define in defines {
            result += read(define.body, owner: nil, isEnough: define.isFinal)
        }
        return result
    }

    private func read(
        _ statement: WrittenTable.Statement, owner: Int?, isEnough: Bool
    ) -> [Line] {
        let empty = Line(
            line: statement.line, owner: owner, isEmpty: true, saidBy: statement.line)
        guard let items = statement.items else {
            let isSilent =
                statement.adopts.isEmpty && statement.onEntry.isEmpty && statement.onExit.isEmpty
            return isSilent && !isEnough ? [empty] : []
        }
        return items.isEmpty ? [empty] : items.flatMap { read($0, owner) }
    }

    private func read(_ item: WrittenTable.Item, _ owner: Int?) -> [Line] {
        switch item {
        case .row(let row):
            return [
                Line(
                    line: row.line, owner: owner, asks: row.asks.map { ($0, row.line) },
                    conditions: row.condition.map { [$0] } ?? [], events: row.events,
                    target: row.target, commands: row.commands,
                    worksOutCommands: row.worksOutCommands, reenters: row.reenters,
                    saidBy: row.line)
            ]
        case .block(let head, let line, let items):
            if items.isEmpty {
                return [Line(line: line, owner: owner, isEmpty: true, saidBy: line)]
            }
            return items.flatMap { read($0, owner) }.map { inner in
                var row = inner
                switch head {
                case .when(let events): row.events = events
                case .then(let place):
                    row.target = .enter(place)
                    row.saidBy = line
                case .commands(let commands): row.commands = commands + row.commands
                case .matching(let asks): row.asks = asks.map { ($0, line) } + row.asks
                case .condition(let condition): row.conditions.insert(condition, at: 0)
                case .override: row.isOverride = true
                }
                return row
            }
        }
    }

    /// The super states of a state, each once, those that another one adopts before it.
    func adopted(by state: Place) -> [Int] {
        var found: [Int] = []
        func visit(_ place: Int) {
            if found.contains(place) { return }
            written.superStates[place].adopts.forEach(visit)
            found.append(place)
        }
        for define in written.defines where define.state == state {
            define.body.adopts.forEach(visit)
        }
        return found
    }

    /// Whether one super state adopts the other, directly or not.
    private func adopts(_ one: Int, _ other: Int) -> Bool {
        written.superStates[one].adopts.contains { $0 == other || adopts($0, other) }
    }

    // MARK: - Which row is taken

    func candidates(_ state: Place, _ event: Happening) -> [Candidate] {
        var result: [Candidate] = []
        for line in lines[state] ?? [] where !line.isEmpty {
            for named in line.events where named == event {
                result.append(Candidate(line: line, event: event, number: result.count))
            }
        }
        return result
    }

    /// Whether `one` is written below `other`: where it could override it.
    private func isBelow(_ one: Line, _ other: Line) -> Bool {
        switch (one.owner, other.owner) {
        case (_, nil): false
        case (nil, _?): true
        case (let mine?, let its?): adopts(mine, its)
        }
    }

    private func areAlike(_ one: Line, _ other: Line) -> Bool {
        one.asksForP == other.asksForP && one.asksForQ == other.asksForQ
            && Facts.all.contains { one.suits($0) && other.suits($0) }
    }

    func overrides(_ one: Line, _ other: Line) -> Bool {
        one.isOverride && isBelow(one, other) && areAlike(one, other)
    }

    /// The rows that are as specific as any for these facts: with no clash, one at most.
    func best(_ candidates: [Candidate], _ facts: Facts) -> [Candidate] {
        let suitable = candidates.filter { row in
            row.line.suits(facts)
                && !candidates.contains { overrides($0.line, row.line) && $0.line.suits(facts) }
        }
        let rank = suitable.map(\.line.rank).max()
        return suitable.filter { $0.line.rank == rank }
    }

    // MARK: - Mistakes

    func mistakes() -> Set<Mistake> {
        guard !written.defines.isEmpty else {
            return [
                Mistake(kind: .emptyTable, lines: [WrittenTable.line]),
                Mistake(kind: .unusedPredicate, lines: [WrittenTable.line]),
            ]
        }
        var found: Set<Mistake> = []
        let all = lines.values.flatMap { $0 }
        for line in all { found.formUnion(mistakes(in: line)) }
        let rows = all.filter { !$0.isEmpty }
        if !rows.contains(where: \.asksForP) || !rows.contains(where: \.asksForQ) {
            found.insert(Mistake(kind: .unusedPredicate, lines: [WrittenTable.line]))
        }
        for state in Place.allCases {
            for event in Happening.allCases {
                found.formUnion(mistakes(among: candidates(state, event), in: state))
            }
        }
        found.formUnion(repeatedAdoptions())
        found.formUnion(untakenRows())
        found.formUnion(wrongCases())
        found.formUnion(openEnds())
        return found
    }

    private func mistakes(in line: Line) -> Set<Mistake> {
        if line.isEmpty { return [Mistake(kind: .emptyBlock, lines: [line.line])] }
        var found: Set<Mistake> = []
        if line.reenters, case .ignore = line.target {
            found.insert(Mistake(kind: .ignoredReentry, lines: [line.line]))
        }
        for (place, (ask, location)) in line.asks.enumerated() {
            let (name, values) = Self.terms(ask)
            if case .foreign = ask {
                found.insert(Mistake(kind: .unknownPredicate, lines: [location]))
            }
            if Set(values).count < values.count {
                found.insert(Mistake(kind: .duplicatePredicate, lines: [location]))
            }
            for (other, its) in line.asks[..<place] where Self.terms(other).name == name {
                let earlier = Self.terms(other).values
                let isKnown = values.contains { earlier.contains($0) }
                let isNew = values.contains { !earlier.contains($0) }
                let places: Set = [location, its]
                if isKnown { found.insert(Mistake(kind: .duplicatePredicate, lines: places)) }
                if isNew { found.insert(Mistake(kind: .contradictoryMatching, lines: places)) }
            }
        }
        return found
    }

    private static func terms(_ ask: WrittenTable.Ask) -> (name: String, values: [Int]) {
        switch ask {
        case .p(let values): ("p", values.map(\.ordinal))
        case .q(let values): ("q", values.map(\.ordinal))
        case .foreign(let values): ("foreign", values.map(\.ordinal))
        }
    }

    /// Rows that clash, and overrides that have nothing to override.
    private func mistakes(among rows: [Candidate], in state: Place) -> Set<Mistake> {
        var pairs: Set<[Int]> = []
        for facts in Facts.all {
            let best = best(rows, facts)
            for one in best {
                for other in best where one.number < other.number {
                    pairs.insert([one.number, other.number])
                }
            }
        }
        var found: Set<Mistake> = []
        var misplaced: Set<Int> = []
        for row in rows where row.line.isOverride && Facts.all.contains(where: row.line.suits) {
            let alike = rows.filter {
                $0.number != row.number && areAlike($0.line, row.line)
            }
            if alike.contains(where: { isBelow(row.line, $0.line) }) { continue }
            if alike.contains(where: { isBelow($0.line, row.line) }) {
                misplaced.insert(row.number)
                found.insert(Mistake(kind: .overrideOutOfOrder, lines: [row.line.line]))
            } else if !alike.contains(where: {
                $0.line.owner == row.line.owner
                    && pairs.contains([$0.number, row.number].sorted())
            }) {
                found.insert(Mistake(kind: .nothingToOverride, lines: [row.line.line]))
            }
        }
        for pair in pairs where misplaced.isDisjoint(with: pair) {
            let (one, other) = (rows[pair[0]].line, rows[pair[1]].line)
            let kind: TableProblem.Kind =
                if (one.asksForP, one.asksForQ) != (other.asksForP, other.asksForQ) {
                    .implicitClash
                } else {
                    lead(of: one, in: state) == lead(of: other, in: state)
                        ? .duplicateRows : .clash
                }
            found.insert(Mistake(kind: kind, lines: [one.line, other.line]))
        }
        return found
    }

    /// Where a row leads, or nil for nowhere.
    func lead(of line: Line, in state: Place) -> Set<Place>? {
        switch line.target {
        case .stay, nil: [state]
        case .enter(let place): [place]
        case .workOut(let places, _): Set(places)
        case .ignore: nil
        }
    }
}
