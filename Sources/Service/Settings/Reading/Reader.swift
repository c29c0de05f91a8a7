/// Reads a tree by a schema, and collects mistakes, warnings and positions.
///
/// A *place* is a key with those above it: `hardware.outputs.alarm`; the empty place is the file.
struct Reader {
    let text: SourceText
    /// So far, unordered.
    private(set) var problems: [SettingsProblem]
    /// So far, unordered.
    var warnings: [SettingsWarning] = []
    /// Whether the text was read to its end. If not, no key is reported as missing.
    let isComplete: Bool

    /// The position of each value; for a section, its key's.
    private var positions: [String: Position] = [:]
    /// The invalid places, from which nothing is concluded.
    private var unsound: Set<String> = []

    init(_ text: SourceText, problems: [SettingsProblem], isComplete: Bool) {
        self.text = text
        self.problems = problems
        self.isComplete = isComplete
    }

    mutating func add(_ message: String, at position: Position) {
        problems.append(SettingsProblem(message, at: position))
    }

    mutating func note(_ place: String, at position: Position) { positions[place] = position }

    /// Marks `place` as invalid.
    mutating func invalidate(_ place: String) { unsound.insert(place) }

    /// Reports a mistake in the value at `place` or, if it is missing, its section.
    mutating func report(_ message: String, at place: String) {
        add("\(place): \(message)", at: position(of: place))
        invalidate(place)
    }

    /// Reports a missing key, unless it may follow or was probably misspelt.
    mutating func reportMissing(_ name: String, in place: String, _ reason: String) {
        let missing = join(place, name)
        guard isComplete, !has(missing), isValid(missing) else { return }
        add(
            "missing key '\(name)' in \(title(of: place)): \(reason)", at: position(of: missing))
        invalidate(missing)
    }

    /// Whether there is a value at `place`, valid or not.
    func has(_ place: String) -> Bool { positions[place] != nil || unsound.contains(place) }

    /// The line of `place` itself; nil for none.
    func line(of place: String) -> Int? { positions[place]?.line }

    /// A duration for a sentence, marked if it is a default.
    func shown(_ duration: Duration, at place: String) -> String {
        positions[place] == nil ? "the default of \(duration.written)" : duration.written
    }

    /// Whether all these places, and their sections, are valid.
    func isValid(_ places: String...) -> Bool {
        places.allSatisfy { place in
            ancestry(of: place).allSatisfy { !unsound.contains($0) }
        }
    }

    /// The position of `place`, or of its nearest section.
    func position(of place: String) -> Position {
        ancestry(of: place).lazy.compactMap { positions[$0] }.first ?? Position(line: 1, column: 1)
    }

    /// A place and its sections, from the inside out, ending with the file.
    private func ancestry(of place: String) -> [String] {
        var places = [place]
        while let dot = places[places.count - 1].utf8.lastIndex(of: UInt8(ascii: ".")) {
            places.append(String(places[places.count - 1][..<dot]))
        }
        return place.isEmpty ? places : places + [""]
    }

    func title(of place: String) -> String { place.isEmpty ? "the file" : "'\(place)'" }
}

func join(_ place: String, _ name: String) -> String {
    place.isEmpty ? name : "\(place).\(name)"
}
