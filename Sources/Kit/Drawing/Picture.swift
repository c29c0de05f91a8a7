public import Exploration

/// Drawings of machines, one below the other, as a picture in SVG.
///
/// It shows all of every text, is light or dark as its viewer is, and has the state that a diagram
/// marks as ``Exploration/Diagram/present`` in another colour, a thick frame and bold. It is the
/// same on every machine.
public struct Picture {
    /// One machine with its name.
    public struct Chart {
        /// The heading.
        public let name: String
        /// The drawing.
        public let diagram: Diagram

        /// A machine of this name.
        public init(name: String, diagram: Diagram) {
            self.name = name
            self.diagram = diagram
        }
    }

    /// The description, for those who cannot see it.
    let title: String
    /// The drawings with their layouts.
    let charts: [(chart: Chart, layout: Layout)]

    /// A picture of these machines.
    public init(title: String, of charts: [Chart]) {
        self.title = title
        self.charts = charts.map { ($0, Layout($0.diagram)) }
    }

    /// Around the drawings, and the height of each heading.
    static let margin = 20, heading = 40

    /// The picture as a text in SVG.
    public var svg: String {
        let width = charts.map { max($0.layout.width, TextSize.width($0.chart.heading) * 5 / 4) }
        var body: [String] = []
        var top = Self.margin
        for (chart, layout) in charts {
            body.append("<g transform=\"translate(\(Self.margin) \(top))\">")
            body.append("<text class=\"name\" x=\"0\" y=\"16\">\(escaped(chart.heading))</text>")
            body.append("<g transform=\"translate(0 \(Self.heading))\">")
            body += ChartWriter(diagram: chart.diagram, layout: layout).lines + ["</g>", "</g>"]
            top += Self.heading + layout.height + Self.margin
        }
        let size = (width: (width.max() ?? 0) + 2 * Self.margin, height: top)
        let head =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"statechart\" role=\"img\""
            + " width=\"\(size.width)\" height=\"\(size.height)\""
            + " viewBox=\"0 0 \(size.width) \(size.height)\">"
        let lines =
            [head, "<title>\(escaped(title))</title>", "<style>\n\(Self.style)</style>"]
            + ["<rect class=\"paper\" width=\"\(size.width)\" height=\"\(size.height)\"/>"] + body
        return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    /// By classes alone, since not every viewer knows variables.
    private static let style = """
        .statechart text { font-family: "DejaVu Sans", Verdana, Arial, Helvetica, sans-serif;
          font-size: \(TextSize.font)px; fill: #1b1f24; }
        .statechart .name { font-size: 16px; font-weight: bold; }
        .statechart .state text { text-anchor: middle; }
        .statechart .command { fill: #59636e; }
        .statechart .paper { fill: #ffffff; }
        .statechart .state rect { fill: #f3f5f7; stroke: #59636e; stroke-width: 1.5; }
        .statechart .line { fill: none; stroke: #7d8895; stroke-width: 1.4; }
        .statechart .head { fill: #59636e; }
        @media (prefers-color-scheme: dark) {
          .statechart text { fill: #e6e9ed; }
          .statechart .command { fill: #a3adb8; }
          .statechart .paper { fill: #14171b; }
          .statechart .state rect { fill: #23282e; stroke: #a3adb8; }
          .statechart .line { stroke: #8a949f; }
          .statechart .head { fill: #c3cbd3; }
        }
        .statechart .present rect { fill: #ffb300; stroke: #b35c00; stroke-width: 4; }
        .statechart .present text { fill: #000000; font-weight: bold; }

        """
}

extension Picture.Chart {
    /// The heading: the name, with the present state if one is marked.
    var heading: String { diagram.present.map { "\(name): \($0)" } ?? name }
}

/// The text escaped for XML, with a blank for characters that cannot be shown or affect the display
/// of their neighbours: on a terminal, or by the direction of letters.
///
/// Scalars, not characters: an ampersand with an accent on it is another character, but still one
/// for XML.
func escaped(_ text: String) -> String {
    let escapes: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;",
    ]
    var result = ""
    for scalar in text.unicodeScalars {
        let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        let isShown =
            !isControl && scalar.value & 0xFFFE != 0xFFFE && !scalar.properties.isBidiControl
        result += isShown ? escapes[scalar] ?? String(Character(scalar)) : " "
    }
    return result
}
