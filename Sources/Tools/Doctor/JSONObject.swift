public import Turnstile

/// An object of JSON whose names are not the vocabulary's.
public struct JSONObject: Hashable, Sendable, CustomStringConvertible {
    /// The text: `{"key": "gate.name", "line": 3}`.
    public let description: String

    /// An object of these names and values, in this order; what has no value is left out.
    public init(_ pairs: KeyValuePairs<String, FieldValue?>) {
        self.init(texts: pairs.compactMap { name, value in value.map { (name, "\($0)") } })
    }

    /// One of names and values that are JSON already.
    public init(texts: [(name: String, value: String)]) {
        let pairs = texts.map { "\(FieldValue.text($0.name)): \($0.value)" }
        description = "{\(pairs.joined(separator: ", "))}"
    }
}

extension [JSONObject] {
    /// The objects as an array, on one line.
    public var json: String { "[\(map { "\($0)" }.joined(separator: ", "))]" }

    /// The objects, a line each.
    public var lines: String { map { "\($0)\n" }.joined() }
}
