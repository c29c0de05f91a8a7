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
