import Turnstile

/// Reads nodes by a section, a format or a table.
extension Reader {
    /// Reads a section; missing keys keep their initial values.
    mutating func read<Target>(
        _ section: Section<Target>, at place: String, from node: Node?
    ) -> Target {
        var target = section.initial
        read(section, at: place, from: node, into: &target)
        return target
    }

    mutating func read<Target>(
        _ section: Section<Target>, at place: String, from node: Node?, into target: inout Target
    ) {
        guard let node else { return }
        if place.isEmpty { note(place, at: node.position) }
        guard let entries = entries(of: node, at: place, keys: section.keys) else { return }
        for key in section.keys {
            if let value = entries[key.name] {
                key.read(value, join(place, key.name), &target, &self)
            } else if case .required(let reason) = key.need {
                reportMissing(key.name, in: place, reason ?? key.summary)
            }
        }
    }

    /// The value of a key; nil for a mistake, which is reported.
    mutating func value<Value>(
        of node: Node, at place: String, _ format: Format<Value>
    ) -> Value? {
        switch node.content {
        case .refused: invalidate(place)
        case .sequence, .mapping:
            report("takes one value: allowed is \(format.allowed)", at: place)
        case .scalar(let scalar):
            let value = value(of: scalar, at: place, format)
            if value != nil, scalar.isPlain { warn(of: scalar, node.position, at: place, format) }
            return value
        }
        return nil
    }

    /// Warns of a name that YAML changed for want of quotes.
    private mutating func warn<Value>(
        of name: Scalar, _ position: Position, at place: String, _ format: Format<Value>
    ) {
        if Typo.isInTypographicQuotes(name.text) {
            warn(
                .typographicQuotes,
                "\(quoted(name.text)) has typographic quotation marks, which YAML takes for a part "
                    + "of the name: leave them out, or write '\"'",
                at: place)
        }
        // Whether a '#' could belong to the value at all.
        guard (try? format.read(name.saying(name.text + " #"))) != nil else { return }
        let line = text.scalars(from: position)
        let comment = line.dropFirst(name.text.unicodeScalars.count)
        guard line.starts(with: name.text.unicodeScalars),
            comment.starts(with: " #".unicodeScalars),
            let first = comment.dropFirst(2).first, first != " "
        else { return }
        warn(
            .commentInName,
            "is \(quoted(name.text)), since what follows a space and '#' is a comment: put all of "
                + "it in quotes, or write a space behind the '#'",
            at: place)
    }

    /// The value of a scalar; nil for a mistake, which is reported.
    private mutating func value<Value>(
        of scalar: Scalar, at place: String, _ format: Format<Value>
    ) -> Value? {
        guard !scalar.isNull else {
            report("has no value: allowed is \(format.allowed)", at: place)
            return nil
        }
        do throws(Mistake) {
            return try format.read(scalar)
        } catch {
            report(mistake(in: scalar, format) ?? error.message, at: place)
            return nil
        }
    }

    /// The typo in a value that is valid without it; nil for none.
    private func mistake<Value>(in scalar: Scalar, _ format: Format<Value>) -> String? {
        for (text, mistake) in Typo.meanings(of: scalar.text) {
            guard (try? format.read(scalar.saying(text))) != nil else { continue }
            return "\(quoted(scalar.text)): \(mistake) (did you mean \(quoted(text))?)"
        }
        return nil
    }

    /// The values of a key that takes one or a list; nil for a mistake, which is reported.
    mutating func values<Value>(
        of node: Node, at place: String, _ format: Format<Value>
    ) -> [Value]? {
        guard case .sequence(let items) = node.content else {
            return value(of: node, at: place, format).map { [$0] }
        }
        if items.isEmpty { report("is an empty list: allowed is \(format.allowed)", at: place) }
        let mistakes = problems.count
        var seen: Set<String> = []
        let values = numbered(items, at: place).compactMap { item, place in
            if case .scalar(let scalar) = item.content, !seen.insert(scalar.text).inserted {
                report("\(quoted(scalar.text)) is in the list already", at: place)
                return nil as Value?
            }
            return value(of: item, at: place, format)
        }
        return items.isEmpty || problems.count > mistakes ? nil : values
    }

