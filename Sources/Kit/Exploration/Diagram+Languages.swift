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
        let start = startLabel.isEmpty ? "" : ": " + Self.escaped(startLabel, Self.mermaidEscapes)
        lines.append("[*] --> \(prefix)s0\(start)")
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
        let label = Self.escaped(startLabel, Self.dotEscapes)
        let start = startLabel.isEmpty ? "" : " [label=\"\(label)\"]"
        var lines = ["\(prefix)start [shape=point]", "\(prefix)start -> \(prefix)s0\(start)"]
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

    /// The text with these scalars replaced, and a space if it could not be shown or is empty.
    ///
    /// Scalars, not characters: a quote with an accent on it is another character, but still ends
    /// the text.
    static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || scalar.value == 0x7F
            result += isControl ? " " : escapes[scalar] ?? String(Character(scalar))
        }
        return result.isEmpty ? " " : result
    }
}
