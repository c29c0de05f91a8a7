/// A value in a YAML text, and where it stands.
struct Node {
    var content: Content
    var position: Position

    var isNull: Bool { if case .scalar(let scalar) = content { scalar.isNull } else { false } }

    /// Whether it may be cut in two, as the last value before a mistake in the syntax: one that
    /// goes on in a further line has most likely swallowed a key there.
    fileprivate var isCut: Bool {
        if case .scalar(let scalar) = content { scalar.spansLines } else { false }
    }

    enum Content {
        /// One value. A plain one is written without quotes.
        case scalar(Scalar)
        case sequence([Node])
        /// Keys and values, in the order of the text.
        case mapping([(key: Node, value: Node)])
        /// Something that is refused wherever it stands, and has been reported.
        case refused
    }
}

extension Node {
    /// What is written in a line, or in a part of one, that begins at `start`; refused where that
    /// cannot be told.
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

/// One value as it is written.
struct Scalar {
    /// The text, without quotes.
    var text: String
    var isPlain: Bool
    /// Whether it goes on in a further line.
    var spansLines: Bool

    func saying(_ text: String) -> Scalar {
        Scalar(text: text, isPlain: isPlain, spansLines: spansLines)
    }

    var isNull: Bool { isPlain && ["", "~", "null", "Null", "NULL"].contains(text) }
}

/// The tree of a YAML text of one document, or as much of it as stands before a mistake.
struct YAMLTree {
    /// The top of the tree; nil for a text that says nothing.
    private(set) var root: Node?
    private(set) var problems: [SettingsProblem] = []
    /// Whether the whole text was read; a mistake in the syntax ends the reading.
    private(set) var isComplete = true
    /// Whether such a mistake has.
    private var wasCut = false

    private let text: SourceText
    private let end: Position
    /// The lines of the text that were mended, and the one that has to be next.
    private let mended: [MendedLine]
    private var toMend: MendedLine?

    /// How many lines are mended at most: each has the text read once more.
    private static let mostMended = 20

    /// The tree of `text`. A line with a typo that is known is told, and read as it was meant, so
    /// that the mistakes behind it are told as well.
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

    /// Reads the first document and reports the others.
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

    /// The next event, or nil after a mistake, which is reported here.
    private mutating func next(_ events: inout YAMLEvents) -> YAMLEvent? {
        guard isComplete else { return nil }
        do throws(YAMLFailure) {
            var event = try events.next()
            // libyaml puts the end of a text on a line of its own, even where there is none.
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

    /// The items of a list, without one that a mistake cut in two.
    private mutating func readSequence(_ events: inout YAMLEvents, depth: Int) -> [Node] {
        var items: [Node] = []
        while let event = next(&events) {
            if case .sequenceEnd = event.kind { return items }
            items.append(node(from: event, &events, depth: depth + 1))
        }
        if items.last?.isCut == true { items.removeLast() }
        return items
    }

    /// The pairs of a mapping, without one that a mistake cut in two.
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

    /// Reports what YAML has and a configuration of a safety device does without: it must say
    /// what it means where it stands.
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

    /// How deep nodes may lie inside each other: more than the settings need, and little enough
    /// for any stack.
    private static let maximumDepth = 10
}
