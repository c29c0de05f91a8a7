/// Turns the statements of a table into plain rows, and gathers what is wrong with each by itself.
struct TableResolution<Syntax: TableSyntax> {
    typealias Node = RowNode<Syntax>

    private(set) var rows: [PlainRow] = []
    /// The row as it was written, for each plain row.
    private(set) var nodes: [Node] = []
    private(set) var problems: [TableProblem] = []
    private(set) var usedPredicates: UInt64 = 0
    private let dimensions: [PredicateDimension]

    init(_ defines: [Define<Syntax>], dimensions: [PredicateDimension]) {
        self.dimensions = dimensions
        for state in 0..<Syntax.State.Kind.count {
            var adopted = 0
            var known: [Origin: Int] = [:]
            for define in defines where define.state.ordinal == state {
                for superState in define.adopts {
                    add(superState, to: state, path: [adopted], known: &known)
                    adopted += 1
                }
                for node in define.rows { add(node, to: state) }
            }
        }
    }

    /// What makes two rows the same one, adopted twice.
    private struct Origin: Hashable {
        let superState: ObjectIdentifier
        /// The row's place in it.
        let row: Int
    }

    private mutating func add(
        _ superState: SuperState<Syntax>, to state: Int, path: [Int], known: inout [Origin: Int]
    ) {
        for (place, adopted) in superState.adopts.enumerated() {
            add(adopted, to: state, path: path + [place], known: &known)
        }
        for (place, node) in superState.rows.enumerated() {
            let origin = Origin(superState: ObjectIdentifier(superState.identity), row: place)
            if let first = known[origin] {
                for twin in first..<first + node.events.count { rows[twin].paths.append(path) }
            } else {
                known[origin] = rows.count
                add(node, to: state, path: path)
            }
        }
    }

    private mutating func add(_ node: Node, to state: Int, path: [Int] = []) {
        if node.isEmptyBlock {
            problems.append(.init(.emptyBlock, "an empty block", at: [node.location]))
            return
        }
        let (masks, constrained) = predicates(of: node)
        usedPredicates |= constrained
        for event in node.events {
            rows.append(
                PlainRow(
                    state: state, event: event.ordinal, masks: masks, constrained: constrained,
                    lead: lead(of: node, from: state), isOverride: node.isOverride,
                    location: node.location, paths: [path]))
            nodes.append(node)
        }
    }

    private func lead(of node: Node, from state: Int) -> PlainRow.Lead {
        switch node.target {
        case .stay, nil: .states([state])
        case .enter(let target): .states([target.kind.ordinal])
        case .compute(let kinds, _): .states(Set(kinds.map { $0.ordinal }).sorted())
        case .ignore: .nowhere
        }
    }

    /// For each predicate the values that the row will take, and which predicates it asks for.
    private mutating func predicates(of node: Node) -> (masks: [UInt64], constrained: UInt64) {
        var masks = Array(repeating: UInt64.max, count: dimensions.count)
        var constrained: UInt64 = 0
        for (place, clause) in node.clauses.enumerated() {
            checkTerms(of: clause, at: node.location)
            for earlier in node.clauses[..<place] where earlier.hasSameType(as: clause) {
                check(clause, against: earlier, at: node.location)
            }
            guard let dimension = dimension(of: clause) else {
                problems.append(
                    .init(
                        .unknownPredicate,
                        "the predicate \(clause.typeName) is not one of the table's",
                        at: [clause.location]))
                continue
            }
            masks[dimension] &= clause.mask
            constrained |= 1 &<< UInt64(dimension)
        }
        return (masks, constrained)
    }

    private func dimension(of clause: Clause) -> Int? {
        #if hasFeature(Embedded)
            return nil
        #else
            return dimensions.firstIndex { $0.id == clause.id }
        #endif
    }

    private mutating func checkTerms(of clause: Clause, at location: SourceLocation) {
        for (place, term) in clause.terms.enumerated()
        where clause.terms[..<place].contains(where: { $0.ordinal == term.ordinal }) {
            duplicate(term.name, at: [clause.location])
        }
    }

    private mutating func check(
        _ clause: Clause, against earlier: Clause, at location: SourceLocation
    ) {
        let places = Array(Set([earlier.location, clause.location]))
        for term in clause.terms {
            if earlier.terms.contains(where: { $0.ordinal == term.ordinal }) {
                duplicate(term.name, at: places)
                continue
            }
            for other in earlier.terms {
                problems.append(
                    .init(
                        .contradictoryMatching,
                        "cannot match \(other.name) and \(term.name) at the same time", at: places))
            }
        }
    }

    private mutating func duplicate(_ name: String, at locations: [SourceLocation]) {
        problems.append(
            .init(.duplicatePredicate, "the predicate \(name) is asked for twice", at: locations))
    }
}
