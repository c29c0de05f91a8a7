import Hardware

/// Reads a tree by a schema, and keeps account of what is wrong and of where everything stands.
///
/// A *place* is a key with those above it: `hardware.outputs.alarm`; the empty place is the file.
struct Reader {
    /// What is wrong so far, in no order.
    private(set) var problems: [SettingsProblem]
    /// Whether the text was read to its end. Where not, a key may stand in the rest, so none is
    /// said to be missing.
    let isComplete: Bool

    /// Where each value that was found starts; for a section, where its key does.
    private var positions: [String: Position] = [:]
    /// The places that are known to be wrong, so that nothing is concluded from them.
    private var unsound: Set<String> = []

    /// A reader of a tree with these problems.
    init(problems: [SettingsProblem], isComplete: Bool) {
        self.problems = problems
        self.isComplete = isComplete
    }

    /// Reads a section, with its initial values where a key is left out.
    mutating func read<Target>(
        _ section: Section<Target>, at place: String, from node: Node?
    ) -> Target {
        var target = section.initial
        read(section, at: place, from: node, into: &target)
        return target
    }

    /// Reads a section into a target.
    mutating func read<Target>(
        _ section: Section<Target>, at place: String, from node: Node?, into target: inout Target
    ) {
        guard let node else { return }
        if place.isEmpty { positions[place] = node.position }
        guard let entries = entries(of: node, at: place, names: section.keys.map(\.name))
        else { return }
        for key in section.keys {
            if let value = entries[key.name] {
                key.read(value, join(place, key.name), &target, &self)
            } else if case .required(let reason) = key.need {
                reportMissing(key.name, in: place, reason ?? key.summary)
            }
        }
    }

    /// The value of a key, or nil for one that is wrong, which is reported.
    mutating func value<Value>(
        of node: Node, at place: String, _ format: Format<Value>
    ) -> Value? {
        switch node.content {
        case .refused: unsound.insert(place)
        case .sequence, .mapping:
            report("takes one value: allowed is \(format.allowed)", at: place)
        case .scalar(let scalar): return value(of: scalar, at: place, format)
        }
        return nil
    }

    /// The same of a value that is no list or section.
    private mutating func value<Value>(
        of scalar: Scalar, at place: String, _ format: Format<Value>
    ) -> Value? {
        guard !scalar.isNull else {
            report("has no value: allowed is \(format.allowed)", at: place)
            return nil
        }
        do throws(Complaint) {
            return try format.read(scalar)
        } catch {
            report(error.text, at: place)
            return nil
        }
    }

    /// The values of a key that takes one or a list of them; nil where one is wrong, which is
    /// reported where it stands.
    mutating func values<Value>(
        of node: Node, at place: String, _ format: Format<Value>
    ) -> [Value]? {
        guard case .sequence(let items) = node.content else {
            return value(of: node, at: place, format).map { [$0] }
        }
        if items.isEmpty { report("is an empty list: allowed is \(format.allowed)", at: place) }
        let values = numbered(items, at: place).map { value(of: $0, at: $1, format) }
        return items.isEmpty || values.contains { $0 == nil } ? nil : values.compactMap { $0 }
    }

    /// The items of a list of at most `limit`, as `body` reads each; empty where there is none,
    /// which is reported.
    mutating func items<Item>(
        of node: Node, at place: String, limit: Int,
        _ body: (Node, _ place: String, inout Reader) -> Item
    ) -> [Item] {
        switch node.content {
        case .refused: unsound.insert(place)
        case .scalar, .mapping:
            report("takes a list: write '- ' in front of each item", at: place)
        case .sequence(let items) where items.isEmpty || items.count > limit:
            report("has \(items.count) items: allowed is 1 to \(limit)", at: place)
        case .sequence(let items):
            return numbered(items, at: place).map { body($0, $1, &self) }
        }
        return []
    }

    /// The items of a list with their places, which are numbered from 1.
    private mutating func numbered(_ items: [Node], at place: String) -> [(Node, String)] {
        items.enumerated().map { number, item in
            let place = "\(place).\(number + 1)"
            positions[place] = item.position
            return (item, place)
        }
    }

    /// What a table says, or nil where some of it is wrong, which is reported.
    mutating func rows<Column, Value>(
        of node: Node, at place: String, _ table: Table<Column, Value>
    ) -> [Column: Value]? {
        guard case .mapping(let pairs) = node.content, !pairs.isEmpty else {
            if case .refused = node.content {
                unsound.insert(place)
            } else {
                report("takes \(table.shape)", at: place)
            }
            return nil
        }
        let mistakes = problems.count
        var rows: [Column: Value] = [:]
        for (name, key, node) in distinct(pairs, at: place) {
            note(node, at: join(place, name.text), key: key)
            do throws(Complaint) {
                let column = try table.columns.read(name)
                rows[column] = value(of: node, at: join(place, name.text), table.values)
            } catch {
                problems.append(SettingsProblem("\(place): \(error.text)", at: key))
            }
        }
        guard problems.count == mistakes else {
            unsound.insert(place)
            return nil
        }
        return rows
    }

