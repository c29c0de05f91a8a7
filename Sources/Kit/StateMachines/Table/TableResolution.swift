/// Turns the statements of a table into plain rows, and gathers what is wrong with each by itself.
struct TableResolution<Syntax: TableSyntax> {
    typealias Node = RowNode<Syntax>
    typealias StateKind = Syntax.State.Kind
    typealias EventKind = Syntax.Event.Kind

    /// The statements about states that there are.
    let defines: [Define<Syntax>]
    private(set) var rows: [PlainRow] = []
    /// The row as it was written, for each plain row.
    private(set) var nodes: [Node] = []
    private(set) var problems: [TableProblem] = []
    private(set) var usedPredicates: UInt64 = 0
    private let dimensions: [PredicateDimension]
    private let states = Set(StateKind.allCases)
    private let events = Set(EventKind.allCases)
    /// How many rows were written, each counted once, however often it is adopted.
    private var writtenCount = 0
    private var adopted: [Origin: Int] = [:]
    private var inherited: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
    let names: PredicateNames

    init(_ defines: [Define<Syntax>], dimensions: [PredicateDimension]) {
        self.dimensions = dimensions
        names = PredicateNames(dimensions.map { $0.type } + defines.flatMap { $0.predicates })
        self.defines = defines.filter { [states] in states.contains($0.state) }
        for define in defines where !states.contains(define.state) {
            reportMissing("the state \(name(of: define.state))", at: define.location)
        }
        for define in self.defines { checkAdoption(of: define.adopts, at: define.location) }
        let byState = Dictionary(grouping: self.defines) { $0.state }
        for (place, state) in StateKind.allCases.enumerated() {
            add(byState[state] ?? [], to: place)
        }
    }

    /// What makes two rows the same one, adopted by two states.
    private struct Origin: Hashable {
        let superState: ObjectIdentifier
        /// The row's place in it.
        let row: Int
    }

    private mutating func add(_ defines: [Define<Syntax>], to state: Int) {
        var known: Set<ObjectIdentifier> = []
        for superState in SuperState.adopted(by: defines.flatMap { $0.adopts }, but: &known) {
            checkAdoption(of: superState.adopts, at: superState.location)
            let below = inherited(by: superState)
            for (place, node) in superState.rows.enumerated() {
                let origin = Origin(superState: superState.id, row: place)
                add(
                    node, to: state, number: number(of: origin), owner: superState.id,
                    inherits: below)
            }
        }
        for node in defines.flatMap({ $0.rows }) {
            add(node, to: state, number: writtenCount, owner: nil, inherits: known)
            writtenCount += 1
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
        _ node: Node, to state: Int, number: Int, owner: ObjectIdentifier?,
        inherits: Set<ObjectIdentifier>
    ) {
        if node.isEmptyBlock {
            problems.append(.init(.emptyBlock, "an empty block", at: [node.location]))
            return
        }
        guard areKnown(node) else { return }
        let (masks, constrained) = predicates(of: node)
        usedPredicates |= constrained
        for event in node.events {
            rows.append(
                PlainRow(
                    number: number, state: state, event: event.ordinal, masks: masks,
                    constrained: constrained, lead: lead(of: node, from: state),
                    isOverride: node.isOverride, location: node.location, owner: owner,
                    inherits: inherits))
            nodes.append(node)
        }
    }

    /// Whether the states and events that the row names are among all that there are.
    private mutating func areKnown(_ node: Node) -> Bool {
        let count = problems.count
        for event in node.events where !events.contains(event) {
            reportMissing("the event \(name(of: event))", at: node.location)
        }
        for state in node.targets where !states.contains(state) {
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
        case .enter, .compute: .states(Set(node.targets.map { $0.ordinal }).sorted())
        case .ignore: .nowhere
        }
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
    /// The predicates that its rows ask for, adopted ones as well.
    fileprivate var predicates: [PredicateType] {
        var known: Set<ObjectIdentifier> = []
        let adopted = SuperState.adopted(by: adopts, but: &known)
        return types(in: rows) + adopted.flatMap { types(in: $0.rows) }
    }
}

private func types<Syntax>(in rows: [RowNode<Syntax>]) -> [PredicateType] {
    rows.flatMap { $0.clauses.map { $0.type } }
}
