/// Who wants something of the gate.
public enum Requester: Hashable, Sendable {
    /// A person at the gate, who pushed this contact, turned this key or moved this switch.
    case contact(Input)
    /// The weekly schedule.
    case schedule
    /// The owner's settings, read anew.
    case settings
    /// An operator, who may not see the gate.
    case person(Operator)
}

extension Requester {
    /// The operator; nil for people at the gate, and for the owner's schedule and settings.
    public var person: Operator? {
        switch self {
        case .person(let person): person
        case .contact, .schedule, .settings: nil
        }
    }
}

extension Requester {
    /// Who asks: `service_key`, `schedule`, `anna (1000)`.
    public var text: String {
        switch self {
        case .contact(let input): input.name
        case .schedule: "schedule"
        case .settings: "settings"
        case .person(let person): person.description
        }
    }

    /// Who asks for what; of a contact it is known.
    func asking(_ request: Request.Kind) -> String {
        switch self {
        case .contact: text
        case .schedule, .settings, .person: "\(request.rawValue) by \(text)"
        }
    }

    /// `, as anna (1000) asked`; nothing where nobody asked from afar.
    var asPerson: String { person.map { ", as \($0) asked" } ?? "" }
}

/// A person who operates gates from a desk. The name is stored inline, so that a record of their
/// request allocates nothing.
public struct Operator: Hashable, Sendable {
    /// The number, which is the user's where a system has users.
    public let number: UInt32
    private let first, second, third, fourth: UInt64

    /// The longest name, in bytes of UTF-8.
    public static let longestName = 32

    /// What a name must not hold.
    private static let unwritten: Set<Unicode.GeneralCategory> = [
        .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator,
    ]

    /// The operator of this number and name.
    ///
    /// Nil for a name that is empty, longer than ``longestName``, or holds what ends a word or a
    /// line, turns the direction of what is beside it, or is not seen: lines of the log have it.
    public init?(number: UInt32, name: String) {
        let bytes = Array(name.utf8)
        guard (1...Self.longestName).contains(bytes.count),
            !name.unicodeScalars.contains(where: {
                Self.unwritten.contains($0.properties.generalCategory)
            })
        else { return nil }
        func word(_ index: Int) -> UInt64 {
            bytes.dropFirst(index * 8).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.number = number
        (first, second, third, fourth) = (word(0), word(1), word(2), word(3))
    }

    /// The name.
    public var name: String {
        let bytes = [first, second, third, fourth].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
        }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension Operator: CustomStringConvertible {
    /// `anna (1000)`.
    public var description: String { "\(name) (\(number))" }
}

/// What became of a request.
public struct Answer: Hashable, Sendable {
    /// What was asked for.
    public var request: Request.Kind
    /// Who asked.
    public var requester: Requester
    /// What became of it.
    public var result: Result

    /// The answer to a request.
    public init(_ request: Request.Kind, by requester: Requester, _ result: Result) {
        self.request = request
        self.requester = requester
        self.result = result
    }

    /// What may become of a request.
    public enum Result: Hashable, Sendable {
        /// It is done, or was so already.
        case done
        /// It is done as soon as the gate allows it; a record tells when.
        case deferred
        /// It is not done, for this reason.
        case refused(Refusal)
    }
}

extension Answer {
    /// What is written down of it; nil where what came of the request tells enough.
    var record: Record? {
        switch (result, requester) {
        case (.refused(let refusal), _): .refused(request, by: requester, refusal)
        case (.deferred, .settings): .policyDeferred
        case (.deferred, .schedule): .scheduleDeferred
        // It is recorded who waits for which way.
        case (.deferred, .contact) where request == .grant: nil
        case (.deferred, .contact), (.deferred, .person): .deferred(request, by: requester)
        case (.done, .person): .done(request, by: requester)
        case (.done, .contact), (.done, .schedule), (.done, .settings): nil
        }
    }
}
