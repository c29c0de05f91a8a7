import Console

/// A screen as a picture: its letters on a grid, in its colours, on black.
struct ScreenPicture {
    private let lines: [[Span]]
    private let columns: Int
    private let title: String

    private static let width = 9, height = 19, margin = 14

    init(_ lines: [[Span]], columns: Int, title: String) {
        self.lines = lines
        self.columns = columns
        self.title = title
    }

    /// The picture, in SVG.
    var svg: String {
        let width = columns * Self.width + 2 * Self.margin
        let height = lines.count * Self.height + 2 * Self.margin
        let font = "'DejaVu Sans Mono', 'Menlo', 'Consolas', monospace"
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            width="\(width)" height="\(height)" role="img">
            <title>\(escaped(title))</title>
            <rect width="\(width)" height="\(height)" rx="8" fill="#101418"/>
            <g font-family="\(font)" font-size="15">

            """
        for (row, line) in lines.enumerated() {
            var column = 0
            let y = Self.margin + row * Self.height + 14
            for span in line {
                let count = span.text.count
                defer { column += count }
                // Word by word: blanks at the ends of a text are not drawn.
                for word in span.text.split(separator: " ") {
                    let offset = span.text.distance(
                        from: span.text.startIndex, to: word.startIndex)
                    let x = Self.margin + (column + offset) * Self.width
                    text +=
                        "<text x=\"\(x)\" y=\"\(y)\" "
                        + "textLength=\"\(word.count * Self.width)\" "
                        + "\(attributes(span.style))>\(escaped(String(word)))</text>\n"
                }
            }
        }
        return text + "</g>\n</svg>\n"
    }

    private func attributes(_ style: Style) -> String {
        switch style {
        case .plain: "fill=\"#d8dee4\""
        case .faint: "fill=\"#8b949e\""
        case .bold: "fill=\"#ffffff\" font-weight=\"bold\""
        case .green: "fill=\"#4ec96b\""
        case .yellow: "fill=\"#e3b341\""
        case .red: "fill=\"#ff7b72\""
        }
    }

    private func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: String(character)
            }
        }.joined()
    }
}
