import Charts
import Seeds
import StateMachines

/// Writes random charts that are legal, and lets things happen to them.
struct ChartWriter {
    typealias Node = WrittenChart.Node
    typealias Row = WrittenChart.Row
    typealias Deed = WrittenChart.Deed
    typealias Default = WrittenChart.Default
    typealias Target = WrittenChart.Target
    var random: SeededGenerator
    private var chart = WrittenChart(nodes: [])
    private var number = 0
    /// How many rows, deeds and conditions there are: once in so many times.
    private var seldom = 1

    init(_ random: SeededGenerator) {
        self.random = random
    }

    mutating func written() -> WrittenChart {
        chart = WrittenChart(nodes: [Node(state: nil, kind: .state, parent: nil)])
        seldom = one(of: [2, 3, 5, 8])
        chart.stepLimit = one(of: [1, 4, 20, 20, 20, 20, 20, 20])
        let most = Int.random(in: 3...Place.count, using: &random)
        addChildren(of: 0, depth: 0, upTo: most)
        for node in chart.nodes.indices {
            if chart.nodes[node].kind == .state, !chart.children(of: node).isEmpty {
                chart.nodes[node].initial = initial(of: node)
            }
            if node > 0, !chart.children(of: node).isEmpty { addHistories(of: node) }
        }
        for node in chart.nodes.indices { fill(node) }
        return chart
    }

    // MARK: - The tree

    private mutating func addChildren(of parent: Int, depth: Int, upTo most: Int) {
        let isParallel = chart.nodes[parent].kind == .parallel
        let wanted = isParallel ? 2...3 : random.oneIn(6) ? 1...1 : 2...4
        for child in 0..<Int.random(in: wanted, using: &random) {
            // A parallel state has two regions even where there is hardly room for them.
            guard chart.nodes.count <= most || child == 0 else { return }
            guard chart.nodes.count <= Place.count else { return }
            let place = Place(ordinal: chart.nodes.count - 1)
            let isFinal = !isParallel && child > 0 && random.oneIn(3)
            let isComposite =
                !isFinal && depth < 4 && !random.oneIn(isParallel ? 4 : depth + 2)
            let hasRegions = isComposite && random.oneIn(3) && chart.nodes.count + 2 <= most
            let kind: WrittenChart.Kind = isFinal ? .final : hasRegions ? .parallel : .state
            chart.nodes.append(Node(state: place, kind: kind, parent: parent))
            if isComposite {
                addChildren(of: chart.nodes.count - 1, depth: depth + 1, upTo: most)
            }
        }
    }

    private func inside(_ node: Int) -> [Int] {
        chart.nodes.indices.filter { chart.ancestors(of: $0).contains(node) }
    }

    private func isComposite(_ node: Int) -> Bool { !chart.children(of: node).isEmpty }

    private mutating func initial(of node: Int) -> Default? {
        let children = chart.children(of: node)
        if children.count == 1, random.oneIn(2) { return nil }
        let remembering = inside(node).filter(isComposite)
        if random.oneIn(8), !remembering.isEmpty {
            let target = Target(node: one(of: remembering), history: depth())
            return Default(targets: [target], deeds: deeds())
        }
        if random.oneIn(8), node > 0 {
            // The state's own history, which then has to have a default of both depths.
            let depth = depth()
            for depth in [ChartHistory.shallow, .deep] {
                chart.nodes[node].histories[depth] = Default(
                    targets: plain(of: node), deeds: deeds())
            }
            return Default(targets: [Target(node: node, history: depth)], deeds: deeds())
        }
        return Default(targets: plain(of: node), deeds: deeds())
    }

    /// States inside this one: as a rule one of its children.
    private mutating func plain(of node: Int) -> [Target] {
        let first = one(of: random.oneIn(3) ? inside(node) : chart.children(of: node))
        return [Target(node: first)] + beside(first).filter { inside(node).contains($0.node) }
    }

    private mutating func addHistories(of node: Int) {
        for depth in [ChartHistory.shallow, .deep]
        where random.oneIn(4) && chart.nodes[node].histories[depth] == nil {
            chart.nodes[node].histories[depth] = Default(targets: plain(of: node), deeds: deeds())
        }
    }

    /// Seldom, a second target in another region.
    private mutating func beside(_ node: Int) -> [Target] {
        guard random.oneIn(3) else { return [] }
        let others = chart.nodes.indices.dropFirst().filter { other in
            let round = chart.ancestors(of: node)
            return other != node && !round.contains(other)
                && !chart.ancestors(of: other).contains(node)
                && chart.nodes[round.first { chart.ancestors(of: other).contains($0) } ?? 0].kind
                    == .parallel
        }
        return others.isEmpty ? [] : [Target(node: one(of: others))]
    }

    // MARK: - What stands in a node

