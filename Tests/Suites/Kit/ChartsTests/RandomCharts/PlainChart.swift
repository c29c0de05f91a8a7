import Charts
import StateMachines

/// A written chart, interpreted as appendix D of the W3C's SCXML says, procedure by procedure.
///
/// It shares nothing with the kit: sets of nodes are sorted lists, and all is looked for anew in
/// each step. What the recommendation leaves open is said in `PlainChart+Events.swift`.
struct PlainChart {
    typealias Default = WrittenChart.Default
    typealias Row = WrittenChart.Row
    typealias Target = WrittenChart.Target
    typealias Command = RandomWords.Command

    /// A row, and the node that it is written in.
    struct Transition: Hashable {
        let source: Int
        let row: Int
    }

    /// What the chart is being told.
    enum Signal: Equatable {
        case event(Happening)
        case done(Int)
        case timeout(Timer)
    }

    /// What a node waits for: rows with the same delay have one timer.
    struct Timer: Equatable {
        let node: Int
        let row: Int
        let due: Instant
    }

    /// A history, by the node that it is of.
    struct Memory: Hashable {
        let node: Int
        let depth: ChartHistory
    }

    let written: WrittenChart
    /// By node: what is inside it directly, and what is round it, from the inside out.
    let children: [[Int]]
    let ancestors: [[Int]]
    /// The active nodes, without the chart itself.
    var configuration: Set<Int> = []
    var memories: [Memory: [Int]] = [:]
    var context: Int
    var timers: [Timer] = []
    var hasEnded = false
    // While an event is being handled.
    var raised: [Signal] = []
    var event: Happening?
    var now: Instant
    var commands: [Command] = []
    var stepsLeft = 0
    var isEndless = false
    var hasFired = false

    var active: KindSet<Place> {
        KindSet(configuration.sorted().compactMap { written.nodes[$0].state })
    }

    // MARK: - Nodes

    func isDescendant(_ node: Int, of other: Int) -> Bool {
        ancestors[node].contains(other)
    }

    func isAtomic(_ node: Int) -> Bool { children[node].isEmpty }

    /// Composite, and no parallel state: the chart itself is one too.
    func isCompound(_ node: Int) -> Bool {
        written.nodes[node].kind == .state && !isAtomic(node)
    }

    func isInFinalState(_ node: Int) -> Bool {
        let children = children[node]
        return switch written.nodes[node].kind {
        case .state:
            children.contains { written.nodes[$0].kind == .final && configuration.contains($0) }
        case .parallel: children.allSatisfy(isInFinalState)
        case .final: false
        }
    }

    /// Where a history leads while nothing is remembered: as the initial state does when it does
    /// not say so itself, in a parallel state to all the regions.
    func historyDefault(_ node: Int, _ depth: ChartHistory) -> Default {
        if let own = written.nodes[node].histories[depth] { return own }
        if written.nodes[node].kind == .parallel {
            return Default(targets: children[node].map { Target(node: $0) })
        }
        return initial(of: node)
    }

    /// A composite of one state need not say which is the initial one.
    func initial(of node: Int) -> Default {
        written.nodes[node].initial
            ?? Default(targets: [Target(node: children[node][0])])
    }

    // MARK: - Domains

    func effectiveTargets(_ targets: [Target]) -> [Int] {
        var found: [Int] = []
        for target in targets {
            guard let depth = target.history else {
                found.append(target.node)
                continue
            }
            if let memory = memories[Memory(node: target.node, depth: depth)] {
                found += memory
            } else {
                found += effectiveTargets(historyDefault(target.node, depth).targets)
            }
        }
        return found
    }

    func row(_ transition: Transition) -> Row {
        written.nodes[transition.source].rows[transition.row]
    }

    /// The innermost composite round all that the transition leaves and enters; nil: targetless.
    func domain(of transition: Transition) -> Int? {
        let source = transition.source
        let targets = effectiveTargets(row(transition).targets)
        if targets.isEmpty { return nil }
        if row(transition).isInternal, isCompound(source),
            targets.allSatisfy({ isDescendant($0, of: source) })
        {
            return source
        }
        if source == 0 { return 0 }
        return ancestors[source].first { round in
            isCompound(round) && targets.allSatisfy { isDescendant($0, of: round) }
        } ?? 0
    }

    func exitSet(_ transitions: [Transition]) -> Set<Int> {
        var found: Set<Int> = []
        for transition in transitions {
            guard let domain = domain(of: transition) else { continue }
            found.formUnion(configuration.filter { isDescendant($0, of: domain) })
        }
        return found
    }

    // MARK: - Selection

    func selected(_ isMeant: (Transition) -> Bool) -> [Transition] {
        var enabled: [Transition] = []
        for leaf in configuration.filter(isAtomic).sorted() {
            search: for node in [leaf] + ancestors[leaf] {
                for place in written.nodes[node].rows.indices {
                    let transition = Transition(source: node, row: place)
                    guard isMeant(transition), holds(row(transition).conditions) else { continue }
                    if !enabled.contains(transition) { enabled.append(transition) }
                    break search
                }
            }
        }
        return withoutConflicts(enabled)
    }

    func withoutConflicts(_ enabled: [Transition]) -> [Transition] {
        var kept: [Transition] = []
        for one in enabled {
            var isPreempted = false
            var replaced: [Transition] = []
            for other in kept where !exitSet([one]).isDisjoint(with: exitSet([other])) {
                if isDescendant(one.source, of: other.source) {
                    replaced.append(other)
                } else {
                    isPreempted = true
                    break
                }
            }
            if isPreempted { continue }
            kept.removeAll(where: replaced.contains)
            kept.append(one)
        }
        return kept
    }
}