    /// Reports what is wrong with the value at `place`, or with the section that it belongs in
    /// where it is not there.
    mutating func report(_ message: String, at place: String) {
        problems.append(SettingsProblem("\(place): \(message)", at: position(of: place)))
        unsound.insert(place)
    }

    /// Reports that a key is missing, unless it may yet come or was probably misspelt.
    mutating func reportMissing(_ name: String, in place: String, _ reason: String) {
        let missing = join(place, name)
        guard isComplete, !has(missing), isSound(missing) else { return }
        problems.append(
            SettingsProblem(
                "missing key '\(name)' in \(title(of: place)): \(reason)", at: position(of: missing)
            ))
        unsound.insert(missing)
    }

    /// Whether something stands at `place`, right or wrong.
    func has(_ place: String) -> Bool { positions[place] != nil || unsound.contains(place) }

    /// A duration for a sentence, which says where it is a default.
    func shown(_ duration: Duration, at place: String) -> String {
        positions[place] == nil ? "the default of \(duration.written)" : duration.written
    }

    /// Whether conclusions may be drawn from all these places: none is known to be wrong, nor any
    /// section that they belong in.
    func isSound(_ places: String...) -> Bool {
        places.allSatisfy { place in
            ancestry(of: place).allSatisfy { !unsound.contains($0) }
        }
    }

    /// Where the value at `place` stands, or else the nearest section that it belongs in.
    func position(of place: String) -> Position {
        ancestry(of: place).lazy.compactMap { positions[$0] }.first ?? Position(line: 1, column: 1)
    }

    /// A place and the sections that it lies in, from the inside out, ending with the file.
    private func ancestry(of place: String) -> [String] {
        var places = [place]
        while let dot = places[places.count - 1].lastIndex(of: ".") {
            places.append(String(places[places.count - 1][..<dot]))
        }
        return place.isEmpty ? places : places + [""]
    }
}

extension Reader {
    /// The values of a mapping by key. Reports keys that are unknown, doubled or no keys at all.
    private mutating func entries(
        of node: Node, at place: String, names: [String]
    ) -> [String: Node]? {
        guard case .mapping(let pairs) = node.content else {
            reportNoMapping(node, at: place, takes: "keys (\(names.joined(separator: ", ")))")
            return nil
        }
        var entries: [String: Node] = [:]
        for (name, key, value) in distinct(pairs, at: place) {
            guard names.contains(name.text) else {
                reportUnknown(name.text, in: place, names: names, at: key)
                continue
            }
            entries[name.text] = value
            note(value, at: join(place, name.text), key: key)
        }
        return entries
    }

    /// The pairs of a mapping at `place`. Reports keys that are doubled or no keys at all.
    private mutating func distinct(
        _ pairs: [(key: Node, value: Node)], at place: String
    ) -> [(name: Scalar, key: Position, value: Node)] {
        var seen: [String: Position] = [:]
        return pairs.compactMap { key, value in
            guard case .scalar(let name) = key.content else {
                if case .refused = key.content { return nil }
                problems.append(
                    SettingsProblem("this is not a key, but a list or section", at: key.position))
                return nil
            }
            if let first = seen[name.text] {
                problems.append(
                    SettingsProblem(
                        "duplicate key \(quoted(name.text)) in \(title(of: place)), the first one "
                            + "is at \(first)", at: key.position))
                return nil
            }
            seen[name.text] = key.position
            return (name, key.position, value)
        }
    }

    /// Notes where a value stands: what is no single value, where its key does.
    private mutating func note(_ value: Node, at place: String, key: Position) {
        if case .scalar = value.content {
            positions[place] = value.position
        } else {
            positions[place] = key
        }
    }

    /// Reports a value where a mapping should be.
    private mutating func reportNoMapping(_ node: Node, at place: String, takes what: String) {
        unsound.insert(place)
        let problem: String
        switch node.content {
        case .refused, .mapping: return
        case .scalar(let scalar) where scalar.isNull:
            problem = "is empty: leave it out, or give it \(what)"
        case .scalar(let scalar): problem = "takes \(what), not the value \(quoted(scalar.text))"
        case .sequence: problem = "takes \(what), not a list"
        }
        problems.append(SettingsProblem("\(title(of: place)) \(problem)", at: position(of: place)))
    }

    /// Reports a key that the section does not have.
    private mutating func reportUnknown(
        _ name: String, in place: String, names: [String], at position: Position
    ) {
        let elsewhere = Schema.places(of: name)
        let hint: String
        if elsewhere.count == 1, let home = elsewhere.first {
            hint = "it belongs in \(title(of: home))"
            unsound.insert(join(home, name))
        } else if let nearest = nearest(to: name, in: place, names: names) {
            hint = "did you mean '\(nearest)'?"
            unsound.insert(join(place, nearest))
        } else {
            hint =
                "its \(names.count == 1 ? "key is" : "keys are") \(names.joined(separator: ", "))"
        }
        problems.append(
            SettingsProblem(
                "unknown key \(quoted(name)) in \(title(of: place)) (\(hint))", at: position))
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

    /// The place for a sentence.
    private func title(of place: String) -> String { place.isEmpty ? "the file" : "'\(place)'" }

    /// The place of a key.
    private func join(_ place: String, _ name: String) -> String {
        place.isEmpty ? name : "\(place).\(name)"
    }
}
