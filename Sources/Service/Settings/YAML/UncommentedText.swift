/// Settings as they are written, without the comments: nobody knows what people write there.
public struct UncommentedText: Hashable, Sendable {
    /// The text. What is left of it stands on the line and in the column where it stood.
    public let text: String
    /// On how many lines there was a comment.
    public let commentCount: Int

    /// What is left of a text; nil where nobody can say what is a comment in it, since it is no
    /// YAML, or has what no settings may have: an anchor, an alias or a tag.
    public init?(_ text: String) {
        // libyaml does not count a byte order mark.
        let scalars = Array(text.unicodeScalars.drop { $0 == "\u{FEFF}" })
        guard let values = Self.values(in: scalars) else { return nil }
        var rest = Rest(of: scalars)
        for value in values {
            guard rest.index <= value.range.lowerBound else { return nil }
            rest.takeBetweenValues(upTo: value.range.lowerBound)
            // Behind `|` a comment may stand; what follows it is the value, whatever it looks like.
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

/// What is left of a text while comments are taken out of it.
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

    /// Takes the rest of the line without its comment, or up to there.
    mutating func takeLine(upTo end: Int) {
        let line = scalars[index..<end]
        takeBetweenValues(upTo: line.firstIndex(where: Self.breaksLine) ?? end)
    }

    /// Takes what is between two values up to there: blanks, what YAML marks things with, none of
    /// which is `#`, and comments, which are left out.
    mutating func takeBetweenValues(upTo end: Int) {
        var isComment = false
        for scalar in scalars[index..<end] {
            if Self.breaksLine(scalar) {
                // Without the comment between them two ends of lines would be one.
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
