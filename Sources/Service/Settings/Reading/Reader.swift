/// Reads a tree by a schema, and keeps account of what is wrong and of where everything stands.
///
/// A *place* is a key with those above it: `hardware.outputs.alarm`; the empty place is the file.
struct Reader {
    let text: SourceText
    /// What is wrong so far, in no order.
    private(set) var problems: [SettingsProblem]
    /// What is allowed and rarely meant, so far, in no order.
    var warnings: [SettingsWarning] = []
    /// Whether the text was read to its end. Where not, a key may stand in the rest, so none is
    /// said to be missing.
    let isComplete: Bool

    /// Where each value that was found starts; for a section, where its key does.
    private var positions: [String: Position] = [:]
    /// The places that are known to be wrong, so that nothing is concluded from them.
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

    /// Notes that nothing is to be concluded from `place`.
    mutating func invalidate(_ place: String) { unsound.insert(place) }

    /// Reports what is wrong with the value at `place`, or with the section that it belongs in
    /// where it is not there.
    mutating func report(_ message: String, at place: String) {
        add("\(place): \(message)", at: position(of: place))
        invalidate(place)
    }

    /// Reports that a key is missing, unless it may yet come or was probably misspelt.
    mutating func reportMissing(_ name: String, in place: String, _ reason: String) {
        let missing = join(place, name)
        guard isComplete, !has(missing), isValid(missing) else { return }
        add(
            "missing key '\(name)' in \(title(of: place)): \(reason)", at: position(of: missing))
        invalidate(missing)
    }

    /// Whether something stands at `place`, right or wrong.
    func has(_ place: String) -> Bool { positions[place] != nil || unsound.contains(place) }

    /// The line on which something is said of `place` itself; nil where nothing is.
    func line(of place: String) -> Int? { positions[place]?.line }

    /// A duration for a sentence, which says where it is a default.
    func shown(_ duration: Duration, at place: String) -> String {
        positions[place] == nil ? "the default of \(duration.written)" : duration.written
    }

    /// Whether conclusions may be drawn from all these places: none is known to be wrong, nor any
    /// section that they belong in.
    func isValid(_ places: String...) -> Bool {
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
