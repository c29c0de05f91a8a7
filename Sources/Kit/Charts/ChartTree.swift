/// Places of states, at most 64.
@usableFromInline typealias ChartPlaces = UInt64

extension ChartPlaces {
    /// The set of one place.
    @inlinable static func bit(_ place: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: place) }

    @inlinable func contains(_ place: Int) -> Bool { self & .bit(place) != 0 }

    func isWithin(_ other: UInt64) -> Bool { self & ~other == 0 }

    /// Takes the first place out of the set.
    @inlinable
    mutating func removeFirstPlace() -> Int? {
        if self == 0 { return nil }
        let place = trailingZeroBitCount
        self &= self &- 1
        return place
    }

    /// Takes the last place out of the set.
    @inlinable
    mutating func removeLastPlace() -> Int? {
        if self == 0 { return nil }
        let place = 63 - leadingZeroBitCount
        self &= ~.bit(place)
        return place
    }
}

/// What a state is made of.
enum ChartShape: Sendable {
    case leaf, composite, parallel, final
}

/// Where a line leads, and which actions are done on the way.
@usableFromInline
struct ChartEntrance: Sendable {
    var states: ChartPlaces = 0
    /// Numbers of histories.
    var histories: UInt64 = 0
    /// Which of the chart's lists of actions; 0 is empty.
    @usableFromInline var actions = 0

    /// Whether it leads nowhere.
    var isEmpty: Bool { states == 0 && histories == 0 }
}

/// A state in its place. Places are in document order: a state's is before those of the states
/// inside it, which follow without a gap. The chart itself has place 0.
@usableFromInline
struct ChartNode: Sendable {
    /// The place of the state round it; below 0 for the chart.
    @usableFromInline let parent: Int
    var shape: ChartShape
    var children: ChartPlaces = 0
    /// All states inside it.
    var below: ChartPlaces = 0
    /// Lists of actions.
    @usableFromInline var entry = 0
    @usableFromInline var exit = 0
    @usableFromInline var initial = ChartEntrance()
    var rows = 0..<0
    @usableFromInline var timers = 0..<0
}

/// A history that some line leads to.
@usableFromInline
struct ChartHistoryPlace: Sendable {
    let node: Int
    let depth: ChartHistory
    /// Where it leads while nothing is remembered.
    var initially = ChartEntrance()
}

/// What happens, as rows see it: an event of a kind, a state that is done, a timeout, or nothing.
@usableFromInline
enum ChartOccurrence {
    case event(Int)
    case done(Int)
    case timeout(Int)
    case nothing
}

/// A row in its place.
@usableFromInline
struct ChartRowPlace: Sendable {
    /// What a row is taken for.
    enum Cue: Sendable {
        case events(UInt64)
        case any
        case done(Int)
        case timeout(Int)
        case always
    }

    let cue: Cue
    /// The state that the row belongs to.
    let node: Int
    @usableFromInline let entrance: ChartEntrance
    let isInternal: Bool
    let hasConditions: Bool

    /// Whether the row is about what happens.
    func answers(_ occurrence: ChartOccurrence) -> Bool {
        switch (cue, occurrence) {
        case (.events(let kinds), .event(let kind)): kinds.contains(kind)
        case (.any, .event), (.any, .done), (.always, .nothing): true
        case (.done(let one), .done(let other)), (.timeout(let one), .timeout(let other)):
            one == other
        case (.events, _), (.any, _), (.done, _), (.timeout, _), (.always, _): false
        }
    }
}

/// Rows that are taken together: often one, which takes no memory of its own.
@usableFromInline
struct ChartRows {
    private var first = -1
    private var others: [Int] = []

    @usableFromInline init() {}

    @usableFromInline var count: Int { first < 0 ? 0 : others.count + 1 }

    @usableFromInline
    subscript(number: Int) -> Int { number == 0 ? first : others[number - 1] }

    /// Adds a row that is not among them.
    mutating func insert(_ row: Int) {
        if first < 0 {
            first = row
        } else if row != first, !others.contains(row) {
            others.append(row)
        }
    }
}

/// The states and rows of a chart, as far as it takes to work out what is left and entered.
@usableFromInline
struct ChartTree: Sendable {
    @usableFromInline var nodes: [ChartNode] = []
    @usableFromInline var rows: [ChartRowPlace] = []
    var histories: [ChartHistoryPlace] = []
    /// The states without states inside them.
    var leaves: ChartPlaces = 0

    func places(where holds: (ChartNode) -> Bool) -> ChartPlaces {
        nodes.indices.reduce(0) { holds(nodes[$1]) ? $0 | .bit($1) : $0 }
    }

