/// A drawing of a machine, taken from what was explored of it, in three languages.
///
/// Because it is generated, a diagram in the documents can be compared with the code by a test.
public struct Diagram: Equatable, Sendable {
    /// One arrow.
    struct Arrow: Hashable, Sendable {
        let from: Int
        let to: Int
        let event: String
        let commands: [String]

        /// `event`, or `event / command, command`.
        var label: String {
            commands.isEmpty ? event : "\(event) / \(commands.joined(separator: ", "))"
        }
    }

    /// The names of the states, the one to start with first.
    let states: [String]
    /// The arrows, by the state that they leave.
    let arrows: [Arrow]

    /// The drawing in Mermaid, for Markdown.
    public var mermaid: String {
        var lines = ["stateDiagram-v2"]
        for (place, state) in states.enumerated() {
            lines.append("    state \"\(Self.escaped(state, ["\"": "#quot;"]))\" as s\(place)")
        }
        lines.append("    [*] --> s0")
        for arrow in arrows {
            let label = Self.escaped(arrow.label, [":": "#colon;", ";": "#59;"])
            lines.append("    s\(arrow.from) --> s\(arrow.to): \(label)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The drawing in DOT, for Graphviz.
    public var dot: String {
        let escapes: [Character: String] = ["\"": "\\\"", "\\": "\\\\"]
        var lines = [
            "digraph {", "    node [shape=box, style=rounded]", "    start [shape=point]",
            "    start -> s0",
        ]
        for (place, state) in states.enumerated() {
            lines.append("    s\(place) [label=\"\(Self.escaped(state, escapes))\"]")
        }
        for arrow in arrows {
            let label = Self.escaped(arrow.label, escapes)
            lines.append("    s\(arrow.from) -> s\(arrow.to) [label=\"\(label)\"]")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    /// The machine in SCXML, the W3C's notation for statecharts. Commands are sent as events.
    public var scxml: String {
        let escapes: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
        let identifiers = Self.identifiers(for: states)
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0""#
                + #" initial="\#(identifiers[0])">"#,
        ]
        for place in states.indices {
            lines.append(#"  <state id="\#(identifiers[place])">"#)
            for arrow in arrows where arrow.from == place {
                let event = Self.escaped(arrow.event, escapes)
                let head = #"    <transition event="\#(event)" target="\#(identifiers[arrow.to])""#
                if arrow.commands.isEmpty {
                    lines.append(head + "/>")
                    continue
                }
                lines.append(head + ">")
                for command in arrow.commands {
                    lines.append(#"      <send event="\#(Self.escaped(command, escapes))"/>"#)
                }
                lines.append("    </transition>")
            }
            lines.append("  </state>")
        }
        return (lines + ["</scxml>"]).joined(separator: "\n") + "\n"
    }

    private static func escaped(_ text: String, _ escapes: [Character: String]) -> String {
        var result = ""
        for character in text {
            if let escape = escapes[character] {
                result += escape
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// The names made fit for XML's identifiers, and kept apart.
    private static func identifiers(for names: [String]) -> [String] {
        var taken: Set<String> = []
        return names.map { name in
            var identifier = ""
            for character in name {
                let fits = character.isASCII && (character.isLetter || character.isNumber)
                if fits {
                    identifier.append(character)
                } else if identifier.last != "_" {
                    identifier += "_"
                }
            }
            while identifier.last == "_" { identifier.removeLast() }
            if identifier.first?.isLetter != true { identifier = "s" + identifier }
            var unique = identifier
            var number = 2
            while !taken.insert(unique).inserted {
                unique = "\(identifier)_\(number)"
                number += 1
            }
            return unique
        }
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
    ///   - event: what to call an event.
    ///   - command: what to call a command.
    public func diagram(
        state: (Machine) -> String = { name(of: $0) },
        event: (Machine.Event) -> String = { name(of: $0) },
        command: (Machine.Command) -> String = { name(of: $0) }
    ) -> Diagram {
        var names: [String] = []
        var places: [String: Int] = [:]
        let nodes = states.map { value in
            let name = state(value)
            if let place = places[name] { return place }
            places[name] = names.count
            names.append(name)
            return names.count - 1
        }
        var seen: Set<Diagram.Arrow> = []
        var arrows: [Diagram.Arrow] = []
        for edge in edges where edge.isHandled {
            let arrow = Diagram.Arrow(
                from: nodes[edge.from], to: nodes[edge.to], event: event(edge.event),
                commands: step(edge).outcome.commands.map(command))
            if seen.insert(arrow).inserted { arrows.append(arrow) }
        }
        let sorted = arrows.enumerated().sorted {
            ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
        }
        return Diagram(states: names, arrows: sorted.map { $0.element })
    }
}
