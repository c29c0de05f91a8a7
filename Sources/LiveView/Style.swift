/// How a piece of text looks.
enum Style: Hashable, Sendable {
    case plain
    case faint
    case bold
    case green
    case yellow
    case red

    /// The parameter of the terminal's "select graphic rendition", or nil for plain text.
    var rendition: Int? {
        switch self {
        case .plain: nil
        case .bold: 1
        case .faint: 2
        case .red: 31
        case .green: 32
        case .yellow: 33
        }
    }
}

/// A piece of a line, all of it in one style.
struct Span: Hashable, Sendable {
    var text: String
    var style: Style

    init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }
}
