/// One kind of journal entry, with its text in the journal's catalog.
///
/// This is the one source of the message ids, of the catalog that `journalctl -x` shows, and of the
/// codes that a technician looks up. An id never changes its meaning: tools search for it.
public struct EntryKind: Hashable, Sendable {
    /// 32 lower-case hexadecimal digits, drawn at random once.
    public let id: String
    /// The name of the kind, in `TURNSTILE_EVENT`: stable as well.
    public let event: String
    /// How much entries of the kind matter.
    public let priority: Priority
    /// One line about the kind; `@NAME@` stands for the value of that field in the entry.
    public let subject: String
    /// Meaning and advice, in lines of at most 84 columns; `@NAME@` as above.
    public let explanation: String

    /// A kind of entry.
    public init(
        id: String, event: String, priority: Priority, subject: String, explanation: String
    ) {
        self.id = id
        self.event = event
        self.priority = priority
        self.subject = subject
        self.explanation = explanation
    }
}

/// The importance of an entry: the levels of syslog that are in use.
public enum Priority: Int, CaseIterable, Comparable, Sendable {
    /// People are in danger or may be: a mechanic must come now.
    case critical = 2
    /// Something does not work.
    case error = 3
    /// A failure is near, or an inspection is due.
    case warning = 4
    /// Normal and worth knowing.
    case notice = 5
    /// Normal.
    case info = 6
    /// For debugging.
    case debug = 7

    /// Whether `a` matters more than `b`.
    public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
}

/// The texts of an alarm or a fault.
struct EntryText {
    let sentence: String
    private let subject: String
    private let id: String
    private let priority: Priority
    private let explanation: String

    /// The subject of the entry is the sentence, unless that names the line.
    init(
        _ sentence: String, subject: String? = nil, id: String, _ priority: Priority,
        _ explanation: String
    ) {
        self.sentence = sentence
        self.subject = subject ?? sentence
        self.id = id
        self.priority = priority
        self.explanation = explanation
    }

    /// The kind of its entry; the family is `Alarm` or `Fault`.
    func kind(_ event: String, _ family: String) -> EntryKind {
        EntryKind(
            id: id, event: event, priority: priority,
            subject: "\(family) @TURNSTILE_CODE@: \(subject)", explanation: explanation)
    }
}
