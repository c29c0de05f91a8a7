// Visitors that collect one aspect of a record, other than its fields.

/// A collector that ignores the fields of a record and their parts.
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

/// Collects the kind of the entry, and its text.
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
