internal import System

/// How a piece of text looks.
public enum Style: Hashable, Sendable {
    case plain
    case faint
    case bold
    /// All is well.
    case green
    /// A warning.
    case yellow
    /// Something does not work, or people are in danger.
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
public struct Span: Hashable, Sendable {
    public var text: String
    public var style: Style

    public init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }

    public static func blank(_ width: Int) -> Span { Span(String(repeating: " ", count: width)) }
}

extension [Span] {
    public var width: Int { reduce(0) { $0 + $1.text.terminalColumns } }

    /// The line without the blanks at its end.
    public var trimmed: [Span] {
        var line = self
        while let last = line.last {
            let text = last.text.reversed().drop { $0 == " " }.reversed()
            guard text.isEmpty else {
                line[line.count - 1].text = String(text)
                break
            }
            line.removeLast()
        }
        return line
    }

    /// The line, cut off where a screen of so many columns ends.
    public func cut(at columns: Int, _ appearance: Appearance) -> [Span] {
        let visible = trimmed
        guard visible.width > columns else { return visible }
        var room = Swift.max(0, columns - 1)
        var result: [Span] = []
        for span in visible {
            let text = span.text.prefix(terminalColumns: room)
            result.append(Span(String(text), span.style))
            guard text.endIndex == span.text.endIndex else { break }
            room -= text.terminalColumns
        }
        return result + [Span(appearance.ellipsis, .faint)]
    }
}
