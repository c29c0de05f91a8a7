public import Hardware
public import Turnstile

/// Settings, with the positions of their keys, to show them or to check the lines.
public struct PlacedSettings {
    public let settings: Settings
    private let reader: Reader

    /// `file` is the name in errors; `isVolatile` judges the ledger's path.
    public init(
        _ bytes: [UInt8], file: String,
        isVolatile: (String) -> Bool = Settings.isBelowVolatileFolder
    ) throws(SettingsErrors) {
        (settings, reader) = try Settings.read(bytes, file: file, isVolatile: isVolatile)
    }

    /// Every key with a value, defaults included, in the order of the documentation, with its line;
    /// nil if the file does not state it.
    public var values: [(key: String, text: String, line: Int?)] {
        Draft(settings).written.map { ($0.place, $0.text, reader.line(of: $0.place)) }
    }

    public func problem(_ message: String, with line: Line) -> SettingsProblem {
        problem(message, at: "\(place(of: line)).line")
    }

    /// An error about a chip, at its first mention.
    public func problem(_ message: String, with chip: ChipSelector) -> SettingsProblem {
        let wiring = settings.wiring
        let own = wiring.lines.filter { wiring.chip(of: $0) == chip }
            .map { "\(place(of: $0)).chip" }.filter(reader.has)
        let section = wiring.chip == chip ? "hardware.chip" : own.first ?? "hardware.chip"
        return problem(message, at: "\(section).\(chip.written.key)")
    }

    /// An error about a key, at its value or, for a default, its section.
    public func problem(_ message: String, at place: String) -> SettingsProblem {
        SettingsProblem("\(place): \(message)", at: reader.position(of: place))
    }

    private func place(of line: Line) -> String {
        switch line {
        case .input(let input): reader.place(of: input)
        case .output(let output): reader.place(of: output)
        }
    }
}

extension PlacedSettings {
    /// The keys that could be set beside the `known` ones, and when they are needed; absent
    /// sections without their keys. Alternatives to a stated key are left out.
    public static func unset(but known: [String]) -> [(key: String, need: String)] {
        unset(in: Schema.root.entries, at: "", but: known)
    }

    private static func unset(
        in entries: [SchemaEntry], at place: String, but known: [String]
    ) -> [(key: String, need: String)] {
        entries.flatMap { entry -> [(key: String, need: String)] in
            let key = join(place, entry.name)
            if known.contains(key) || isStatedOtherwise(key, known) { return [] }
            let isStated = place.isEmpty || known.contains { $0.hasPrefix("\(key).") }
            if case .section(let inner) = entry.form, isStated {
                return unset(in: inner, at: key, but: known)
            }
            // One that has a default and no value means nothing here.
            return entry.hasDefault ? [] : [(key, entry.fallback)]
        }
    }

    private static func isStatedOtherwise(_ key: String, _ known: [String]) -> Bool {
        let names = key.split(separator: ".")
        if names.contains("chip") { return true }
        // An acceptor has a unit or a table of values, or is as the first.
        guard let last = names.last, ["unit", "values"].contains(last) else { return false }
        let section = key.dropLast(last.count)
        return known.contains("\(section)\(last == "unit" ? "values" : "unit")")
    }
}
