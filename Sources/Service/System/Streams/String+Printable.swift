extension Unicode.Scalar {
    /// Whether the scalar shows in a log, and leaves the rest of the line as it is.
    public var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            false
        default: true
        }
    }
}

extension String {
    /// The text as one line that steers no terminal: what would is told by its number.
    public var onOneLine: String {
        if unicodeScalars.allSatisfy(\.isPrintable) { return self }
        return unicodeScalars.map { $0.isPrintable ? String($0) : $0.escaped(asASCII: true) }
            .joined()
    }

    /// The same of a text of several lines, which stay lines.
    public var onItsLines: String {
        if unicodeScalars.allSatisfy({ $0 == "\n" || $0.isPrintable }) { return self }
        return unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).onOneLine }.joined(separator: "\n")
    }
}
