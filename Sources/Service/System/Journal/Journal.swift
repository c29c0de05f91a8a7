public import Turnstile

/// Where the service writes down what happens.
public protocol Journal: AnyObject {
    /// Writes one entry. It never blocks and never fails: entries that cannot be taken are
    /// counted, and the count is written as soon as one can be. The entry is made only where
    /// somebody wants to read it.
    func write(_ entry: @autoclosure () -> JournalEntry)
}

/// One entry of the journal: a sentence for people, and fields for programs.
public struct JournalEntry: Hashable, Sendable {
    /// What kind of entry it is: 32 lower-case hexadecimal digits, the key into the catalog.
    public var messageID: String
    /// How much it matters.
    public var priority: Priority
    /// One sentence, or a sentence and a list, without a line feed at the end.
    public var message: String
    /// What a program may want to know, in this order.
    public var fields: [Field]

    /// An entry.
    public init(
        messageID: String, priority: Priority, message: String, fields: [Field] = []
    ) {
        self.messageID = messageID
        self.priority = priority
        self.message = message
        self.fields = fields
    }

    /// A name and a value. A name may come more than once in an entry.
    public struct Field: Hashable, Sendable {
        /// What the value tells.
        public var name: FieldName
        /// Any text.
        public var value: String

        /// A field.
        public init(_ name: FieldName, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The value of the first field called `name`.
    public subscript(name: FieldName) -> String? { fields.first { $0.name == name }?.value }
}

// The fields of an entry beside those that every program's entries have: those of the domain, as
// the journal spells names.
extension FieldName {
    private static let prefix = "TURNSTILE_"

    /// The name in the journal: `TURNSTILE_DIRECTION`.
    public var journalName: String { Self.prefix + rawValue.uppercased() }

    /// The field of this name in the journal; nil for a name that none has.
    public init?(journalName: some StringProtocol) {
        guard journalName.hasPrefix(Self.prefix) else { return nil }
        let name = journalName.dropFirst(Self.prefix.count)
        guard name == name.uppercased() else { return nil }
        self.init(rawValue: name.lowercased())
    }
}
