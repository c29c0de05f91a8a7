/// The source of a request.
public enum Requester: Hashable, Sendable {
    /// A person at the gate, who pushed this contact, turned this key or moved this switch.
    case contact(Input)
    /// The weekly schedule.
    case schedule
    /// The owner's settings, reloaded.
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
    /// The requester: `service_key`, `schedule`, `anna (1000)`.
    public var text: String {
        switch self {
        case .contact(let input): input.name
        case .schedule: "schedule"
        case .settings: "settings"
        case .person(let person): person.description
        }
    }

    /// The requester with the request; a contact implies its request.
    func asking(_ request: Request.Kind) -> String {
        switch self {
        case .contact: text
        case .schedule, .settings, .person: "\(request.rawValue) by \(text)"
        }
    }

    /// `, as anna (1000) asked`; empty unless an operator asked.
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

    /// Characters that a name must not contain.
    private static let unwritten: Set<Unicode.GeneralCategory> = [
        .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator,
    ]

    /// The operator of this number and name.
    ///
    /// Nil for a name that is empty, longer than ``longestName``, or contains a blank, a line
    /// break, a change of direction or an invisible character: lines of the log contain it.
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

/// The answer to a request.
public struct Answer: Hashable, Sendable {
    /// The request's kind.
    public var request: Request.Kind
    /// Who asked.
    public var requester: Requester
    /// The result.
    public var result: Result

    /// The answer to a request.
    public init(_ request: Request.Kind, by requester: Requester, _ result: Result) {
        self.request = request
        self.requester = requester
        self.result = result
    }

    /// The possible results.
    public enum Result: Hashable, Sendable {
        /// It is done, or was so already.
        case done
        /// It is done as soon as the gate allows it; a record reports that.
        case deferred
        /// It is not done, for this reason.
        case refused(Refusal)
    }
}

extension Answer {
    /// The record of the answer; nil if the effect has one.
    var record: Record? {
        switch (result, requester) {
        case (.refused(let refusal), _): .refused(request, by: requester, refusal)
        case (.deferred, .settings): .policyDeferred
        case (.deferred, .schedule): .scheduleDeferred
        // The queue has a record of its own.
        case (.deferred, .contact) where request == .grant: nil
        case (.deferred, .contact), (.deferred, .person): .deferred(request, by: requester)
        case (.done, .person): .done(request, by: requester)
        case (.done, .contact), (.done, .schedule), (.done, .settings): nil
        }
    }
}
