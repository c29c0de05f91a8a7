/// Named values in an order: the form in which a value of the domain is written, sent and read.
///
/// Each writer has its own notation (a line each in the journal and in the ledger, an object of
/// JSON elsewhere), but no names of its own.
public struct Fields: Hashable, Sendable {
    /// One name and its value.
    public struct Field: Hashable, Sendable {
        /// The field's name.
        public var name: FieldName
        /// The value.
        public var value: FieldValue

        /// A field.
        public init(_ name: FieldName, _ value: FieldValue) {
            self.name = name
            self.value = value
        }
    }

    /// The fields, in their order. A name comes once.
    public var all: [Field]

    /// These fields.
    public init(_ all: [Field] = []) { self.all = all }

    /// The value of the field of this name; nil if it is absent. A new one is appended.
    public subscript(name: FieldName) -> FieldValue? {
        get { all.first { $0.name == name }?.value }
        set {
            all.removeAll { $0.name == name }
            if let newValue { all.append(Field(name, newValue)) }
        }
    }
}

/// The value of a field.
public enum FieldValue: Hashable, Sendable {
    /// Yes or no.
    case boolean(Bool)
    /// A whole number: of things, of minor units of the currency, of µs or ns.
    case integer(Int64)
    /// A name of a list, or any text.
    case text(String)
    /// Several values under names of their own.
    case fields(Fields)
    /// Several values.
    case list([FieldValue])
}

extension FieldValue {
    /// The boolean, also from its text.
    var boolean: Bool? {
        switch self {
        case .boolean(let isSo): isSo
        case .text("true"): true
        case .text("false"): false
        case .integer, .text, .fields, .list: nil
        }
    }

    /// The number. A text may spell it, as it would be written.
    public var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .text(let text): Int64(text).flatMap { "\($0)" == text ? $0 : nil }
        case .boolean, .fields, .list: nil
        }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The value on a line; nil for one that holds others.
    public var line: String? {
        switch self {
        case .boolean(let isSo): isSo ? "true" : "false"
        case .integer(let number): "\(number)"
        case .text(let text): text
        case .fields, .list: nil
        }
    }
}

extension Fields: CustomStringConvertible {
    /// The fields as an object of JSON.
    public var description: String {
        let pairs = all.map { "\($0.name.rawValue.quoted): \($0.value)" }
        return "{" + pairs.joined(separator: ", ") + "}"
    }
}

extension FieldValue: CustomStringConvertible {
    /// The value, in JSON.
    public var description: String {
        switch self {
        case .boolean(let isSo): isSo ? "true" : "false"
        case .integer(let number): "\(number)"
        case .text(let text): text.quoted
        case .fields(let fields): fields.description
        case .list(let values): "[" + values.map { $0.description }.joined(separator: ", ") + "]"
        }
    }
}

extension String {
    fileprivate var quoted: String {
        var quoted = "\""
        for scalar in unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                quoted += "\\\(scalar)"
            } else if scalar.isSteering {
                // JSON asks for this below U+0020 alone.
                for unit in String(Character(scalar)).utf16 {
                    let digits = String(unit, radix: 16)
                    quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