    /// The items of a list of at most `limit`, each read by `body`; empty if it is no list, which
    /// is reported.
    mutating func items<Item>(
        of node: Node, at place: String, limit: Int,
        _ body: (Node, _ place: String, inout Reader) -> Item
    ) -> [Item] {
        switch node.content {
        case .refused: invalidate(place)
        case .scalar, .mapping:
            report("takes a list: write '- ' in front of each item", at: place)
        case .sequence(let items) where items.isEmpty || items.count > limit:
            report("has \(items.count) items: allowed is 1 to \(limit)", at: place)
        case .sequence(let items):
            return numbered(items, at: place).map { body($0, $1, &self) }
        }
        return []
    }

    /// The items of a list with their places, numbered from 1.
    private mutating func numbered(_ items: [Node], at place: String) -> [(Node, String)] {
        items.enumerated().map { number, item in
            let place = "\(place).\(number + 1)"
            note(place, at: item.position)
            return (item, place)
        }
    }

    /// A table's rows; nil for a mistake, which is reported.
    mutating func rows(
        of node: Node, at place: String, _ table: KeyTable
    ) -> [Int: Int]? {
        guard case .mapping(let pairs) = node.content, !pairs.isEmpty else {
            if case .refused = node.content {
                invalidate(place)
            } else {
                report("takes \(table.shape)", at: place)
            }
            return nil
        }
        let mistakes = problems.count
        var rows: [Int: Int] = [:]
        for (name, key, node) in distinct(pairs, at: place) {
            note(node, at: join(place, name.text), key: key)
            do throws(Mistake) {
                let column = try table.columns.read(name)
                rows[column] = value(of: node, at: join(place, name.text), table.values)
            } catch {
                let hint = table.exchanged(name, node).map {
                    "; keys are numbers of pulses, and values amounts: they look exchanged, as "
                        + "\($0) is written"
                }
                add("\(place): \(error.message)\(hint ?? "")", at: key)
            }
        }
        guard problems.count == mistakes else {
            invalidate(place)
            return nil
        }
        return rows
    }
}

