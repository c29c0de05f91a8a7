/// Turns the statements of a table into plain rows, and gathers what is wrong with each by itself.
struct TableResolution<Syntax: TableSyntax> {
    typealias Node = RowNode<Syntax>
    typealias StateKind = Syntax.State.Kind
    typealias EventKind = Syntax.Event.Kind

    /// The statements about states that there are.
    let defines: [Define<Syntax>]
    /// For each state the statements about it, by their places: those about the kind of a value,
    /// then those about the value.
    let statements: [[[Int]]]
    let states: Places<Syntax.State>
    let events: Places<Syntax.Event>
    private(set) var rows: [PlainRow] = []
    /// The row as it was written, for each plain row.
    private(set) var nodes: [Node] = []
    private(set) var problems: [TableProblem] = []
    private(set) var usedPredicates: UInt64 = 0
    private let dimensions: [PredicateDimension]
    private let stateKinds = Set(StateKind.allCases)
    private let eventKinds = Set(EventKind.allCases)
    /// How many rows were written, each counted once, however often it is adopted.
    private var writtenCount = 0
    /// For each statement the number of its first row.
    private var firstNumbers: [Int] = []
    private var adopted: [Origin: Int] = [:]
    private var inherited: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
    let names: PredicateNames

    init(_ defines: [Define<Syntax>], dimensions: [PredicateDimension]) {
        self.dimensions = dimensions
        let written = defines.flatMap { $0.allRows }
        names = PredicateNames(dimensions.map { $0.type } + types(in: written))
        self.defines = defines.filter { [stateKinds] in stateKinds.contains($0.state.kind) }
        states = Places(self.defines.map { $0.state })
        events = Places(
            written.flatMap { $0.events }.filter { [eventKinds] in eventKinds.contains($0.kind) })
        let byState = Dictionary(grouping: self.defines.indices) {
            [states, defines = self.defines] in states.place(of: defines[$0].state)
        }
        statements = (0..<states.count).map { [states] state in
            let kind = states.kind(of: state)
            return Set([kind, state]).sorted().map { byState[$0] ?? [] }
        }
        for define in defines where !stateKinds.contains(define.state.kind) {
            reportMissing("the state \(name(of: define.state.kind))", at: define.location)
        }
        for define in self.defines {
            checkAdoption(of: define.adopts, at: define.location)
            firstNumbers.append(writtenCount)
            writtenCount += define.rows.count
        }
        for state in 0..<states.count {
            for group in statements[state] { add(group, to: state) }
        }
    }

    /// What makes two rows the same one, adopted by two states.
    private struct Origin: Hashable {
        let superState: ObjectIdentifier
        /// The row's place in it.
        let row: Int
    }

    private mutating func add(_ statements: [Int], to state: Int) {
        let defines = statements.map { self.defines[$0] }
        let isAboutValue = defines.contains { $0.state.isValue }
        var known: Set<ObjectIdentifier> = []
        for superState in SuperState.adopted(by: defines.flatMap { $0.adopts }, but: &known) {
            checkAdoption(of: superState.adopts, at: superState.location)
            let below = inherited(by: superState)
            for (place, node) in superState.rows.enumerated() {
                let origin = Origin(superState: superState.id, row: place)
                add(
                    node, to: state, isAboutValue, number: number(of: origin),
                    owner: superState.id, inherits: below)
            }
        }
        for statement in statements {
            for (place, node) in self.defines[statement].rows.enumerated() {
                add(
                    node, to: state, isAboutValue, number: firstNumbers[statement] + place,
                    owner: nil, inherits: known)
            }
        }
    }

    private mutating func checkAdoption(
        of superStates: [SuperState<Syntax>], at place: SourceLocation
    ) {
        guard Set(superStates.map { $0.id }).count < superStates.count else { return }
        problems.append(
            .init(.repeatedAdoption, "the same super state is adopted twice", at: [place]))
    }

    /// The super states whose rows those of `superState` can override.
    private mutating func inherited(
        by superState: SuperState<Syntax>
    ) -> Set<ObjectIdentifier> {
        if let known = inherited[superState.id] { return known }
        var known: Set<ObjectIdentifier> = []
        _ = SuperState.adopted(by: superState.adopts, but: &known)
        inherited[superState.id] = known
        return known
    }

    private mutating func number(of origin: Origin) -> Int {
        if let number = adopted[origin] { return number }
        adopted[origin] = writtenCount
        writtenCount += 1
        return writtenCount - 1
    }

