import Charts
import StateMachines

/// A chart as a list of nodes in document order, the chart itself first: what is rendered in the
/// words of the kit and interpreted by ``PlainChart``.
struct WrittenChart {
    var nodes: [Node]
    var stepLimit = 1_000

    struct Node {
        /// The node's name; nil: the chart itself.
        let state: Place?
        let kind: Kind
        /// The place of the node round it; nil: the chart itself.
        let parent: Int?
        var initial: Default?
        var histories: [ChartHistory: Default] = [:]
        var onEntry: [[Deed]] = []
        var onExit: [[Deed]] = []
        var rows: [Row] = []
    }

    enum Kind { case state, parallel, final }

    /// Where an entry goes when nothing else says so, and what is done on the way.
    struct Default {
        let targets: [Target]
        var deeds: [Deed] = []
    }

    struct Row {
        let trigger: Trigger
        var conditions: [Condition] = []
        var targets: [Target] = []
        var isInternal = false
        var deeds: [Deed] = []
        /// Set: the row only ignores.
        var reason: Reason?
    }

    enum Trigger: Equatable {
        case events([Happening.Kind])
        case any
        case done(Int)
        case always
        /// After so many milliseconds, or, worked out, as many more as the context says.
        case after(Int, workedOut: Bool)
    }

    /// A node, or the history of a node.
    struct Target: Hashable {
        let node: Int
        var history: ChartHistory?
    }

    enum Condition {
        case isIn(Place)
        case isNotIn(Place)
        case contextIsBelow(Int)
        case eventIs(Happening.Kind?)
        case isLaterThan(Int)
        case never

        func holds(
            isIn: (Place) -> Bool, context: Int, event: Happening?, now: Instant
        ) -> Bool {
            switch self {
            case .isIn(let place): isIn(place)
            case .isNotIn(let place): !isIn(place)
            case .contextIsBelow(let bound): context < bound
            case .eventIs(let kind): event?.kind == kind
            case .isLaterThan(let milliseconds): now > .milliseconds(milliseconds)
            case .never: false
            }
        }
    }

    enum Deed {
        case say(Int)
        /// Says what the chart knows at that moment.
        case look(at: Place)
        case raise(Happening.Kind)
        /// Raises the event that is being handled anew, where there is one.
        case echo
        case add(Int)
        /// Adds the number of the event that is being handled.
        case addEvent
    }

    func children(of node: Int) -> [Int] { nodes.indices.filter { nodes[$0].parent == node } }

    /// From the node outwards, the chart itself last.
    func ancestors(of node: Int) -> [Int] {
        var found: [Int] = []
        var next = nodes[node].parent
        while let node = next {
            found.append(node)
            next = nodes[node].parent
        }
        return found
    }

    func node(of place: Place) -> Int? { nodes.firstIndex { $0.state == place } }
}

extension Instant {
    static func milliseconds(_ count: Int) -> Instant { .zero + .milliseconds(count) }
}

enum Place: UInt8, Enumerated {
    case s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17, s18, s19
}

struct Happening: TimedEvent, Hashable {
    enum Kind: UInt8, Enumerated { case e0, e1, e2, e3, timePassed }
    let kind: Kind
    let instant: Instant
    static var timePassed: Kind { .timePassed }
}

extension Happening: CustomStringConvertible {
    var description: String { "\(kind) at \(instant.nanoseconds / 1_000_000)" }
}

/// The words of random charts.
enum RandomWords: ChartSyntax {
    typealias State = Place
    typealias Event = Happening
    typealias Context = Int

    enum Command: Equatable, CustomStringConvertible {
        case say(Int)
        case saw(Bool, context: Int, event: Happening?, now: Instant)
        case unhandled(Happening.Kind)
        case dropped(Happening.Kind)
        case endless

        var description: String {
            switch self {
            case .say(let number): "\(number)"
            case .saw(let isIn, let context, let event, let now):
                "\(isIn) \(context) \(event?.description ?? "-") \(now.nanoseconds / 1_000_000)"
            case .unhandled(let kind): "?\(kind)"
            case .dropped(let kind): "!\(kind)"
            case .endless: "endless"
            }
        }
    }

    static func command(for loss: ChartLoss<Happening>) -> Command? {
        switch loss {
        case .unhandled(let event): .unhandled(event.kind)
        case .dropped(let event): .dropped(event.kind)
        case .endless: .endless
        }
    }
}
