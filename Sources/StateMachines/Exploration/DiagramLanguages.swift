extension Diagram {
    /// The drawing in Mermaid, for Markdown.
    public var mermaid: String {
        var lines = ["stateDiagram-v2"]
        for (number, frame) in frames.enumerated() {
            let indentation = frame.outer == nil ? "    " : "        "
            if let outer = frame.outer {
                lines.append(
                    "    state \"\(Self.escaped(outer, Self.mermaidEscapes))\" as f\(number) {")
            }
            for place in frame.members {
                let name = Self.escaped(nodes[place].name, Self.mermaidEscapes)
                lines.append("\(indentation)state \"\(name)\" as s\(place)")
            }
            if frame.outer != nil { lines.append("    }") }
        }
        lines.append("    [*] --> s0")
        for arrow in arrows {
            let label = Self.escaped(arrow.label, Self.mermaidEscapes)
            lines.append("    s\(arrow.from) --> s\(arrow.to): \(label)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What would end a text in Mermaid, begin a comment or an escape, or be taken for HTML.
    private static var mermaidEscapes: [Unicode.Scalar: String] {
        [
            "\"": "#quot;", "#": "#35;", "%": "#37;", "&": "#amp;", ":": "#colon;", ";": "#59;",
            "<": "#lt;", ">": "#gt;", "\\": "#92;",
        ]
    }

    /// The drawing in DOT, for Graphviz.
    public var dot: String {
        let escapes: [Unicode.Scalar: String] = [
            "\"": "\\\"", "\\": "\\\\", "&": "&amp;",
        ]
        var lines = [
            "digraph {", "    node [shape=box, style=rounded]", "    start [shape=point]",
            "    start -> s0",
        ]
        for (number, frame) in frames.enumerated() {
            let indentation = frame.outer == nil ? "    " : "        "
            if let outer = frame.outer {
                lines.append("    subgraph cluster\(number) {")
                lines.append("        label=\"\(Self.escaped(outer, escapes))\"")
            }
            for place in frame.members {
                let name = Self.escaped(nodes[place].name, escapes)
                lines.append("\(indentation)s\(place) [label=\"\(name)\"]")
            }
            if frame.outer != nil { lines.append("    }") }
        }
        for arrow in arrows {
            let label = Self.escaped(arrow.label, escapes)
            lines.append("    s\(arrow.from) -> s\(arrow.to) [label=\"\(label)\"]")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    /// The machine in SCXML, the W3C's notation for statecharts. Commands are sent as events.
    ///
    /// States, events and commands are called by their names as far as SCXML lets them, where names
    /// are of letters, digits and underscores; those that would become the same are numbered.
    public var scxml: String {
        let frames = frames
        let states = Self.identifiers(for: nodes.map { $0.name } + frames.map { $0.outer ?? "" })
        let events = Self.distinct(arrows.map { $0.event })
        let commands = Self.distinct(arrows.flatMap { $0.commands })
        // In one go: a command that is sent must not be taken for an event of the same name.
        let words = Self.identifiers(for: events + commands)
        let names = Names(
            states: states, events: Dictionary(uniqueKeysWithValues: zip(events, words)),
            commands: Dictionary(
                uniqueKeysWithValues: zip(commands, words.dropFirst(events.count))))
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0""#
                + #" initial="\#(states[0])">"#,
        ]
        for (number, frame) in frames.enumerated() {
            if frame.outer != nil {
                lines.append(#"  <state id="\#(states[nodes.count + number])">"#)
            }
            for place in frame.members {
                let indentation = frame.outer == nil ? "  " : "    "
                lines += scxmlState(place, names).map { indentation + $0 }
            }
            if frame.outer != nil { lines.append("  </state>") }
        }
        return (lines + ["</scxml>"]).joined(separator: "\n") + "\n"
    }

    /// What states, events and commands are called in SCXML.
    private struct Names {
        let states: [String]
        let events: [String: String]
        let commands: [String: String]
    }

    private func scxmlState(_ place: Int, _ names: Names) -> [String] {
        var lines = [#"<state id="\#(names.states[place])">"#]
        for arrow in arrows where arrow.from == place {
            let event = names.events[arrow.event] ?? ""
            let head = #"  <transition event="\#(event)" target="\#(names.states[arrow.to])""#
            if arrow.commands.isEmpty {
                lines.append(head + "/>")
                continue
            }
            lines.append(head + ">")
            for command in arrow.commands {
                lines.append(#"    <send event="\#(names.commands[command] ?? "")"/>"#)
            }
            lines.append("  </transition>")
        }
        return lines + ["</state>"]
    }

    private static func distinct(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }

    /// The text with these scalars replaced, and a space for what could not be shown or is empty.
    ///
    /// Scalars, not characters: a quote with an accent on it is another character, but still ends
    /// the text.
    private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || scalar.value == 0x7F
            result += isControl ? " " : escapes[scalar] ?? String(Character(scalar))
        }
        return result.isEmpty ? " " : result
    }

    /// The names made fit for XML's identifiers, and kept apart.
    private static func identifiers(for names: [String]) -> [String] {
        var taken: Set<String> = []
        return names.map { name in
            var identifier = ""
            for character in name {
                if character.isASCII && (character.isLetter || character.isNumber) {
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
