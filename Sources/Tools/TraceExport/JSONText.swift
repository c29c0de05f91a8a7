import Turnstile

extension String {
    var inJSON: String { FieldValue.text(self).description }
}

extension Sequence<String> {
    /// Values that are written in JSON already, as a list.
    var asJSONList: String { "[" + joined(separator: ", ") + "]" }
}