    private mutating func add(
        _ node: Node, to state: Int, _ isAboutValue: Bool, number: Int, owner: ObjectIdentifier?,
        inherits: Set<ObjectIdentifier>
    ) {
        if node.isEmptyBlock {
            problems.append(.init(.emptyBlock, "an empty block", at: [node.location]))
            return
        }
        guard areKnown(node) else { return }
        if node.reenters, case .ignore = node.target {
            problems.append(
                .init(
                    .ignoredReentry, "a row that ignores its event cannot enter its state anew",
                    at: [node.location]))
        }
        let (masks, constrained) = predicates(of: node)
        usedPredicates |= constrained
        let lead = lead(of: node, from: state)
        for named in node.events {
            let constraints = Constraints(
                predicates: constrained, state: isAboutValue, event: named.isValue)
            let written = (
                state: isAboutValue ? state : states.kind(of: state),
                event: events.place(of: named)
            )
            for event in named.isValue ? [written.event] : events.covered[written.event] {
                rows.append(
                    PlainRow(
                        number: number, state: state, event: event, written: written,
                        masks: masks, constrained: constraints, lead: lead,
                        isOverride: node.isOverride, location: node.location, owner: owner,
                        inherits: inherits))
                nodes.append(node)
            }
        }
    }

    /// Whether the states and events that the row names are among all that there are.
    private mutating func areKnown(_ node: Node) -> Bool {
        let count = problems.count
        for event in node.events where !eventKinds.contains(event.kind) {
            reportMissing("the event \(name(of: event.kind))", at: node.location)
        }
        for state in node.targets where !stateKinds.contains(state) {
            reportMissing("the state \(name(of: state))", at: node.location)
        }
        return problems.count == count
    }

    private mutating func reportMissing(_ what: String, at place: SourceLocation) {
        problems.append(.init(.unsuitableType, "\(what) is missing from allCases", at: [place]))
    }

    private func lead(of node: Node, from state: Int) -> PlainRow.Lead {
        switch node.target {
        case .stay, nil: .states([state])
        case .enter(let target): .states([states.place(of: target)])
        case .compute(let kinds, _):
            .states(Set(kinds.flatMap { states.covered[$0.ordinal] }.filter(canBe)).sorted())
        case .ignore: .nowhere
        }
    }

    /// Whether a state worked out can be at this place: at a kind's, where values of it are
    /// defined, only if the kind is defined as well.
    private func canBe(_ state: Int) -> Bool {
        !states.hasValues(state) || !statements[state][0].isEmpty
    }

    /// For each predicate the values that the row will take, and which predicates it asks for.
    private mutating func predicates(of node: Node) -> (masks: [UInt64], constrained: UInt64) {
        var masks = Array(repeating: UInt64.max, count: dimensions.count)
        var constrained: UInt64 = 0
        for (place, clause) in node.clauses.enumerated() {
            checkTerms(of: clause)
            for earlier in node.clauses[..<place] where earlier.type == clause.type {
                check(clause, against: earlier)
            }
            guard let dimension = dimensions.firstIndex(where: { $0.type == clause.type })
            else {
                problems.append(
                    .init(
                        .unknownPredicate,
                        "the predicate \(names.name(of: clause.type)) is not one of the "
                            + "table's",
                        at: [clause.location]))
                continue
            }
            masks[dimension] &= clause.mask
            constrained |= 1 &<< UInt64(dimension)
        }
        return (masks, constrained)
    }

    private mutating func checkTerms(of clause: Clause) {
        for (place, term) in clause.places.enumerated() {
            if term == nil {
                reportMissing(
                    "a value of the predicate \(names.name(of: clause.type))",
                    at: clause.location)
            } else if clause.places[..<place].contains(term) {
                duplicate(clause, term, at: [clause.location])
            }
        }
    }

    private mutating func check(_ clause: Clause, against earlier: Clause) {
        let places = Array(Set([earlier.location, clause.location]))
        for term in clause.places {
            if earlier.places.contains(term) {
                duplicate(clause, term, at: places)
                continue
            }
            for other in earlier.places {
                problems.append(
                    .init(
                        .contradictoryMatching,
                        "cannot match \(names.name(of: clause.type, at: other)) and "
                            + "\(names.name(of: clause.type, at: term)) at the same time",
                        at: places))
            }
        }
    }

    private mutating func duplicate(
        _ clause: Clause, _ term: Int?, at locations: [SourceLocation]
    ) {
        let name = names.name(of: clause.type, at: term)
        problems.append(
            .init(
                .duplicatePredicate, "the predicate \(name) is asked for twice", at: locations))
    }
}

extension Define {
    /// Its rows, adopted ones as well.
    fileprivate var allRows: [RowNode<Syntax>] {
        var known: Set<ObjectIdentifier> = []
        return rows + SuperState.adopted(by: adopts, but: &known).flatMap { $0.rows }
    }
}

private func types<Syntax>(in rows: [RowNode<Syntax>]) -> [PredicateType] {
    rows.flatMap { $0.clauses.map { $0.type } }
}
