/// Where the service writes down what happens.
public protocol Journal: AnyObject {
    /// Writes one entry. It never blocks and never fails: entries that cannot be taken are
    /// counted, and the count is written as soon as one can be.
    func write(_ entry: JournalEntry)
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
        /// Capital letters, digits and underscores, at most 64, with a letter first.
        public var name: String
        /// Any text.
        public var value: String

        /// A field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The value of the first field called `name`.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// How much an entry matters: the levels of syslog, of which these are in use.
public enum Priority: Int, CaseIterable, Comparable, Sendable {
    /// People are in danger or may be: somebody must come now.
    case critical = 2
    /// Something does not work.
    case error = 3
    /// Something may soon not work, or somebody should look.
    case warning = 4
    /// Normal and worth knowing.
    case notice = 5
    /// Normal.
    case info = 6
    /// For whoever looks for a mistake.
    case debug = 7

    /// Whether `a` matters more than `b`.
    public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
}
