import StateMachines

extension UInt64 {
    /// The bit of a place.
    static func bit(_ place: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: place) }

    func contains(_ place: Int) -> Bool { self & .bit(place) != 0 }

    /// Whether all bits are among the other's.
    func isWithin(_ other: UInt64) -> Bool { self & ~other == 0 }

    /// Takes the first place out of the set.
    mutating func removeFirstPlace() -> Int? {
        if self == 0 { return nil }
        let place = trailingZeroBitCount
        self &= self &- 1
        return place
    }

    /// Takes the last place out of the set.
    mutating func removeLastPlace() -> Int? {
        if self == 0 { return nil }
        let place = 63 - leadingZeroBitCount
        self &= ~.bit(place)
        return place
    }
}

/// Where a line leads, and what is to be done on the way.
struct ChartEntrance<Syntax: ChartSyntax>: Sendable {
    var states: UInt64 = 0
    /// Histories, by their places.
    var histories: [Int] = []
    var actions: [ChartAction<Syntax>] = []

    /// Whether it leads nowhere.
    var isEmpty: Bool { states == 0 && histories.isEmpty }
}

/// A state in its place. Places are in document order: a state's is before those of the states
/// inside it, which follow without a gap. The chart itself has place 0.
struct ChartNode<Syntax: ChartSyntax>: Sendable {
    /// Nil for the chart.
    let state: Syntax.State?
    /// The place of the state round it; below 0 for the chart.
    let parent: Int
    let location: SourceLocation
    var shape: ChartShape
    var children: UInt64 = 0
    /// All states inside it.
    var below: UInt64 = 0
    var entry: [ChartAction<Syntax>] = []
    var exit: [ChartAction<Syntax>] = []
    var initial: ChartEntrance<Syntax>?
    /// The places of its rows and timers.
    var rows: [Int] = []
    var timers: [Int] = []
}

/// A history that some line leads to.
struct ChartHistoryPlace<Syntax: ChartSyntax>: Sendable {
    let node: Int
    let depth: ChartHistory
    /// Where it leads while nothing is remembered.
    var initially = ChartEntrance<Syntax>()
}

/// A timeout of a state.
struct ChartTimer<Syntax: ChartSyntax>: Sendable {
    let node: Int
    let delay: ChartDelay<Syntax>
}

/// The states of a chart, as far as it takes to work out what a row leaves and enters.
struct ChartTree<Syntax: ChartSyntax>: Sendable {
    var nodes: [ChartNode<Syntax>] = []
    var histories: [ChartHistoryPlace<Syntax>] = []

    func isBelow(_ place: Int, _ outer: Int) -> Bool { nodes[outer].below.contains(place) }

    /// The states that an entrance leads to, by what the histories remember.
    func targets(of entrance: ChartEntrance<Syntax>, _ remembered: [UInt64]) -> UInt64 {
        var states = entrance.states
        for history in entrance.histories {
            states |=
                remembered[history] != 0
                ? remembered[history] : targets(of: histories[history].initially, remembered)
        }
        return states
    }

    /// The state whose inside the row leaves and enters; nil when the row leads nowhere.
    func domain(of row: ChartRowPlace<Syntax>, _ remembered: [UInt64]) -> Int? {
        let targets = targets(of: row.entrance, remembered)
        if targets == 0 { return nil }
        if row.isInternal, nodes[row.node].shape == .composite,
            targets.isWithin(nodes[row.node].below)
        {
            return row.node
        }
        var place = nodes[row.node].parent
        while place > 0,
            nodes[place].shape != .composite || !targets.isWithin(nodes[place].below)
        {
            place = nodes[place].parent
        }
        return max(place, 0)
    }
}

/// The states that are entered together.
struct ChartEntry<Syntax: ChartSyntax> {
    let tree: ChartTree<Syntax>
    let remembered: [UInt64]
    /// All of them.
    private(set) var states: UInt64 = 0
    /// Those that are entered by their `initial`.
    private(set) var byInitial: UInt64 = 0
    /// The histories that remember nothing.
    private(set) var histories = Commands<Int>()

    init(into tree: ChartTree<Syntax>, _ remembered: [UInt64]) {
        self.tree = tree
        self.remembered = remembered
    }

    /// Adds where an entrance leads, and what is round that inside `domain`.
    mutating func add(_ entrance: ChartEntrance<Syntax>, inside domain: Int) {
        add(entrance.states)
        for history in entrance.histories {
            let node = tree.histories[history].node
            if remembered[history] != 0 {
                add(remembered[history])
                addStatesRound(remembered[history], inside: node)
            } else {
                histories.append(history)
                add(tree.histories[history].initially, inside: node)
            }
        }
        addStatesRound(tree.targets(of: entrance, remembered), inside: domain)
    }

    /// Adds states with what is entered by default inside each.
    mutating func add(_ places: UInt64) {
        var rest = places
        while let place = rest.removeFirstPlace() {
            states |= .bit(place)
            switch tree.nodes[place].shape {
            case .composite:
                byInitial |= .bit(place)
                if let initial = tree.nodes[place].initial { add(initial, inside: place) }
            case .parallel: addMissingRegions(of: place)
            case .leaf, .final: break
            }
        }
    }

    /// Adds what another entry enters.
    mutating func merge(_ other: ChartEntry) { states |= other.states }

    private mutating func addStatesRound(_ places: UInt64, inside domain: Int) {
        var rest = places
        while let place = rest.removeFirstPlace() {
            var outer = tree.nodes[place].parent
            while outer > domain {
                states |= .bit(outer)
                if tree.nodes[outer].shape == .parallel { addMissingRegions(of: outer) }
                outer = tree.nodes[outer].parent
            }
        }
    }

    /// Adds the regions in which no state is entered yet.
    private mutating func addMissingRegions(of place: Int) {
        var regions = tree.nodes[place].children
        while let region = regions.removeFirstPlace() {
            if states & tree.nodes[region].below == 0 { add(.bit(region)) }
        }
    }
}
