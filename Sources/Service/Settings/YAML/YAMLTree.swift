/// A value in a YAML text, and its position.
struct Node {
    var content: Content
    var position: Position

    var isNull: Bool { if case .scalar(let scalar) = content { scalar.isNull } else { false } }

    /// Whether it may be cut, as the last value before a syntax error: a value of several lines has
    /// probably swallowed a key.
    fileprivate var isCut: Bool {
        if case .scalar(let scalar) = content { scalar.spansLines } else { false }
    }

    enum Content {
        /// A single value; a plain one has no quotes.
        case scalar(Scalar)
        case sequence([Node])
        /// In the order of the text.
        case mapping([(key: Node, value: Node)])
        /// Refused, and already reported.
        case refused
    }
}

extension Node {
    /// The node of a line, or a part of one, that begins at `start`; refused if that is unclear.
    init(line: String, at start: Position) {
        let tree = YAMLTree(SourceText(Array(line.utf8)))
        guard tree.problems.isEmpty, let root = tree.root else {
            self.init(content: .refused, position: start)
            return
        }
        self = root.moved(to: start)
    }

    /// The same of a line that begins at `start`.
    private func moved(to start: Position) -> Node {
        let content: Content =
            switch content {
            case .scalar, .refused: content
            case .sequence(let items): .sequence(items.map { $0.moved(to: start) })
            case .mapping(let pairs):
                .mapping(
                    pairs.map { pair in
                        (key: pair.key.moved(to: start), value: pair.value.moved(to: start))
                    })
            }
        let column = start.column + position.column - 1
        return Node(content: content, position: Position(line: start.line, column: column))
    }
}

/// A single value.
struct Scalar {
    /// The text, without quotes.
    var text: String
    var isPlain: Bool
    /// Whether it has several lines.
    var spansLines: Bool

    func saying(_ text: String) -> Scalar {
        Scalar(text: text, isPlain: isPlain, spansLines: spansLines)
    }

    var isNull: Bool { isPlain && ["", "~", "null", "Null", "NULL"].contains(text) }
}

/// The tree of a YAML text of one document, up to a syntax error.
struct YAMLTree {
    /// Nil for an empty text.
    private(set) var root: Node?
    private(set) var problems: [SettingsProblem] = []
    /// Whether the whole text was read, without a syntax error.
    private(set) var isComplete = true
    /// Whether a syntax error or too deep nesting ended the reading.
    private var wasCut = false

    private let text: SourceText
    private let end: Position
    /// The repaired lines of the text, and the one that has to be next.
    private let mended: [MendedLine]
    private var toMend: MendedLine?

    /// The most lines repaired: each has the text read once more.
    private static let mostMended = 20

    /// Reads `text`. A line with a known typo is reported, and read as intended, so that later
    /// mistakes are reported as well.
    init(_ text: SourceText) {
        self.init(text, mended: [])
        var typos: [SettingsProblem] = []
        var (mended, meant): ([MendedLine], SourceText) = ([], text)
        while let line = toMend, mended.count < Self.mostMended,
            !mended.contains(where: { $0.number == line.number }), let typo = problems.last
        {
            typos.append(typo)
            mended.append(line)
            meant = meant.replacing(line)
            self.init(meant, mended: mended)
        }
        if wasCut, let last = problems.indices.last {
            problems[last].message += "; the rest is checked once this is mended"
        }
        problems = typos + problems
    }

    private init(_ text: SourceText, mended: [MendedLine]) {
        (self.text, self.mended) = (text, mended)
        end = text.end
        YAMLEvents.of(text.bytes) { readDocuments(&$0) }
        if isComplete, root == nil {
            report("the file holds no settings", at: Position(line: 1, column: 1))
            isComplete = false
        }
    }

    private mutating func report(_ message: String, at position: Position) {
        problems.append(SettingsProblem(message, at: position))
    }

    /// Reads the first document and reports a second one.
    private mutating func readDocuments(_ events: inout YAMLEvents) {
        var count = 0
        while let event = next(&events) {
            switch event.kind {
            case .streamEnd: return
            case .documentStart:
                count += 1
                guard count > 1 else { continue }
                report(
                    "a second document starts here: one file holds the settings of one gate",
                    at: event.position)
                return
            case .streamStart, .documentEnd: continue
            case .alias, .scalar, .sequenceStart, .sequenceEnd, .mappingStart, .mappingEnd:
                let node = node(from: event, &events, depth: 1)
                if root == nil, !node.isNull { root = node }
            }
        }
    }

    /// Nil after a mistake, which is reported here.
    private mutating func next(_ events: inout YAMLEvents) -> YAMLEvent? {
        guard isComplete else { return nil }
        do throws(YAMLFailure) {
            var event = try events.next()
            // libyaml reports the end of a text on a line of its own.
            event.position = original(min(event.position, end))
            return event
        } catch {
            (isComplete, wasCut) = (false, true)
            if root?.isCut == true { root = nil }
            toMend = error.mendedLine(in: text)
            problems += error.problems(in: text).map {
                SettingsProblem($0.message, at: $0.position.map(original))
            }
            return nil
        }
    }

    private func original(_ position: Position) -> Position {
        mended.reduce(position) { $1.original($0) }
    }

    private mutating func node(
        from event: YAMLEvent, _ events: inout YAMLEvents, depth: Int
    ) -> Node {
        refuseProperties(of: event)
        guard depth <= YAMLTree.maximumDepth else {
            report(
                "more than \(YAMLTree.maximumDepth) sections inside each other",
                at: event.position)
            (isComplete, wasCut) = (false, true)
            return Node(content: .refused, position: event.position)
        }
        let content: Node.Content
        switch event.kind {
        case .scalar(let scalar): content = .scalar(scalar)
        case .sequenceStart: content = .sequence(readSequence(&events, depth: depth))
        case .mappingStart: content = .mapping(readMapping(&events, depth: depth))
        case .alias, .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd,
            .mappingEnd:
            content = .refused
        }
        return Node(content: content, position: event.position)
    }

    /// The items of a list, without one that a mistake cut.
    private mutating func readSequence(_ events: inout YAMLEvents, depth: Int) -> [Node] {
        var items: [Node] = []
        while let event = next(&events) {
            if case .sequenceEnd = event.kind { return items }
            items.append(node(from: event, &events, depth: depth + 1))
        }
        if items.last?.isCut == true { items.removeLast() }
        return items
    }

    /// The pairs of a mapping, without one that a mistake cut.
    private mutating func readMapping(
        _ events: inout YAMLEvents, depth: Int
    ) -> [(key: Node, value: Node)] {
        var pairs: [(key: Node, value: Node)] = []
        while let event = next(&events) {
            if case .mappingEnd = event.kind { return pairs }
            let key = node(from: event, &events, depth: depth + 1)
            guard let event = next(&events) else { return pairs }
            pairs.append((key, node(from: event, &events, depth: depth + 1)))
        }
        if pairs.last?.value.isCut == true { pairs.removeLast() }
        return pairs
    }

    /// Reports anchors, aliases and tags: the configuration of a safety device must be explicit.
    private mutating func refuseProperties(of event: YAMLEvent) {
        if case .alias = event.kind {
            report("an alias (*name) is not allowed: write the value out", at: event.position)
        }
        if event.hasAnchor {
            report(
                "an anchor (&name) is not allowed: write the value out where it is needed",
                at: event.position)
        }
        if event.hasTag {
            report("a tag (!name) is not allowed: each key knows its type", at: event.position)
        }
    }

    /// The deepest nesting: more than the settings need, and safe for any stack.
    private static let maximumDepth = 10
}
