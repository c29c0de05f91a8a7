// What is asked of a record, beside its fields.

/// One that has no use for the fields of a record, nor for those of what they are made of.
protocol RecordCollector: PassingVisitor {}

extension RecordCollector {
    mutating func inline<Part: Composite>(_ part: Part) -> Part { part }
}

/// Keeps the name.
struct NameCollector: RecordCollector {
    private(set) var name = ""

    mutating func formName(_ name: String) { self.name = name }

    mutating func journalEntry(
        _ name: String, id: String, _ priority: Priority, _ sentence: @autoclosure () -> String,
        subject: String, explanation: String
    ) {
        self.name = name
    }

    mutating func journalEntry(
        _ name: @autoclosure () -> String, _ kind: @autoclosure () -> EntryKind,
        _ sentence: @autoclosure () -> String
    ) {
        self.name = name()
    }
}

/// Keeps the kind of the entry, and what it says.
struct EntryCollector: RecordCollector {
    private(set) var entry: (kind: EntryKind, sentence: String)?

    mutating func journalEntry(
        _ name: String, id: String, _ priority: Priority, _ sentence: @autoclosure () -> String,
        subject: String, explanation: String
    ) {
        let kind = EntryKind(
            id: id, event: name, priority: priority, subject: subject, explanation: explanation)
        entry = (kind, sentence())
    }

    mutating func journalEntry(
        _ name: @autoclosure () -> String, _ kind: @autoclosure () -> EntryKind,
        _ sentence: @autoclosure () -> String
    ) {
        entry = (kind(), sentence())
    }
}
