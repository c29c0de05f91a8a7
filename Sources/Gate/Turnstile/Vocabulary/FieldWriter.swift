/// Writes down the fields that it is taken through.
struct FieldWriter: FieldVisitor {
    var fields = Fields()

    private mutating func write(_ name: FieldName, _ value: FieldValue) {
        fields.all.append(Fields.Field(name, value))
    }

    mutating func field<Value: FieldConvertible>(
        _ name: FieldName, _ value: Value, before: Value?
    ) -> Value {
        write(name, value.fieldValue)
        return value
    }

    mutating func optional<Value: FieldConvertible>(_ name: FieldName, _ value: Value?) -> Value? {
        if let value { write(name, value.fieldValue) }
        return value
    }

    mutating func number(
        _ name: FieldName, _ value: Int64, _ type: FieldType, before: Int64?
    ) -> Int64 {
        write(name, .integer(value))
        return value
    }

    mutating func derived(_ name: FieldName, _ text: String?) {
        if let text { write(name, .text(text)) }
    }

    mutating func inline<Part: Named>(_ part: Part, as name: FieldName) -> Part {
        write(name, .text(part.name))
        return walk(through: part)
    }

    mutating func reject(_ name: FieldName) { assertionFailure("\(name) makes no value") }
}
