/// A value of JSON whose names are not the vocabulary's.
public indirect enum JSON: Sendable, CustomStringConvertible {
    case null
    case value(FieldValue)
    /// In this order; members without a value are omitted.
    case object([(String, JSON?)])
    case array([JSON])

    /// A whole number.
    public static func number(_ number: Int64) -> JSON { .value(.integer(number)) }
    /// A text, which is quoted and escaped.
    public static func text(_ text: String) -> JSON { .value(.text(text)) }
    /// The object that fields make.
    public static func fields(_ fields: Fields) -> JSON { .value(.fields(fields)) }

    /// The text, on one line.
    public var description: String {
        switch self {
        case .null: return "null"
        case .value(let value): return value.description
        case .object(let pairs):
            let members = pairs.compactMap { name, value in
                value.map { "\(FieldValue.text(name)): \($0)" }
            }
            return "{\(members.joined(separator: ", "))}"
        case .array(let values):
            return "[\(values.map { "\($0)" }.joined(separator: ", "))]"
        }
    }
}
