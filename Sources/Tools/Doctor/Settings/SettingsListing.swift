public import Settings
import System
import Turnstile

/// The settings of a file, key by key, each value with its origin.
public struct SettingsListing: Sendable {
    public let file: String
    public let settings: Settings
    /// Every key that has a value, in the order of the documentation.
    public let entries: [SettingsEntry]
    /// The keys without a value, and when they are needed.
    public let unset: [(key: String, need: String)]

    public init(path: String) throws(SettingsErrors) {
        try self.init(Settings.read(path: path), file: path)
    }

    /// Parses `bytes`, the contents of `file`; `isVolatile` judges the ledger's path.
    public init(
        _ bytes: [UInt8], file: String,
        isVolatile: (String) -> Bool = Settings.isBelowVolatileFolder
    ) throws(SettingsErrors) {
        let placed = try PlacedSettings(bytes, file: file, isVolatile: isVolatile)
        let values = placed.values
        let keys = Set(values.map(\.key))
        self.file = file
        settings = placed.settings
        entries = values.compactMap { key, text, line in
            if let line {
                return SettingsEntry(key: key, value: text, origin: .file(file, line: line))
            }
            if let other = Self.sourceKey(of: key), keys.contains(other) {
                return SettingsEntry(key: key, value: text, origin: .key(other))
            }
            return Self.isMeaningless(key)
                ? nil : SettingsEntry(key: key, value: text, origin: .standard)
        }
        unset = PlacedSettings.unset(but: entries.map(\.key))
    }

    public subscript(key: String) -> SettingsEntry? { entries.first { $0.key == key } }

    /// The key whose value this one takes if it is not set.
    private static func sourceKey(of key: String) -> String? {
        for acceptor in ["coin.second.", "coin.third."] where key.hasPrefix(acceptor) {
            return "coin." + key.dropFirst(acceptor.count)
        }
        return key == "coin.meter_unit" ? "coin.unit" : nil
    }

    /// Whether the key has no default: a gate without it takes no coins.
    private static func isMeaningless(_ key: String) -> Bool {
        ["fare.price", "coin.unit"].contains(key)
    }
}

/// A key with its value.
public struct SettingsEntry: Hashable, Sendable {
    public enum Origin: Hashable, Sendable, CustomStringConvertible {
        case file(String, line: Int)
        /// As this key.
        case key(String)
        /// The default.
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

    /// The full key: `passage.pass_wait`.
    public var key: String
    /// The value as the file writes it: `5s`.
    public var value: String
    public var origin: Origin

    /// The entry in YAML, with the remark after its first line: `passage.pass_wait: 5s`. A list of
    /// sections has a line for each.
    func lines(_ remark: String) -> [(text: String, remark: String)] {
        guard value.hasPrefix("[{"), value.hasSuffix("}]") else {
            return [("\(key): \(value)", remark)]
        }
        let items = value.dropFirst(2).dropLast(2).split(separator: "}, {")
        return [("\(key):", remark)] + items.map { ("  - {\($0)}", "") }
    }

    /// The entry in JSON: `{"key": "passage.pass_wait", "value": "5s", "origin": "default"}`.
    fileprivate var json: JSON {
        .object([("key", .text(key)), ("value", .text(value)), ("origin", .text("\(origin)"))])
    }
}

// What is shown.
extension SettingsListing: CustomStringConvertible {
    /// YAML: a line for each key with its value, and its origin as a comment; unset keys come last.
    public var description: String {
        let values = entries.flatMap { $0.lines("\($0.origin)") }
        let others = unset.map { ("# \($0.key)", "not set: \($0.need)") }
        return aligned(values) + (others.isEmpty ? "" : "\n" + aligned(others))
    }

    public var json: String { entries.map { "\($0.json)\n" }.joined() }
}

/// Lines with their remarks in a column; a line that is too long moves only its own remark.
func aligned(_ lines: [(text: String, remark: String)]) -> String {
    let width = lines.filter { !$0.remark.isEmpty }.map(\.text.count).filter { $0 <= 56 }.max() ?? 0
    return lines.map { text, remark in
        remark.isEmpty ? "\(text)\n" : "\(text.padded(to: width))  # \(remark)\n"
    }.joined()
}