    private mutating func fill(_ node: Int) {
        if node > 0 {
            chart.nodes[node].onEntry = handlers()
            if chart.nodes[node].kind != .final { chart.nodes[node].onExit = handlers() }
        }
        guard chart.nodes[node].kind != .final else { return }
        let wanted = node == 0 ? 0...1 : isComposite(node) ? 0...3 : 1...4
        for _ in 0..<Int.random(in: wanted, using: &random) {
            chart.nodes[node].rows.append(row(in: node))
        }
    }

    private mutating func handlers() -> [[Deed]] {
        (0..<(random.oneIn(seldom) ? Int.random(in: 1...2, using: &random) : 0)).map { _ in
            deeds() + [.say(nextNumber())]
        }
    }

    private mutating func row(in node: Int) -> Row {
        var row = Row(trigger: trigger(in: node))
        while row.trigger == .always ? row.conditions.isEmpty : random.oneIn(seldom + 1) {
            row.conditions.append(condition())
        }
        if random.oneIn(12), row.trigger != .always {
            row.reason = one(of: ["not now", "not here"])
            return row
        }
        if !random.oneIn(5) { row.targets = targets(from: node) }
        row.isInternal = !row.targets.isEmpty && random.oneIn(3)
        row.deeds = deeds()
        if row.trigger == .always, !random.oneIn(4) {
            // Comes to an end.
            row.conditions.append(.contextIsBelow(Int.random(in: 0...30, using: &random)))
            row.deeds.append(.add(Int.random(in: 2...9, using: &random)))
        }
        if row.targets.isEmpty, row.deeds.isEmpty { row.deeds = [.say(nextNumber())] }
        return row
    }

    private mutating func trigger(in node: Int) -> WrittenChart.Trigger {
        let kinds: [Happening.Kind] = [.e0, .e1, .e2, .e3]
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return .any
        case 1...3:
            let composites = chart.nodes.indices.dropFirst().filter(isComposite)
            return composites.isEmpty ? .any : .done(one(of: composites))
        case 4: return .always
        case 5...7:
            let isWorkedOut =
                random.oneIn(4)
                && !chart.nodes[node].rows.contains {
                    if case .after(_, true) = $0.trigger { true } else { false }
                }
            return .after(
                random.oneIn(20) ? 0 : Int.random(in: 2...12, using: &random),
                workedOut: isWorkedOut)
        case 8: return .events([.e0, one(of: [.e1, .e2, .e3])])
        default: return .events([one(of: kinds)])
        }
    }

    private mutating func targets(from node: Int) -> [Target] {
        // Near by as a rule, and not where everything begins anew.
        let parent = chart.nodes[node].parent ?? 0
        let siblings = chart.children(of: parent).filter { $0 != node }
        var first = one(of: Array(chart.nodes.indices.dropFirst()))
        if isComposite(node), chart.nodes[node].kind == .state, random.oneIn(2) {
            first = one(of: inside(node))
        } else if chart.nodes[parent].kind == .state, !siblings.isEmpty, !random.oneIn(3) {
            first = one(of: siblings)
        }
        if isComposite(first), random.oneIn(3) { return [Target(node: first, history: depth())] }
        var found = [Target(node: first)] + beside(first)
        if found.count == 2, isComposite(found[1].node), random.oneIn(4) {
            found[1].history = depth()
        }
        return found
    }

    private mutating func condition() -> WrittenChart.Condition {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2: .isIn(anyPlace())
        case 3...5: .isNotIn(anyPlace())
        case 6...7: .contextIsBelow(Int.random(in: 0...30, using: &random))
        case 8...9: .eventIs(one(of: [nil, .e0, .e1, .e2, .e3]))
        case 10: .isLaterThan(Int.random(in: 0...80, using: &random))
        default: .never
        }
    }

    private mutating func deeds() -> [Deed] {
        guard random.oneIn(seldom) else { return [] }
        return (0..<Int.random(in: 1...2, using: &random)).map { _ in
            switch Int.random(in: 0..<12, using: &random) {
            case 0...1: .look(at: anyPlace())
            case 2...3: .raise(one(of: [.e0, .e1, .e2, .e3]))
            case 4: random.oneIn(4) ? .echo : .say(nextNumber())
            case 5...7: .add(Int.random(in: 1...9, using: &random))
            case 8: .addEvent
            default: .say(nextNumber())
            }
        }
    }

    // MARK: - What happens

    /// What happens next, so much later.
    mutating func happening(after now: Instant) -> Happening {
        let kinds = Happening.Kind.allCases
        let wait = random.oneIn(20) ? 40 : Int.random(in: 0...6, using: &random)
        return Happening(kind: one(of: kinds), instant: now + .milliseconds(wait))
    }

    private mutating func anyPlace() -> Place {
        one(of: chart.nodes.dropFirst().compactMap(\.state))
    }

    private mutating func depth() -> ChartHistory { one(of: [.shallow, .deep]) }

    private mutating func nextNumber() -> Int {
        number += 1
        return number
    }

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }
}
