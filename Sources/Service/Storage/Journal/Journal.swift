public import Turnstile

/// Where the service writes down what happens.
public protocol Journal: AnyObject {
    /// Writes one entry. It never blocks and never fails: entries that cannot be taken are
    /// counted, and the count is written as soon as one can be. `entry` is evaluated only if it
    /// will be read.
    func write(_ entry: @autoclosure () -> JournalEntry)
}

/// One entry of the journal: a sentence for people, and fields for programs.
public struct JournalEntry: Hashable, Sendable {
    /// The key into the catalog: 32 lower-case hexadecimal digits.
    public var messageID: String
    public var priority: Priority
    /// One sentence, or a sentence and a list, without a final line feed.
    public var message: String
    /// For programs, in this order.
    public var fields: [Field]

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
        public var name: FieldName
        /// Any text.
        public var value: String

        public init(_ name: FieldName, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The value of the first field called `name`.
    public subscript(name: FieldName) -> String? { fields.first { $0.name == name }?.value }
}
