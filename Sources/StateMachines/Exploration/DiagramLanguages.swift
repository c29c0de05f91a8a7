extension Diagram {
    /// The drawing in Mermaid, for Markdown.
    public var mermaid: String {
        var lines = ["stateDiagram-v2"]
        for (number, frame) in frames.enumerated() {
            let indentation = frame.outer == nil ? "    " : "        "
            if let outer = frame.outer {
                lines.append(
                    "    state \"\(Self.escaped(outer, Self.mermaidNames))\" as f\(number) {")
            }
            for place in frame.members {
                let name = Self.escaped(nodes[place].name, Self.mermaidNames)
                lines.append("\(indentation)state \"\(name)\" as s\(place)")
            }
            if frame.outer != nil { lines.append("    }") }
        }
        lines.append("    [*] --> s0")
        for arrow in arrows {
            let label = Self.escaped(arrow.label, [":": "#colon;", ";": "#59;"])
            lines.append("    s\(arrow.from) --> s\(arrow.to): \(label)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static var mermaidNames: [Character: String] { ["\"": "#quot;"] }

    /// The drawing in DOT, for Graphviz.
    public var dot: String {
        let escapes: [Character: String] = ["\"": "\\\"", "\\": "\\\\"]
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
    public var scxml: String {
        let frames = frames
        let identifiers = Self.identifiers(
            for: nodes.map { $0.name } + frames.map { $0.outer ?? "" })
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0""#
                + #" initial="\#(identifiers[0])">"#,
        ]
        for (number, frame) in frames.enumerated() {
            if frame.outer != nil {
                lines.append(#"  <state id="\#(identifiers[nodes.count + number])">"#)
            }
            for place in frame.members {
                let indentation = frame.outer == nil ? "  " : "    "
                lines += scxmlState(place, identifiers).map { indentation + $0 }
            }
            if frame.outer != nil { lines.append("  </state>") }
        }
        return (lines + ["</scxml>"]).joined(separator: "\n") + "\n"
    }

    private func scxmlState(_ place: Int, _ identifiers: [String]) -> [String] {
        let escapes: [Character: String] = [
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;",
        ]
        var lines = [#"<state id="\#(identifiers[place])">"#]
        for arrow in arrows where arrow.from == place {
            let event = Self.escaped(arrow.event, escapes)
            let head = #"  <transition event="\#(event)" target="\#(identifiers[arrow.to])""#
            if arrow.commands.isEmpty {
                lines.append(head + "/>")
                continue
            }
            lines.append(head + ">")
            for command in arrow.commands {
                lines.append(#"    <send event="\#(Self.escaped(command, escapes))"/>"#)
            }
            lines.append("  </transition>")
        }
        return lines + ["</state>"]
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
