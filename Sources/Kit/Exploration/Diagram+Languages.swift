extension Diagram {
    /// The drawing in Mermaid, for Markdown.
    public var mermaid: String {
        Self.mermaid(mermaidLines("").map { "    \($0)" }, marked: marked.map { "s\($0)" })
    }

    /// Machines side by side in one drawing in Mermaid, each in a frame of its name.
    public static func mermaid(of regions: [(name: String, diagram: Diagram)]) -> String {
        var lines: [String] = []
        var marked: [String] = []
        for (number, region) in regions.enumerated() {
            let prefix = "r\(number)_"
            lines.append("    state \"\(escaped(region.name, mermaidEscapes))\" as r\(number) {")
            lines += region.diagram.mermaidLines(prefix).map { "        \($0)" } + ["    }"]
            marked += region.diagram.marked.map { "\(prefix)s\($0)" }
        }
        return mermaid(lines, marked: marked)
    }

    private static func mermaid(_ body: [String], marked: [String]) -> String {
        var lines = ["stateDiagram-v2"] + body
        if !marked.isEmpty {
            lines.append("    classDef present fill:#ffb300,stroke:#7a4b00,color:#000000")
        }
        lines += marked.map { "    class \($0) present" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// States and arrows, the names of all of them beginning with `prefix`.
    private func mermaidLines(_ prefix: String) -> [String] {
        var lines: [String] = []
        for (number, frame) in frames.enumerated() {
            let indentation = frame.outer == nil ? "" : "    "
            if let outer = frame.outer {
                let name = Self.escaped(outer, Self.mermaidEscapes)
                lines.append("state \"\(name)\" as \(prefix)f\(number) {")
            }
            for place in frame.members {
                let name = Self.escaped(nodes[place].name, Self.mermaidEscapes)
                lines.append("\(indentation)state \"\(name)\" as \(prefix)s\(place)")
            }
            if frame.outer != nil { lines.append("}") }
        }
        lines.append("[*] --> \(prefix)s0")
        for arrow in arrows {
            let label = Self.escaped(arrow.label, Self.mermaidEscapes)
            lines.append("\(prefix)s\(arrow.from) --> \(prefix)s\(arrow.to): \(label)")
        }
        return lines
    }

    /// Scalars that end a text in Mermaid, begin a comment or an escape, or are taken for HTML.
    private static var mermaidEscapes: [Unicode.Scalar: String] {
        [
            "\"": "#quot;", "#": "#35;", "%": "#37;", "&": "#amp;", ":": "#colon;", ";": "#59;",
            "<": "#lt;", ">": "#gt;", "\\": "#92;",
        ]
    }

    /// The drawing in DOT, for Graphviz.
    public var dot: String { Self.dot(dotLines("")) }

    /// Machines side by side in one drawing in DOT, each in a frame of its name.
    public static func dot(of regions: [(name: String, diagram: Diagram)]) -> String {
        dot(
            regions.enumerated().flatMap { number, region in
                let label = "    label=\"\(escaped(region.name, dotEscapes))\""
                let lines = region.diagram.dotLines("r\(number)_").map { "    \($0)" }
                return ["subgraph clusterr\(number) {", label] + lines + ["}"]
            })
    }

    private static func dot(_ body: [String]) -> String {
        let lines = ["node [shape=box, style=rounded]"] + body
        return "digraph {\n" + lines.map { "    \($0)\n" }.joined() + "}\n"
    }

    private static var dotEscapes: [Unicode.Scalar: String] {
        ["\"": "\\\"", "\\": "\\\\", "&": "&amp;"]
    }

    /// States and arrows, the names of all of them beginning with `prefix`.
    private func dotLines(_ prefix: String) -> [String] {
        let marked = marked
        var lines = ["\(prefix)start [shape=point]", "\(prefix)start -> \(prefix)s0"]
        for (number, frame) in frames.enumerated() {
            let indentation = frame.outer == nil ? "" : "    "
            if let outer = frame.outer {
                lines.append("subgraph cluster\(prefix)\(number) {")
                lines.append("    label=\"\(Self.escaped(outer, Self.dotEscapes))\"")
            }
            for place in frame.members {
                let name = Self.escaped(nodes[place].name, Self.dotEscapes)
                let mark =
                    marked.contains(place)
                    ? ", style=\"rounded,filled\", fillcolor=\"#ffb300\", penwidth=3" : ""
                lines.append("\(indentation)\(prefix)s\(place) [label=\"\(name)\"\(mark)]")
            }
            if frame.outer != nil { lines.append("}") }
        }
        for arrow in arrows {
            let ends = "\(prefix)s\(arrow.from) -> \(prefix)s\(arrow.to)"
            lines.append("\(ends) [label=\"\(Self.escaped(arrow.label, Self.dotEscapes))\"]")
        }
        return lines
    }

    /// The machine in SCXML, the W3C's notation for statecharts. Commands are sent as events.
    ///
    /// States, events and commands are called by their names as far as SCXML lets them, where names
    /// are of letters, digits and underscores; those that would become the same are numbered.
    ///
    /// - Throws: ``DiagramError`` if a state has several arrows for one event. SCXML takes the
    ///   first that it finds, and so would be another machine: states that were drawn as one need
    ///   names of their own.
    public var scxml: String {
        get throws(DiagramError) {
            var seen: [Int: Set<String>] = [:]
            for arrow in arrows {
                if seen[arrow.from, default: []].insert(arrow.event).inserted { continue }
                throw DiagramError(state: nodes[arrow.from].name, event: arrow.event)
            }
            return unambiguousSCXML
        }
    }

    private var unambiguousSCXML: String {
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

    /// The names of states, events and commands in SCXML.
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

    /// The text with these scalars replaced, and a space if it could not be shown or is empty.
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
