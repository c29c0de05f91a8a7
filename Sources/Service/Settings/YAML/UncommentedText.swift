/// Settings without their comments, which may be confidential.
public struct UncommentedText: Hashable, Sendable {
    /// The rest stays on its line and in its column.
    public let text: String
    /// How many lines had a comment.
    public let commentCount: Int

    /// Nil if comments cannot be recognised: invalid YAML, or anchors, aliases and tags, which
    /// settings must not have.
    public init?(_ text: String) {
        // libyaml does not count a byte order mark.
        let scalars = Array(text.unicodeScalars.drop { $0 == "\u{FEFF}" })
        guard let values = Self.values(in: scalars) else { return nil }
        var rest = Rest(of: scalars)
        for value in values {
            guard rest.index <= value.range.lowerBound else { return nil }
            rest.takeBetweenValues(upTo: value.range.lowerBound)
            // A comment may follow `|`; the lines after it are the value.
            if value.isBlock { rest.takeLine(upTo: value.range.upperBound) }
            rest.take(upTo: value.range.upperBound)
        }
        rest.takeBetweenValues(upTo: scalars.count)
        self.text = String(rest.kept)
        commentCount = rest.commentCount
    }

    private static func values(in scalars: [Unicode.Scalar]) -> [YAMLPlace]? {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        let bytes = Array(String(text).utf8)
        if bytes.isEmpty { return [] }
        return YAMLEvents.of(bytes) { events -> [YAMLPlace]? in
            var values: [YAMLPlace] = []
            do throws(YAMLFailure) {
                while true {
                    let event = try events.next()
                    if event.hasAnchor || event.hasTag { return nil }
                    switch event.kind {
                    case .streamEnd: return values
                    case .alias: return nil
                    case .scalar: if !event.place.range.isEmpty { values.append(event.place) }
                    case .streamStart, .documentStart, .documentEnd, .sequenceStart, .sequenceEnd,
                        .mappingStart, .mappingEnd:
                        continue
                    }
                }
            } catch {
                return nil
            }
        } ?? nil
    }
}

/// A text while its comments are being removed.
private struct Rest {
    private let scalars: [Unicode.Scalar]
    private(set) var index = 0
    private(set) var kept = String.UnicodeScalarView()
    private(set) var commentCount = 0

    init(of scalars: [Unicode.Scalar]) { self.scalars = scalars }

    mutating func take(upTo end: Int) {
        kept.append(contentsOf: scalars[index..<end])
        index = end
    }

    /// Copies the rest of the line, or up to there, without its comment.
    mutating func takeLine(upTo end: Int) {
        let line = scalars[index..<end]
        takeBetweenValues(upTo: line.firstIndex(where: Self.breaksLine) ?? end)
    }

    /// Copies the text between two values: blanks and YAML's marks, none of which is `#`; comments
    /// are left out.
    mutating func takeBetweenValues(upTo end: Int) {
        var isComment = false
        for scalar in scalars[index..<end] {
            if Self.breaksLine(scalar) {
                // Without the comment two line ends would merge.
                if isComment, scalar == "\n", kept.last == "\r" { kept.append(" ") }
                isComment = false
            } else if scalar == "#", !isComment {
                isComment = true
                commentCount += 1
                while let last = kept.last, last == " " || last == "\t" { kept.removeLast() }
            }
            if !isComment { kept.append(scalar) }
        }
        index = end
    }

    /// Whether a line ends here, as YAML has it.
    private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
        ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
    }
}
