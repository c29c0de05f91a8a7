/// The capabilities of the terminal.
public struct Appearance: Hashable, Sendable {
    public var isColoured: Bool
    public var isUnicode: Bool

    public init(isColoured: Bool, isUnicode: Bool) {
        self.isColoured = isColoured
        self.isUnicode = isUnicode
    }

    /// From the environment: `NO_COLOR` (any text but the empty one) forbids colours, and the first
    /// of `LC_ALL`, `LC_CTYPE` and `LANG` that is set names the character set.
    public init(environment: (String) -> String?) {
        func value(_ name: String) -> String? {
            environment(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
        isColoured = value("NO_COLOR") == nil
        isUnicode = locale.hasSuffix("utf-8") || locale.hasSuffix("utf8")
    }

    public func lamp(isLit: Bool) -> String {
        switch (isUnicode, isLit) {
        case (true, true): "●"
        case (true, false): "○"
        case (false, true): "*"
        case (false, false): "."
        }
    }

    public var rule: String { isUnicode ? "─" : "-" }
    public var ellipsis: String { isUnicode ? "…" : ">" }

    /// `text` as one line that cannot steer the terminal.
    public func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: result.append(" ")
            default: result.append(isUnicode || scalar.isASCII ? scalar : "?")
            }
        }
        return String(result)
    }

    /// A line as the terminal wants it: nothing in it can steer the terminal.
    public func text(of line: [Span]) -> String {
        line.map { span in
            let text = printable(span.text)
            guard isColoured, let rendition = span.style.rendition else { return text }
            return "\u{1B}[\(rendition)m\(text)\u{1B}[0m"
        }.joined()
    }
}
