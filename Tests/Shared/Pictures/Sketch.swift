/// A picture of lines, boxes and words for the documents, in SVG. It is light or dark as its viewer
/// is; places and sizes are in pixels.
public struct Sketch {
    /// What a thing is drawn in.
    public enum Ink: String, Sendable {
        /// Wires, outlines and words.
        case line
        /// Words beside the point, and help lines.
        case faint
        /// What the picture is about.
        case accent
        /// What must be looked at.
        case alert
    }

    private let title: String
    private let width, height: Int
    private var body: [String] = []

    /// The font's size, and how wide each character of it is drawn.
    public static let fontSize = 13, characterWidth = 8

    /// An empty sheet. The title is for those who cannot see it.
    public init(title: String, width: Int, height: Int) {
        self.title = title
        self.width = width
        self.height = height
    }

    /// Draws a line through these points.
    public mutating func line(
        _ points: [(x: Int, y: Int)], _ ink: Ink = .line, isDashed: Bool = false
    ) {
        let place = points.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        let dashes = isDashed ? " stroke-dasharray=\"4 4\"" : ""
        body.append("<polyline class=\"stroke \(ink.rawValue)\" points=\"\(place)\"\(dashes)/>")
    }

    /// Draws a box, or fills it with its ink.
    public mutating func box(
        x: Int, y: Int, width: Int, height: Int, radius: Int = 0, _ ink: Ink = .line,
        isFilled: Bool = false
    ) {
        body.append(
            "<rect class=\"\(isFilled ? "fill" : "box") \(ink.rawValue)\" x=\"\(x)\" y=\"\(y)\""
                + " width=\"\(width)\" height=\"\(height)\" rx=\"\(radius)\"/>")
    }

    /// Draws a dot.
    public mutating func dot(x: Int, y: Int, radius: Int = 3, _ ink: Ink = .line) {
        body.append(
            "<circle class=\"fill \(ink.rawValue)\" cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\"/>")
    }

    /// Draws a filled shape.
    public mutating func shape(_ points: [(x: Int, y: Int)], _ ink: Ink = .line) {
        let place = points.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        body.append("<polygon class=\"fill \(ink.rawValue)\" points=\"\(place)\"/>")
    }

    /// Writes words whose line of letters begins at this place, each character as wide as all.
    public mutating func text(_ words: String, x: Int, y: Int, _ ink: Ink = .line) {
        let length = words.count * Self.characterWidth
        body.append(
            "<text class=\"fill \(ink.rawValue)\" x=\"\(x)\" y=\"\(y)\" textLength=\"\(length)\">"
                + "\(Self.escaped(words))</text>")
    }

    /// The picture as a text.
    public var svg: String {
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" class="sketch" role="img" width="\(width)" \
            height="\(height)" viewBox="0 0 \(width) \(height)">
            """
        let lines =
            [head, "<title>\(Self.escaped(title))</title>", "<style>\n\(Self.style)\n</style>"]
            + ["<rect class=\"paper\" width=\"\(width)\" height=\"\(height)\" rx=\"6\"/>"] + body
        return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private static func escaped(_ words: String) -> String {
        words.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }

    private static let style = """
        .sketch text { font: \(fontSize)px "DejaVu Sans Mono", Menlo, Consolas, monospace;
          white-space: pre; }
        .sketch .paper { fill: #ffffff; }
        .sketch .stroke { fill: none; stroke-width: 1.6; }
        .sketch .box { fill: #f3f5f7; stroke-width: 1.6; }
        .sketch .stroke.line, .sketch .box.line { stroke: #1b1f24; }
        .sketch .stroke.faint, .sketch .box.faint { stroke: #8a949f; }
        .sketch .stroke.accent, .sketch .box.accent { stroke: #0a69da; }
        .sketch .stroke.alert, .sketch .box.alert { stroke: #c02626; }
        .sketch .fill.line { fill: #1b1f24; }
        .sketch .fill.faint { fill: #59636e; }
        .sketch .fill.accent { fill: #0a69da; }
        .sketch .fill.alert { fill: #c02626; }
        @media (prefers-color-scheme: dark) {
          .sketch .paper { fill: #14171b; }
          .sketch .box { fill: #23282e; }
          .sketch .stroke.line, .sketch .box.line { stroke: #e6e9ed; }
          .sketch .fill.line { fill: #e6e9ed; }
          .sketch .fill.faint { fill: #a3adb8; }
          .sketch .stroke.accent, .sketch .box.accent { stroke: #58a6ff; }
          .sketch .fill.accent { fill: #58a6ff; }
          .sketch .stroke.alert, .sketch .box.alert { stroke: #ff7b72; }
          .sketch .fill.alert { fill: #ff7b72; }
        }
        """
}
