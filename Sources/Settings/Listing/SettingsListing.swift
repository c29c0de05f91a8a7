public import System
import Turnstile

/// The settings that a file comes to, key by key, and where each value comes from.
public struct SettingsListing: Hashable, Sendable {
    /// Where the file is.
    public let file: String
    /// What the file says, checked.
    public let settings: Settings
    /// Every key that has a value, in the order of the documentation.
    public let entries: [SettingsEntry]
    /// What could be set besides, and has no value: keys, and sections of which nothing is said.
    public let unset: [UnsetKey]

    /// A key, or a section, that has no value.
    public struct UnsetKey: Hashable, Sendable {
        /// The key with those above it: `hardware.inputs.home`.
        public var key: String
        /// When it is needed: `optional`.
        public var need: String
    }

    /// Reads the file at `path`.
    public init(path: String) throws(SettingsErrors) {
        try self.init(Settings.read(path: path), file: path)
    }

    /// What the text in `bytes` comes to, which stands in `file`; `isVolatile` judges the ledger's
    /// path.
    public init(
        _ bytes: [UInt8], file: String,
        isVolatile: (String) -> Bool = Settings.isBelowVolatileFolder
    ) throws(SettingsErrors) {
        let (settings, reader) = try Settings.read(bytes, file: file, isVolatile: isVolatile)
        let values = Draft(settings).written
        let places = Set(values.map(\.place))
        self.file = file
        self.settings = settings
        entries = values.compactMap { value in
            if let line = reader.line(of: value.place) {
                return SettingsEntry(value, .file(file, line: line))
            }
            if let other = Self.keyFollowed(by: value.place), places.contains(other) {
                return SettingsEntry(value, .key(other))
            }
            return Self.meansNothing(value.place) ? nil : SettingsEntry(value, .standard)
        }
        unset = Self.unset(in: Schema.root.entries, at: "", but: entries.map(\.key))
    }

    /// The entry of a key; nil where it has no value.
    public subscript(key: String) -> SettingsEntry? { entries.first { $0.key == key } }

    /// The key that this one is as, where nothing is said of it.
    private static func keyFollowed(by place: String) -> String? {
        for acceptor in ["coin.second.", "coin.third."] where place.hasPrefix(acceptor) {
            return "coin." + place.dropFirst(acceptor.count)
        }
        return place == "coin.meter_unit" ? "coin.unit" : nil
    }

    /// Whether a key of which nothing is said is without meaning, whatever the machine has there:
    /// nobody pays at such a gate.
    private static func meansNothing(_ place: String) -> Bool {
        ["fare.price", "coin.unit"].contains(place)
    }

    /// The keys without a value; of a section of which nothing is said, the section alone. One that
    /// is stated in another way, such as a chip, is none of them.
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

/// A key with its value.
public struct SettingsEntry: Hashable, Sendable {
    /// Where a value comes from.
    public enum Origin: Hashable, Sendable, CustomStringConvertible {
        /// It stands in this file, on this line.
        case file(String, line: Int)
        /// It is as that of another key.
        case key(String)
        /// Nothing is said of it: it is the default.
        case standard

        /// `/etc/turnstiled/turnstiled.yaml:12`, `as coin.unit`, `default`.
        public var description: String {
            switch self {
            case .file(let path, let line): "\(path):\(line)"
            case .key(let key): "as \(key)"
            case .standard: "default"
            }
        }
    }

    /// The key with those above it: `passage.pass_wait`.
    public var key: String
    /// The value as the file writes it: `5s`.
    public var value: String
    /// Where the value comes from.
    public var origin: Origin

    init(_ written: WrittenValue, _ origin: Origin) {
        key = written.place
        value = written.text
        self.origin = origin
    }

    /// The entry in YAML, with the remark behind its first line: `passage.pass_wait: 5s`. A list of
    /// sections has a line for each.
    func lines(_ remark: String) -> [(text: String, remark: String)] {
        guard value.hasPrefix("[{"), value.hasSuffix("}]") else {
            return [("\(key): \(value)", remark)]
        }
        let items = value.dropFirst(2).dropLast(2).split(separator: "}, {")
        return [("\(key):", remark)] + items.map { ("  - {\($0)}", "") }
    }

    /// The entry in JSON: `{"key": "passage.pass_wait", "value": "5s", "origin": "default"}`.
    public var json: JSONObject {
        JSONObject(["key": .text(key), "value": .text(value), "origin": .text("\(origin)")])
    }
}

// What is shown.
extension SettingsListing: CustomStringConvertible {
    /// A line for each key with its value, in YAML: where it comes from stands behind `#`, and what
    /// could be set besides comes last.
    public var description: String {
        let values = entries.flatMap { $0.lines("\($0.origin)") }
        let others = unset.map { ("# \($0.key)", "not set: \($0.need)") }
        return remarked(values) + (others.isEmpty ? "" : "\n" + remarked(others))
    }

    /// The keys with their values in JSON.
    public var json: String { entries.map(\.json).json }
}

/// Lines with their remarks behind them, one below the other; a long one pushes its own aside.
func remarked(_ lines: [(text: String, remark: String)]) -> String {
    let width = lines.filter { !$0.remark.isEmpty }.map(\.text.count).filter { $0 <= 56 }.max() ?? 0
    return lines.map { text, remark in
        if remark.isEmpty { return "\(text)\n" }
        return text + String(repeating: " ", count: max(0, width - text.count)) + "  # \(remark)\n"
    }.joined()
}
