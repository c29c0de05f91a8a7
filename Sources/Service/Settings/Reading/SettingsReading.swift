/// What a file says, key by key and with the lines: for those who show settings.
public struct SettingsReading: Sendable {
    /// A key that has a value, whether the file says so or not.
    public struct Value: Sendable {
        /// The key with those above it: `passage.pass_wait`.
        public var key: String
        /// The value as the file writes it: `5s`.
        public var text: String
        /// The line on which it stands; nil where the file says nothing of it.
        public var line: Int?
    }

    /// A key, or a section, that has no value.
    public struct UnsetKey: Sendable {
        /// The key with those above it: `hardware.inputs.home`.
        public var key: String
        /// When it is needed: `optional`.
        public var need: String
    }

    /// The settings.
    public let settings: Settings
    /// Every key that has a value, in the order of the documentation.
    public let values: [Value]

    /// Reads the text in `bytes`, which stands in `file`; `isVolatile` judges the ledger's path.
    public init(
        _ bytes: [UInt8], file: String, isVolatile: (String) -> Bool
    ) throws(SettingsErrors) {
        let (settings, reader) = try Settings.read(bytes, file: file, isVolatile: isVolatile)
        self.settings = settings
        values = Draft(settings).written.map {
            Value(key: $0.place, text: $0.text, line: reader.line(of: $0.place))
        }
    }

    /// What could be set besides the `known` keys: keys, and of sections of which nothing is said
    /// the section alone. One that is stated in another way, such as a chip, is none of them.
    public static func unset(but known: [String]) -> [UnsetKey] {
        unset(in: Schema.root.entries, at: "", but: known)
    }

    private static func unset(
        in entries: [SchemaEntry], at place: String, but known: [String]
    ) -> [UnsetKey] {
        entries.flatMap { entry -> [UnsetKey] in
            let key = place.isEmpty ? entry.name : "\(place).\(entry.name)"
            if known.contains(key) || isStatedOtherwise(key, known) { return [] }
            let isStated = place.isEmpty || known.contains { $0.hasPrefix("\(key).") }
            if case .section(let inner) = entry.form, isStated {
                return unset(in: inner, at: key, but: known)
            }
            // One that has a default and no value means nothing here.
            return entry.hasDefault ? [] : [UnsetKey(key: key, need: entry.fallback)]
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
