public import StateMachines

/// Something that somebody wants of the gate.
///
/// Contacts, keys and switches decode to requests, the schedule and new settings make them, and an
/// operator sends the same ones: see ``Requester``. Every request has exactly one ``Answer``.
public enum Request: Hashable, Sendable {
    /// Let one person pass this way.
    case grant(Direction)
    /// Take back one authorisation for this way that nobody paid for and nobody has used yet.
    case withdraw(Direction)
    /// Have this mode in force for a direction, for good or until then, whatever the clock on the
    /// wall shows; nil for the one that the schedule and the settings ask for.
    case setMode(Direction, Mode?, until: Instant?)
    /// Have this enforcement in force, likewise; nil for the one that the schedule and the settings
    /// ask for.
    case setEnforcement(Enforcement?, until: Instant?)
    /// Have this mode in force for a direction until the clock on the wall shows this next.
    case setModeUntil(Direction, Mode, TimeOfDay)
    /// Have this enforcement in force until the clock on the wall shows this next.
    case setEnforcementUntil(Enforcement, TimeOfDay)
    /// The repair is complete: what waits for that is over.
    case confirmRepair
    /// The alarms were heard of: those whose cause is over end.
    case acknowledgeAlarms
    /// End the emergency.
    case resetEmergency
    /// Give the mechanic the gate, as soon as it is idle.
    case beginService
    /// Give it back, as soon as nobody is in the lane.
    case endService
    /// Test every output, one after the other; in service mode alone.
    case selfTest
    /// Test this output alone, for so long, or for as long as ``selfTest`` tests each; in service
    /// mode alone.
    case test(Output, for: Duration? = nil)
    /// The coins were collected, and counted so many minor units of the currency, up to
    /// ``mostCounted``; nil where nobody has counted them. Where a switch tells of the vault, it is
    /// the count of the collection that the switch told of.
    case collectCoins(counted: Int?)
    /// Have this policy in force, as soon as the gate is idle.
    indirect case adopt(Policy)
}

extension Request {
    /// What the coins in a vault come to at most, in minor units of the currency: a digit too many
    /// would stay in the books for good.
    public static let mostCounted: Int64 = 10_000_000_000

    /// What is asked for, without the details. The raw values never change.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// One for each case of ``Request``.
        case grant, withdraw
        case setMode = "set_mode"
        case setEnforcement = "set_enforcement"
        case setModeUntil = "set_mode_until"
        case setEnforcementUntil = "set_enforcement_until"
        case confirmRepair = "confirm_repair"
        case acknowledgeAlarms = "acknowledge_alarms"
        case resetEmergency = "reset_emergency"
        case beginService = "begin_service"
        case endService = "end_service"
        case selfTest = "self_test"
        case test
        case collectCoins = "collect_coins"
        case adopt = "adopt_policy"
    }

    /// What is asked for, without the details.
    public var kind: Kind {
        switch self {
        case .grant: .grant
        case .withdraw: .withdraw
        case .setMode: .setMode
        case .setEnforcement: .setEnforcement
        case .setModeUntil: .setModeUntil
        case .setEnforcementUntil: .setEnforcementUntil
        case .confirmRepair: .confirmRepair
        case .acknowledgeAlarms: .acknowledgeAlarms
        case .resetEmergency: .resetEmergency
        case .beginService: .beginService
        case .endService: .endService
        case .selfTest: .selfTest
        case .test: .test
        case .collectCoins: .collectCoins
        case .adopt: .adopt
        }
    }
}

/// Who wants something of the gate.
public enum Requester: Hashable, Sendable {
    /// Whoever pushed this contact, turned this key or moved this switch: somebody at the gate.
    case contact(Input)
    /// The weekly schedule.
    case schedule
    /// The owner's settings, read anew.
    case settings
    /// Somebody at a desk, who may not see the gate.
    case person(Operator)
}

extension Requester {
    /// Whoever asks from afar; nil for those at the gate, and for what the owner wrote down.
    public var person: Operator? {
        switch self {
        case .person(let person): person
        case .contact, .schedule, .settings: nil
        }
    }
}

/// Somebody who operates gates from a desk.
///
/// The name is kept in place, so that a record of what they asked for takes no memory.
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

    /// What became of what somebody asked for.
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