    /// The rows that are taken together, by the document order of the states that chose them.
    ///
    /// - Parameter holds: whether the conditions of a row hold.
    @usableFromInline
    func chosenRows(
        for occurrence: ChartOccurrence, _ configuration: ChartPlaces,
        _ remembered: [ChartPlaces], holds: (Int) -> Bool
    ) -> ChartRows {
        var rows = ChartRows()
        var leaves = configuration & leaves
        while let leaf = leaves.removeFirstPlace() {
            if let row = row(for: occurrence, from: leaf, holds: holds) { rows.insert(row) }
        }
        return rows.count < 2 ? rows : withoutConflicts(rows, configuration, remembered)
    }

    /// The first row that holds, of this state or else of the states round it.
    func row(for occurrence: ChartOccurrence, from leaf: Int, holds: (Int) -> Bool) -> Int? {
        var place = leaf
        while place >= 0 {
            for row in nodes[place].rows where rows[row].answers(occurrence) {
                if !rows[row].hasConditions || holds(row) { return row }
            }
            place = nodes[place].parent
        }
        return nil
    }

    /// Of rows that would leave the same state the one from farther inside, else the first.
    private func withoutConflicts(
        _ chosen: ChartRows, _ configuration: ChartPlaces, _ remembered: [ChartPlaces]
    ) -> ChartRows {
        var kept: UInt64 = 0
        for number in 0..<chosen.count {
            let row = chosen[number]
            let left = exits(of: row, configuration, remembered)
            var replaced: UInt64 = 0
            var isPreempted = false
            var others = kept
            while !isPreempted, let other = others.removeFirstPlace() {
                if left & exits(of: chosen[other], configuration, remembered) == 0 { continue }
                let outer = rows[chosen[other]].node
                isPreempted = !nodes[outer].below.contains(rows[row].node)
                replaced |= .bit(other)
            }
            if !isPreempted { kept = kept & ~replaced | .bit(number) }
        }
        var result = ChartRows()
        while let number = kept.removeFirstPlace() { result.insert(chosen[number]) }
        return result
    }

    /// The active states that a row leaves.
    private func exits(
        of row: Int, _ configuration: ChartPlaces, _ remembered: [ChartPlaces]
    ) -> ChartPlaces {
        domain(of: row, remembered).map { configuration & nodes[$0].below } ?? 0
    }

    /// The active states that rows leave. Those that lead nowhere leave none; the others leave
    /// one at least.
    @usableFromInline
    func exits(
        of rows: ChartRows, _ configuration: ChartPlaces, _ remembered: [ChartPlaces]
    ) -> ChartPlaces {
        (0..<rows.count).reduce(0) { $0 | exits(of: rows[$1], configuration, remembered) }
    }

    /// Keeps what histories remember of the states that are left.
    @usableFromInline
    func remember(
        _ configuration: ChartPlaces, leaving exits: ChartPlaces,
        in remembered: inout [ChartPlaces]
    ) {
        for (number, history) in histories.enumerated() where exits.contains(history.node) {
            let node = nodes[history.node]
            switch history.depth {
            case .shallow: remembered[number] = configuration & node.children
            case .deep: remembered[number] = configuration & node.below & leaves
            }
        }
    }

    /// What a chart enters first.
    @usableFromInline
    func initialEntry(_ remembered: [ChartPlaces]) -> ChartEntry {
        var entry = ChartEntry()
        add(.bit(0), to: &entry, remembered)
        return entry
    }

    /// What rows enter.
    @usableFromInline
    func entry(by rows: ChartRows, _ remembered: [ChartPlaces]) -> ChartEntry {
        var entry = ChartEntry()
        for number in 0..<rows.count {
            guard let domain = domain(of: rows[number], remembered) else { continue }
            add(self.rows[rows[number]].entrance, inside: domain, to: &entry, remembered)
        }
        return entry
    }

    /// The state whose inside a row leaves and enters; nil when the row leads nowhere.
    func domain(of row: Int, _ remembered: [ChartPlaces]) -> Int? {
        let row = rows[row]
        let targets = targets(of: row.entrance, remembered)
        if targets == 0 { return nil }
        var place = row.isInternal ? row.node : nodes[row.node].parent
        while place > 0,
            nodes[place].shape != .composite || !targets.isWithin(nodes[place].below)
        {
            place = nodes[place].parent
        }
        return max(place, 0)
    }

