extension Unicode.Scalar {
    /// Whether the scalar is visible in a log and has no effect on the rest of the line.
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
    /// The text on one line, with control characters escaped.
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
