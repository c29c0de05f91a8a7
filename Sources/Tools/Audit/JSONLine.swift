import Turnstile

/// An object of JSON on a line of its own.
struct JSONLine {
    private var pairs: [String] = []

    /// Adds a text.
    mutating func add(_ name: String, _ text: String) {
        add(name, json: FieldValue.text(text).description)
    }

    /// Adds a number.
    mutating func add(_ name: String, _ number: Int64) { add(name, json: "\(number)") }

    /// Adds what is written in JSON already.
    mutating func add(_ name: String, json: String) {
        pairs.append("\(FieldValue.text(name)): \(json)")
    }

    /// The object.
    var object: String { "{\(pairs.joined(separator: ", "))}" }

    /// The line with its end.
    var text: String { object + "\n" }
}