    /// The states that an entrance leads to, by what the histories remember.
    private func targets(
        of entrance: ChartEntrance, _ remembered: [ChartPlaces]
    ) -> ChartPlaces {
        var states = entrance.states
        var rest = entrance.histories
        while let history = rest.removeFirstPlace() {
            states |=
                remembered[history] != 0
                ? remembered[history] : targets(of: histories[history].initially, remembered)
        }
        return states
    }

    /// Which states are done when this one is entered: the one round it, and the one round that.
    @usableFromInline
    func done(byEntering place: Int, _ configuration: ChartPlaces) -> (inner: Int?, outer: Int?) {
        // A final state at the top ends the chart: there is nobody to tell.
        let inner = nodes[place].parent
        guard nodes[place].shape == .final, inner > 0 else { return (nil, nil) }
        let outer = nodes[inner].parent
        let isOuterDone = nodes[outer].shape == .parallel && isDone(outer, configuration)
        return (inner, isOuterDone ? outer : nil)
    }

    /// What is done where a state is entered by a history that remembers nothing.
    @usableFromInline
    func actions(ofHistoryOf place: Int, in entry: ChartEntry) -> Int {
        var rest = entry.histories
        while let history = rest.removeFirstPlace() {
            if histories[history].node == place { return histories[history].initially.actions }
        }
        return 0
    }

    /// Whether a state is done: a final state inside it is active, in all of its regions.
    private func isDone(_ place: Int, _ configuration: ChartPlaces) -> Bool {
        var children = nodes[place].children
        switch nodes[place].shape {
        case .leaf, .final: return false
        case .composite:
            children &= configuration
            return children.removeFirstPlace().map { nodes[$0].shape == .final } ?? false
        case .parallel:
            while let child = children.removeFirstPlace() {
                if !isDone(child, configuration) { return false }
            }
            return true
        }
    }
}

/// The states that are entered together.
@usableFromInline
struct ChartEntry {
    /// All of them.
    @usableFromInline fileprivate(set) var states: ChartPlaces = 0
    /// Those that are entered by their `initial`.
    @usableFromInline fileprivate(set) var byInitial: ChartPlaces = 0
    /// Those that are entered by a history which remembers nothing, and the numbers of these.
    @usableFromInline fileprivate(set) var byHistory: ChartPlaces = 0
    fileprivate var histories: UInt64 = 0
}

extension ChartTree {
    /// Adds where an entrance leads, and what is round that inside `domain`.
    private func add(
        _ entrance: ChartEntrance, inside domain: Int, to entry: inout ChartEntry,
        _ remembered: [ChartPlaces]
    ) {
        add(entrance.states, to: &entry, remembered)
        var rest = entrance.histories
        while let history = rest.removeFirstPlace() {
            let node = histories[history].node
            if remembered[history] != 0 {
                add(remembered[history], to: &entry, remembered)
                addStatesRound(remembered[history], inside: node, to: &entry, remembered)
            } else {
                entry.byHistory |= .bit(node)
                entry.histories |= .bit(history)
                add(histories[history].initially, inside: node, to: &entry, remembered)
            }
        }
        addStatesRound(
            targets(of: entrance, remembered), inside: domain, to: &entry, remembered)
    }

    /// Adds states with what is entered by default inside each.
    private func add(
        _ places: ChartPlaces, to entry: inout ChartEntry, _ remembered: [ChartPlaces]
    ) {
        entry.states |= places
        var rest = places
        while let place = rest.removeFirstPlace() {
            switch nodes[place].shape {
            case .composite:
                entry.byInitial |= .bit(place)
                add(nodes[place].initial, inside: place, to: &entry, remembered)
            case .parallel: addMissingRegions(of: place, to: &entry, remembered)
            case .leaf, .final: break
            }
        }
    }

    private func addStatesRound(
        _ places: ChartPlaces, inside domain: Int, to entry: inout ChartEntry,
        _ remembered: [ChartPlaces]
    ) {
        var rest = places
        while let place = rest.removeFirstPlace() {
            var outer = nodes[place].parent
            while outer > domain {
                entry.states |= .bit(outer)
                if nodes[outer].shape == .parallel {
                    addMissingRegions(of: outer, to: &entry, remembered)
                }
                outer = nodes[outer].parent
            }
        }
    }

    /// Adds the regions in which no state is entered yet.
    private func addMissingRegions(
        of place: Int, to entry: inout ChartEntry, _ remembered: [ChartPlaces]
    ) {
        var regions = nodes[place].children
        while let region = regions.removeFirstPlace() {
            if entry.states & nodes[region].below == 0 { add(.bit(region), to: &entry, remembered) }
        }
    }
}
