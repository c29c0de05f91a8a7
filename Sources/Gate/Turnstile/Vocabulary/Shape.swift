/// The fields of a type's values: for documents, and for descriptions on the bus.
public struct Shape: Hashable, Sendable {
    /// One field.
    public struct Field: Hashable, Sendable {
        /// Its name.
        public var name: FieldName
        /// The type of its values.
        public var type: FieldType
        /// Whether it may be left out.
        public var isOptional = false
        /// Whether it follows from the others.
        public var isDerived = false
        /// The meaning before there was such a field; nil for one that was always there.
        public var before: FieldValue?
    }

    /// The fields of the values of one name.
    public struct Form: Hashable, Sendable {
        /// The name; empty where all values of the type have the same fields.
        public var name: String
        /// Their fields, in order.
        public var fields: [Field]

        /// The fields of the values of this one's name.
        @_semantics("optimize.sil.specialize.generic.never")
        public init<Value: Named>(of value: Value) {
            (name, fields) = (value.name, ShapeVisitor.fields(of: value))
        }

        fileprivate init<Value: Composite>(unnamed value: Value) {
            (name, fields) = ("", ShapeVisitor.fields(of: value))
        }
    }

    /// The name of the type in the vocabulary.
    public var title: String
    /// One form for each name.
    public var forms: [Form]

    /// The fields of a type without names.
    @_semantics("optimize.sil.specialize.generic.never")
    public init<Value: Composite>(of type: Value.Type) {
        title = type.title
        forms = [Form(unnamed: type.blank)]
    }

    /// The fields of each name.
    @_semantics("optimize.sil.specialize.generic.never")
    public init<Value: Named>(of type: Value.Type) {
        title = type.title
        forms = type.forms.map { Form(of: $0) }
    }
}

/// Notes which fields it is taken through.
private struct ShapeVisitor: FieldVisitor {
    private var fields: [Shape.Field] = []

    @_semantics("optimize.sil.specialize.generic.never")
    static func fields(of value: some Composite) -> [Shape.Field] {
        var visitor = ShapeVisitor()
        _ = visitor.walk(through: value)
        return visitor.fields
    }

    mutating func optional<Value: FieldConvertible>(_ name: FieldName, _ value: Value?) -> Value? {
        fields.append(Shape.Field(name: name, type: Value.fieldType, isOptional: true))
        return value
    }

    mutating func field<Value: FieldConvertible>(
        _ name: FieldName, _ value: Value, before: Value?
    ) -> Value {
        fields.append(Shape.Field(name: name, type: Value.fieldType, before: before?.fieldValue))
        return value
    }

    mutating func number(
        _ name: FieldName, _ value: Int64, _ type: FieldType, before: Int64?
    ) -> Int64 {
        fields.append(Shape.Field(name: name, type: type, before: before.map { .integer($0) }))
        return value
    }

    mutating func derived(_ name: FieldName, _ text: String?) {
        fields.append(Shape.Field(name: name, type: .text, isDerived: true))
    }

    @_semantics("optimize.sil.specialize.generic.never")
    mutating func inline<Part: Named>(_ part: Part, as name: FieldName) -> Part {
        fields.append(Shape.Field(name: name, type: .word(of: Part.title)))
        // A field of one form may be missing in the others.
        for form in Part.forms {
            for var field in Self.fields(of: form)
            where !fields.contains(where: { $0.name == field.name }) {
                field.isOptional = true
                fields.append(field)
            }
        }
        return part
    }

    mutating func reject(_ name: FieldName) {}
}
