public import StateMachines

/// A drawing of an explored machine, in four languages.
///
/// Because it is generated, a test can compare a diagram in the documents with the code.
public struct Diagram: Equatable, Sendable {
    /// A state, and the composite state round it, if any.
    public struct Node: Hashable, Sendable {
        /// Its name in the diagram.
        public let name: String
        /// The name of the state round it; nil at the top.
        public let outer: String?
    }

    /// One arrow.
    public struct Arrow: Hashable, Sendable {
        /// The places of the states that it leaves and leads to, among ``Diagram/nodes``.
        public let from: Int, to: Int
        /// The name of the event.
        public let event: String
        /// The names of the commands, in order.
        public let commands: [String]

        /// `event`, or `event / command, command`.
        var label: String {
            commands.isEmpty ? event : "\(event) / \(commands.joined(separator: ", "))"
        }
    }

    /// States that are drawn in one frame, or one state without a frame.
    struct Frame {
        let outer: String?
        var members: [Int]
    }

    /// The states, the one to start with first.
    public let nodes: [Node]
    /// The arrows, by the state that they leave.
    public let arrows: [Arrow]
    /// The names of the commands that are run when a shell starts in the first state, in order.
    public internal(set) var startCommands: [String] = []
    /// The name of the state that is marked as the one that the machine is in; none unless stated.
    public var present: String?

    /// The label of the arrow to the first state: `/ command, command`, or empty.
    package var startLabel: String {
        startCommands.isEmpty ? "" : "/ \(startCommands.joined(separator: ", "))"
    }

    /// The places of the states that are marked.
    var marked: [Int] { nodes.indices.filter { nodes[$0].name == present } }

    /// The states with the frames round them, in the order in which they were found.
    var frames: [Frame] {
        var frames: [Frame] = []
        for (place, node) in nodes.enumerated() {
            let known = node.outer.flatMap { outer in frames.firstIndex { $0.outer == outer } }
            if let known {
                frames[known].members.append(place)
            } else {
                frames.append(Frame(outer: node.outer, members: [place]))
            }
        }
        return frames
    }
}

/// A diagram has several arrows for one event of a state, which SCXML and XState cannot tell.
public struct DiagramError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the state in the diagram.
    public let state: String
    /// The name of the event.
    public let event: String

    /// Several arrows from this state for this event.
    public init(state: String, event: String) {
        self.state = state
        self.event = event
    }

    /// Which state and which event, and what to do.
    public var description: String {
        "\(state) has several arrows for \(event): give states that were drawn as one, or the "
            + "events, names of their own"
    }
}

extension StateGraph {
    /// Draws the graph.
    ///
    /// States of the same name are drawn as one, and so are arrows of the same label between the
    /// same two: name the states by their kind, and a credit that can take a hundred values does
    /// not fill the page.
    ///
    /// - Parameters:
    ///   - state: what to call a state; as it describes itself, unless stated.
    ///   - outer: what to call the state round it, which becomes a frame; none, unless stated.
    ///   - event: what to call an event.
    ///   - command: what to call a command.
    ///   - start: what is to be done when a shell starts in the first state; nothing, unless
    ///     stated.
    public func diagram(
        state: (Machine) -> String = { name(of: $0) },
        inside outer: (Machine) -> String? = { _ in nil },
        event: (Machine.Event) -> String = { name(of: $0) },
        command: (Machine.Command) -> String = { name(of: $0) },
        start: (Machine) -> Commands<Machine.Command> = { _ in Commands() }
    ) -> Diagram {
        var nodes: [Diagram.Node] = []
        var places: [Diagram.Node: Int] = [:]
        let drawn = states.map { value in
            let node = Diagram.Node(name: state(value), outer: outer(value))
            if let place = places[node] { return place }
            places[node] = nodes.count
            nodes.append(node)
            return nodes.count - 1
        }
        var seen: Set<Diagram.Arrow> = []
        var arrows: [Diagram.Arrow] = []
        for edge in edges where edge.isHandled {
            let arrow = Diagram.Arrow(
                from: drawn[edge.from], to: drawn[edge.to], event: event(edge.event),
                commands: step(edge).outcome.commands.map(command))
            if seen.insert(arrow).inserted { arrows.append(arrow) }
        }
        let sorted = arrows.enumerated().sorted {
            ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
        }
        return Diagram(
            nodes: nodes, arrows: sorted.map { $0.element },
            startCommands: start(states[0]).map(command))
    }
}

extension StateGraph where Machine: EntryExitMachine {
    /// Draws the graph, with the commands that the first state is entered with.
    ///
    /// - Parameters:
    ///   - state: what to call a state; as it describes itself, unless stated.
    ///   - outer: what to call the state round it, which becomes a frame; none, unless stated.
    ///   - event: what to call an event.
    ///   - command: what to call a command.
    public func diagram(
        state: (Machine) -> String = { name(of: $0) },
        inside outer: (Machine) -> String? = { _ in nil },
        event: (Machine.Event) -> String = { name(of: $0) },
        command: (Machine.Command) -> String = { name(of: $0) }
    ) -> Diagram {
        diagram(
            state: state, inside: outer, event: event, command: command,
            start: { $0.entryCommands })
    }
}
