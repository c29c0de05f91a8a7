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

/// The fields of an entry beside those that every program's entries have.
public enum FieldName: String, CaseIterable, Sendable {
    /// What happened: a name for each kind of entry.
    case event = "TURNSTILE_EVENT"
    /// The state of the gate after it.
    case state = "TURNSTILE_STATE"
    /// The credit after it, in minor units of the currency.
    case credit = "TURNSTILE_CREDIT"
    /// What the gate did about it; one field for each command.
    case command = "TURNSTILE_COMMAND"
    /// The code of the alarm or fault, which a technician looks up: `A1`, `F7`.
    case code = "TURNSTILE_CODE"
    /// The alarm that it is about.
    case alarm = "TURNSTILE_ALARM"
    /// Why a key or contact was refused.
    case refusal = "TURNSTILE_REFUSAL"
    /// The fault that it is about.
    case fault = "TURNSTILE_FAULT"
    /// The line that it is about, by its role.
    case line = "TURNSTILE_LINE"
    /// Which way somebody went: `entry`, `exit`.
    case direction = "TURNSTILE_DIRECTION"
    /// The mode of the direction from now on: `locked`, `controlled`, `free`.
    case mode = "TURNSTILE_MODE"
    /// The enforcement from now on: `weak`, `strong`.
    case enforcement = "TURNSTILE_ENFORCEMENT"
    /// What a passage was granted by: `credit`, `contact`, `free`.
    case authorisation = "TURNSTILE_AUTHORISATION"
    /// What a passage counts as: `paid`, `free`, `service`, `emergency`, `unauthorised`.
    case kind = "TURNSTILE_KIND"
    /// The coin acceptor: 1, 2 or 3.
    case acceptor = "TURNSTILE_ACCEPTOR"
    /// An amount, in minor units of the currency.
    case value = "TURNSTILE_VALUE"
    /// The number of pulses of a coin.
    case pulses = "TURNSTILE_PULSES"
    /// The number of things that it is about.
    case count = "TURNSTILE_COUNT"
    /// One register and what it shows since the gate was new, `name=value`; one field for each.
    case register = "TURNSTILE_REGISTER"
    /// The same since the coins were last collected.
    case collected = "TURNSTILE_COLLECTED"
    /// Why the registers were written down: `interval`, `collection`, `stop`.
    case occasion = "TURNSTILE_OCCASION"
    /// A time, in microseconds; that by which a clock was set back is negative.
    case duration = "TURNSTILE_DURATION_USEC"
    /// A key of the configuration: `passage.pass_wait`.
    case key = "TURNSTILE_KEY"
    /// What the key said before, as the file writes it; there is none where nothing was said.
    case old = "TURNSTILE_OLD"
    /// What the key says, likewise.
    case new = "TURNSTILE_NEW"
    /// The number of things that were lost.
    case lost = "TURNSTILE_LOST"
    /// The name of the hardware, or an error's whole sentence.
    case detail = "TURNSTILE_DETAIL"
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
