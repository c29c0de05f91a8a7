// What is asked of a record, beside its fields.

extension FieldVisitor {
    /// Hears of a record of this name, which never changes; of the others, see ``EntryKind``.
    mutating func says(
        _ name: String, id: String, _ priority: Priority, _ sentence: @autoclosure () -> String,
        subject: String, explanation: String
    ) {
        says(
            name,
            EntryKind(
                id: id, event: name, priority: priority, subject: subject,
                explanation: explanation),
            sentence())
    }
}

/// Gives back what it gets: what has no use for the fields.
protocol PassingVisitor: FieldVisitor {}

extension PassingVisitor {
    mutating func field<Value: FieldConvertible>(_ name: FieldName, _ value: Value) -> Value {
        value
    }
    mutating func optional<Value: FieldConvertible>(_ name: FieldName, _ value: Value?) -> Value? {
        value
    }
    mutating func number(_ name: FieldName, _ value: Int64, _ type: FieldType) -> Int64 { value }
    mutating func derived(_ name: FieldName, _ text: String?) {}
    mutating func inline<Part: Composite>(_ part: Part) -> Part { part }
    mutating func inline<Part: Named>(_ part: Part, as name: FieldName) -> Part { part }
    mutating func reject(_ name: FieldName) {}
}

/// Keeps the name.
struct NameTeller: PassingVisitor {
    private(set) var name = ""

    mutating func says(
        _ name: @autoclosure () -> String, _ kind: @autoclosure () -> EntryKind,
        _ sentence: @autoclosure () -> String
    ) {
        self.name = name()
    }
}

/// Keeps the kind of the entry, and what it says.
struct EntryTeller: PassingVisitor {
    private(set) var entry: (kind: EntryKind, sentence: String)?

    mutating func says(
        _ name: @autoclosure () -> String, _ kind: @autoclosure () -> EntryKind,
        _ sentence: @autoclosure () -> String
    ) {
        entry = (kind(), sentence())
    }
}
