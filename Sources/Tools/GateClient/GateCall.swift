public import StateMachines
public import System
public import Turnstile

/// Something that is asked of the gate, as the bus has it.
public struct GateCall: Hashable, Sendable {
    /// What is asked for.
    public let kind: Request.Kind
    /// The method.
    public let member: String
    /// Its arguments.
    public let arguments: [BusValue]
    /// The way that it is about, where it is about one.
    let direction: Direction?
    /// Whether the records name the settings as who asks, in place of the operator.
    let isBySettings: Bool

    private init(
        _ kind: Request.Kind, _ member: String, _ arguments: [BusValue] = [],
        direction: Direction? = nil, isBySettings: Bool = false
    ) {
        self.kind = kind
        self.member = member
        self.arguments = arguments
        self.direction = direction
        self.isBySettings = isBySettings
    }

    /// What a request asks for, at this moment.
    public init(_ request: Request, at now: Instant) {
        switch request {
        case .grant(let direction): self = .grant(direction)
        case .withdraw(let direction): self = .withdraw(direction)
        case .setMode(let direction, let mode, let end):
            self = .setMode(direction, mode, for: end.map { $0 - now })
        case .setEnforcement(let enforcement, let end):
            self = .setEnforcement(enforcement, for: end.map { $0 - now })
        case .setModeUntil(let direction, let mode, let clock):
            self = .setMode(direction, mode, until: clock)
        case .setEnforcementUntil(let enforcement, let clock):
            self = .setEnforcement(enforcement, until: clock)
        case .confirmRepair: self = .confirmRepair
        case .acknowledgeAlarms: self = .acknowledgeAlarms
        case .resetEmergency: self = .resetEmergency
        case .beginService: self = .beginService
        case .endService: self = .endService
        case .selfTest: self = .selfTest
        case .test(let output, let length): self = .drive(output, for: length)
        case .collectCoins(let counted):
            self = .collectCoins(counted: counted.map { Int64($0) })
        case .adopt(let policy):
            self = GateCall(.adopt, "AdoptPolicy", [BusValue(policy.fields)])
        }
    }

    /// Lets one person pass this way.
    public static func grant(_ direction: Direction) -> GateCall {
        GateCall(.grant, "Grant", [.string(direction.rawValue)], direction: direction)
    }

    /// Takes back a passage that nobody paid for and nobody has begun.
    public static func withdraw(_ direction: Direction) -> GateCall {
        GateCall(.withdraw, "Withdraw", [.string(direction.rawValue)], direction: direction)
    }

    /// Sets the mode of a direction, for so long or for good; nil for the ordinary one.
    public static func setMode(
        _ direction: Direction, _ mode: Mode?, for length: Duration? = nil
    ) -> GateCall {
        let arguments: [BusValue] = [
            .string(direction.rawValue), .string(mode?.rawValue ?? ""), term(length),
        ]
        return GateCall(.setMode, "SetMode", arguments, direction: direction)
    }

    /// Sets how alarms about passages are raised, likewise.
    public static func setEnforcement(
        _ enforcement: Enforcement?, for length: Duration? = nil
    ) -> GateCall {
        let arguments: [BusValue] = [.string(enforcement?.rawValue ?? ""), term(length)]
        return GateCall(.setEnforcement, "SetEnforcement", arguments)
    }

    /// Sets the mode of a direction until the gate's clock shows this next.
    public static func setMode(
        _ direction: Direction, _ mode: Mode, until clock: TimeOfDay
    ) -> GateCall {
        let arguments: [BusValue] = [
            .string(direction.rawValue), .string(mode.rawValue), BusValue(clock.fieldValue),
        ]
        return GateCall(.setModeUntil, "SetModeUntil", arguments, direction: direction)
    }

    /// Sets how alarms about passages are raised, likewise.
    public static func setEnforcement(
        _ enforcement: Enforcement, until clock: TimeOfDay
    ) -> GateCall {
        let arguments: [BusValue] = [.string(enforcement.rawValue), BusValue(clock.fieldValue)]
        return GateCall(.setEnforcementUntil, "SetEnforcementUntil", arguments)
    }

