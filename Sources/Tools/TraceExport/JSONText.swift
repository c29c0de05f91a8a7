import Turnstile

/// An object of JSON in the making.
struct JSONObject {
    private var body = ""

    /// Adds a value that is written in JSON already.
    mutating func add(_ name: String, json: String) {
        if !body.isEmpty { body += ", " }
        body += "\"\(name)\": \(json)"
    }

    /// Adds a text.
    mutating func add(_ name: String, _ text: String) { add(name, json: text.inJSON) }

    /// Adds a number.
    mutating func add(_ name: String, _ number: Int64) { add(name, json: "\(number)") }

    /// The object.
    var text: String { "{\(body)}" }
}

extension String {
    /// The text as a string of JSON.
    var inJSON: String { FieldValue.text(self).description }
}

extension Sequence<String> {
    /// Values that are written in JSON already, as a list.
    var asJSONList: String { "[" + joined(separator: ", ") + "]" }
}