// The pairs of mappings.
extension Reader {
    /// The values of a mapping by key. Reports unknown, duplicate and invalid keys.
    private mutating func entries<Target>(
        of node: Node, at place: String, keys: [Key<Target>]
    ) -> [String: Node]? {
        let names = keys.map(\.name)
        guard case .mapping(let pairs) = node.content else {
            return meantEntries(of: node, at: place, names: names)
        }
        var entries: [String: Node] = [:]
        var list: String?
        for (name, key, value) in distinct(pairs, at: place) {
            guard names.contains(name.text) else {
                // No longer than a message shows it, since anything may stand here.
                if value.isNull { list = list.map { String("\($0), \(name.text)".prefix(40)) } }
                if value.isNull, let list {
                    let hint = "a list is written in brackets: \(quoted(list + "]"))"
                    reportUnknown(name.text, in: place, names: names, at: key, hint)
                    continue
                }
                let typo = typo(in: name.text, with: value, names: names)
                reportUnknown(name.text, in: place, names: names, at: key, typo?.mistake)
                if let typo { take(typo, from: name.text, at: key, in: place, &entries) }
                continue
            }
            list = keys.first { $0.name == name.text }.flatMap { $0.beginning(ofList: value) }
            entries[name.text] = value
            note(value, at: join(place, name.text), key: key)
        }
        return entries
    }

    /// The pairs of a mapping at `place`. Reports duplicate and invalid keys.
    private mutating func distinct(
        _ pairs: [(key: Node, value: Node)], at place: String
    ) -> [(name: Scalar, key: Position, value: Node)] {
        var seen: [String: Position] = [:]
        return pairs.compactMap { key, value in
            guard case .scalar(let name) = key.content else {
                if case .refused = key.content { return nil }
                add("this is not a key, but a list or section", at: key.position)
                return nil
            }
            if let first = seen[name.text] {
                add(
                    "duplicate key \(quoted(name.text)) in \(title(of: place)), the first one is "
                        + "at \(first)", at: key.position)
                return nil
            }
            seen[name.text] = key.position
            return (name, key.position, value)
        }
    }

    /// Notes the position of a value; for a list or section, its key's.
    private mutating func note(_ value: Node, at place: String, key: Position) {
        if case .scalar = value.content {
            note(place, at: value.position)
        } else {
            note(place, at: key)
        }
    }

    /// The keys and values meant by a single value, which is reported: each line may have a typo.
    /// Nil if none is known.
    private mutating func meantEntries(
        of node: Node, at place: String, names: [String]
    ) -> [String: Node]? {
        var lines: [(text: String, position: Position)] = []
        if case .scalar(let scalar) = node.content, scalar.isPlain {
            lines = text.lines(of: scalar.text, from: node.position)
        }
        let typos = lines.map { Typo.behindKey(in: $0.text, isKey: names.contains) }
        guard typos.contains(where: { $0 != nil }) else {
            reportNoMapping(node, at: place, names: names)
            return nil
        }
        if typos.contains(where: { $0 == nil }) { invalidate(place) }
        var entries: [String: Node] = [:]
        for ((line, position), typo) in zip(lines, typos) {
            let hint = typo.map { " (\($0.mistake))" } ?? ""
            let value = "the value \(quoted(line))\(hint)"
            add("\(title(of: place)) takes \(Self.keys(names)), not \(value)", at: position)
            if let typo { take(typo, from: line, at: position, in: place, &entries) }
        }
        return entries
    }

    /// Reports a value where keys should be.
    private mutating func reportNoMapping(_ node: Node, at place: String, names: [String]) {
        invalidate(place)
        let keys = Self.keys(names)
        let problem: String
        switch node.content {
        case .refused, .mapping: return
        case .scalar(let scalar) where scalar.isNull:
            problem = "is empty: leave it out, or give it \(keys)"
        case .scalar(let scalar):
            problem = "takes \(keys), not the value \(quoted(scalar.text))"
        case .sequence: problem = "takes \(keys), not a list"
        }
        add("\(title(of: place)) \(problem)", at: position(of: place))
    }

    private static func keys(_ names: [String]) -> String {
        "keys (\(names.joined(separator: ", ")))"
    }

    /// The typo in a key without a value, or in one that swallowed its value; nil for none known.
    private func typo(in name: String, with value: Node, names: [String]) -> Typo.Found? {
        let typo = Typo.behindKey(in: name, isKey: names.contains)
        guard var typo, !value.isNull else { return typo }
        // `fire:{line: FIRE}`, of which the first colon is the typo.
        guard name.dropFirst(typo.key.count).first == ":" else { return nil }
        typo.value = nil
        return typo
    }

    /// Reads the intended value after the typo in a text at `position`.
    private mutating func take(
        _ typo: Typo.Found, from text: String, at position: Position, in place: String,
        _ entries: inout [String: Node]
    ) {
        guard entries[typo.key] == nil else { return }
        guard let meant = typo.value, !meant.isEmpty else {
            invalidate(join(place, typo.key))
            return
        }
        let before = text.unicodeScalars.count - meant.unicodeScalars.count
        let start = Position(line: position.line, column: position.column + before)
        let value = Node(line: meant, at: start)
        entries[typo.key] = value
        note(value, at: join(place, typo.key), key: position)
    }

    private mutating func reportUnknown(
        _ name: String, in place: String, names: [String], at position: Position, _ typo: String?
    ) {
        let elsewhere = Schema.places(of: name)
        let hint: String
        if let typo {
            hint = typo
        } else if let lookAlike = Typo.lookAlike(in: name) {
            hint = lookAlike
            invalidate(join(place, Typo.withoutLookAlikes(name)))
        } else if elsewhere.count == 1, let home = elsewhere.first {
            hint = "it belongs in \(title(of: home))"
            invalidate(join(home, name))
        } else if let nearest = nearest(to: name, in: place, names: names) {
            hint = "did you mean '\(nearest)'?"
            invalidate(join(place, nearest))
        } else {
            hint =
                "its \(names.count == 1 ? "key is" : "keys are") \(names.joined(separator: ", "))"
        }
        add("unknown key \(quoted(name)) in \(title(of: place)) (\(hint))", at: position)
    }

    /// The key that was probably meant. `fare_prise` in `fare` means `price`: people repeat the
    /// section's name.
    private func nearest(to name: String, in place: String, names: [String]) -> String? {
        let section = place.split(separator: ".").last.map { $0 + "_" } ?? ""
        let shortened = name.hasPrefix(section) ? String(name.dropFirst(section.count)) : name
        if names.contains(shortened) { return shortened }
        return Spelling.nearest(to: name, among: names)
            ?? Spelling.nearest(to: shortened, among: names)
    }
}