    /// Says that the repair is complete.
    public static let confirmRepair = GateCall(.confirmRepair, "ConfirmRepair")
    /// Ends the alarms whose cause is over.
    public static let acknowledgeAlarms = GateCall(.acknowledgeAlarms, "AcknowledgeAlarms")
    /// Ends the emergency.
    public static let resetEmergency = GateCall(.resetEmergency, "ResetEmergency")
    /// Takes the gate for service.
    public static let beginService = GateCall(.beginService, "BeginService")
    /// Gives it back.
    public static let endService = GateCall(.endService, "EndService")

    /// Tests every output.
    public static let selfTest = GateCall(.selfTest, "SelfTest")

    /// Drives one output, for so long or for as long as ``selfTest`` drives each.
    public static func drive(_ output: Output, for length: Duration? = nil) -> GateCall {
        GateCall(.test, "TestOutput", [.string(output.name), term(length)])
    }

    /// Has the settings read again; the answer says what is in them (``GateAnswer/settings``).
    public static let reloadSettings = GateCall(.adopt, "ReloadSettings", isBySettings: true)

    /// Says that the coins were collected, and what they came to where somebody counted them.
    public static func collectCoins(counted: Int64?) -> GateCall {
        GateCall(.collectCoins, "CollectCoins", [.int64(counted ?? -1)])
    }

    /// A duration in µs, where 0 is for good, or for the usual time; one that is shorter than that
    /// is as short as can be.
    private static func term(_ length: Duration?) -> BusValue {
        .uint64(length.map { UInt64(max(1, $0.wholeMicroseconds)) } ?? 0)
    }
}

/// What the gate answered.
public struct GateAnswer: Hashable, Sendable {
    /// What became of it.
    public var result: Answer.Result
    /// Whether what came of it is kept for good.
    public var isDurable: Bool
    /// What the settings say that were read again; nil where none were.
    public var settings: SettingsNews?

    /// What the settings say that were read again, a line each.
    public struct SettingsNews: Hashable, Sendable {
        /// What changed, and what is allowed and rarely meant.
        public var changes, warnings: [String]
    }

    /// An answer.
    public init(_ result: Answer.Result, isDurable: Bool, settings: SettingsNews? = nil) {
        self.result = result
        self.isDurable = isDurable
        self.settings = settings
    }

    /// The answer that a reply has.
    init(_ reply: BusMessage) throws(GateError) {
        guard reply.body.count >= 3, let result = reply.body[0].text,
            let refusal = reply.body[1].text, let isDurable = reply.body[2].boolean
        else { throw .unreadable("the answer is of types '\(reply.signature)'") }
        var fields = Fields()
        if !refusal.isEmpty { fields.all.append(.init(.refusal, .text(refusal))) }
        let lists = reply.body.dropFirst(3).compactMap { $0.elements?.compactMap(\.text) }
        let settings =
            lists.count == 2 ? SettingsNews(changes: lists[0], warnings: lists[1]) : nil
        do throws(FieldError) {
            self.init(
                try Answer.Result(result, fields), isDurable: isDurable, settings: settings)
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// The answer by the bus's names.
    public var values: [(String, BusValue)] {
        Self.values(of: result) + [("durable", .boolean(isDurable))] + (settings?.values ?? [])
    }

    /// A result by the bus's names.
    public static func values(of result: Answer.Result) -> [(String, BusValue)] {
        let refusal = result.fields[.refusal]?.line ?? ""
        return [("result", .string(result.name)), ("refusal", .string(refusal))]
    }
}

extension GateAnswer.SettingsNews {
    /// The same by the bus's names.
    fileprivate var values: [(String, BusValue)] {
        [("changes", .strings(changes)), ("warnings", .strings(warnings))]
    }
}
