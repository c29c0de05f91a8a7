public import System
public import Turnstile

extension BusValue {
    /// A field's value in D-Bus: a text is `s`, a boolean `b`, a number `x`; fields are `a{sv}`, a
    /// list `as`, `aa{sv}` or `av`.
    ///
    /// - Parameters:
    ///   - type: The field's type, which gives an empty list its signature.
    public init(_ value: FieldValue, as type: FieldType? = nil) {
        self =
            switch value {
            case .boolean(let isSo): .boolean(isSo)
            case .integer(let number): .int64(number)
            case .text(let text): .string(text)
            case .fields(let fields): BusValue(fields)
            case .list(let values): BusValue(list: values.map { BusValue($0) }, as: type)
            }
    }

    /// Fields, as `a{sv}`.
    public init(_ fields: Fields) {
        self = .dictionary(fields.all.map { ($0.name.rawValue, BusValue($0.value)) })
    }

    private init(list values: [BusValue], as type: FieldType?) {
        let signature = type.flatMap { $0.elementSignature } ?? values.first?.signature ?? "v"
        guard signature != "v", values.allSatisfy({ $0.signature == signature }) else {
            self = .array(of: "v", values.map { .variant($0) })
            return
        }
        self = .array(of: signature, values)
    }

    /// The value as a field's; nil for a type that the vocabulary lacks.
    public var fieldValue: FieldValue? {
        if let boolean { return .boolean(boolean) }
        if let integer { return .integer(integer) }
        if let text { return .text(text) }
        if pairs != nil { return fields.map { .fields($0) } }
        guard let elements else { return nil }
        let values = elements.compactMap(\.fieldValue)
        return values.count == elements.count ? .list(values) : nil
    }

    /// A dictionary as fields; nil if a name is unknown or duplicate, or a value is not a field's.
    public var fields: Fields? {
        guard let pairs else { return nil }
        var fields = Fields()
        for (key, value) in pairs {
            guard let name = FieldName(rawValue: key), fields[name] == nil,
                let value = value.fieldValue
            else { return nil }
            fields.all.append(Fields.Field(name, value))
        }
        return fields
    }
}

extension BusValue {
    /// The value that stands for an absent field: D-Bus has no optional values.
    public static func absent(_ type: FieldType) -> BusValue {
        switch type {
        case .boolean: .boolean(false)
        case .integer, .amount, .microseconds, .nanoseconds: .int64(0)
        case .text, .word: .string("")
        case .fields: .dictionary([])
        case .list: BusValue(.list([]), as: type)
        }
    }
}

extension FieldType {
    /// The D-Bus signature of such a field's values.
    public var busSignature: String {
        switch self {
        case .boolean: "b"
        case .integer, .amount, .microseconds, .nanoseconds: "x"
        case .text, .word: "s"
        case .fields: "a{sv}"
        case .list: "a" + (elementSignature ?? "v")
        }
    }

    /// The signature of a list's elements; nil for a list of lists, and for other types.
    fileprivate var elementSignature: String? {
        guard case .list(let element) = self else { return nil }
        if case .list = element { return nil }
        return element.busSignature
    }
}
