public import StateMachines

/// A request to the gate.
///
/// Contacts, keys and switches decode to requests, the schedule and new settings make them, and an
/// operator sends the same ones: see ``Requester``. Every request has exactly one ``Answer``.
public enum Request: Hashable, Sendable {
    /// Let one person pass this way.
    case grant(Direction)
    /// Let so many people pass this way, one after the other: all of them, or nobody.
    case grantGroup(Direction, count: Int)
    /// Take back one unpaid authorisation for this way that is not in use yet.
    case withdraw(Direction)
    /// Have this mode in force for a direction, for good or until then; nil for the schedule's.
    case setMode(Direction, Mode?, until: Instant?)
    /// Have this enforcement in force, likewise; nil for the schedule's.
    case setEnforcement(Enforcement?, until: Instant?)
    /// Have this mode in force for a direction until the clock on the wall shows this next.
    case setModeUntil(Direction, Mode, TimeOfDay)
    /// Have this enforcement in force until the clock on the wall shows this next.
    case setEnforcementUntil(Enforcement, TimeOfDay)
    /// The repair is complete: faults and alarms that wait for that end.
    case confirmRepair
    /// The alarms were heard of: those whose cause is over end.
    case acknowledgeAlarms
    /// End the emergency.
    case resetEmergency
    /// Begin service mode, as soon as the gate is idle.
    case beginService
    /// End service mode, as soon as the lane is clear.
    case endService
    /// Test every output, one after the other; in service mode alone.
    case selfTest
    /// Test this output alone, for so long or as long as ``selfTest`` does; in service mode alone.
    case test(Output, for: Duration? = nil)
    /// The coins were collected, and the count is so many minor units of the currency, up to
    /// ``mostCounted``; nil without a count. With a vault switch, it is the count of the collection
    /// that the switch recorded.
    case collectCoins(counted: Int?)
    /// Have this policy in force, as soon as the gate is idle.
    indirect case adopt(Policy)
}

// A request is described here, except its effect (`Gate.respond`): journal, bus on both sides,
// traces and the operator's command derive from it.

extension Request {
    /// The kind of a request, without its arguments. The raw values never change.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// One for each case of ``Request``.
        case grant
        case grantGroup = "grant_group"
        case withdraw
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

    /// The description of a kind of request.
    public struct Entry: Sendable {
        /// One of them, with which reading begins.
        public let form: Request
        /// The imperative: `Let one person pass.`
        public let does: String
        /// When an operator may make it from afar.
        let remote: RemoteRule
        /// The method of the bus; nil for the kind's name, as the bus spells it.
        public var method: String? = nil
        /// The method's name for the field `value`.
        public var value = "value"
    }

    /// When an operator, who does not see the gate, may make a request.
    enum RemoteRule {
        /// Always.
        case allowed
        /// If the owner allows it, where it would end a fault or an emergency.
        case repair
        /// If the owner allows it and the gate is empty.
        case emergencyReset
        /// If the owner allows it.
        case service
        /// If no other requester has the gate in service mode: a mechanic must not be surprised by
        /// it.
        case ownService
        /// The same, and the gate is empty.
        case leaving
    }

    /// The highest count of a vault, in minor units of the currency: a digit too many would stay in
    /// the books for good.
    public static let mostCounted: Int64 = 10_000_000_000
}

extension Request.Kind {
    /// The description of the kind.
    public var entry: Request.Entry {
        switch self {
        case .grant: .init(form: .grant(.entry), does: "Let one person pass.", remote: .allowed)
        case .grantGroup:
            .init(
                form: .grantGroup(.entry, count: 1),
                does: "Let a group pass, one after the other: all of them, or nobody.",
                remote: .allowed)
        case .withdraw:
            .init(
                form: .withdraw(.entry), does: "Withdraw an unpaid authorisation.",
                remote: .allowed)
        case .setMode:
            .init(
                form: .setMode(.entry, nil, until: nil), does: "Set who may pass in a direction.",
                remote: .allowed)
        case .setEnforcement:
            .init(
                form: .setEnforcement(nil, until: nil),
                does: "Set whether passage alarms sound the siren.", remote: .allowed)
        case .setModeUntil:
            .init(
                form: .setModeUntil(.entry, .free, .blank),
                does: "Set who may pass in a direction until a time of day.", remote: .allowed)
        case .setEnforcementUntil:
            .init(
                form: .setEnforcementUntil(.weak, .blank),
                does: "Set whether passage alarms sound the siren until a time of day.",
                remote: .allowed)
        case .confirmRepair:
            .init(
                form: .confirmRepair, does: "Confirm that the repair is complete.", remote: .repair)
        case .acknowledgeAlarms:
            .init(
                form: .acknowledgeAlarms, does: "Acknowledge alarms.",
                remote: .allowed)
        case .resetEmergency:
            .init(
                form: .resetEmergency, does: "End the emergency once its loop is closed.",
                remote: .emergencyReset)
        case .beginService:
            .init(
                form: .beginService, does: "Begin service mode once the gate is idle.",
                remote: .service)
        case .endService:
            .init(
                form: .endService, does: "End service mode once the lane is clear.",
                remote: .leaving)
        case .selfTest:
            .init(
                form: .selfTest,
                does: "Test every output in turn; needs service mode.",
                remote: .ownService)
        case .test:
            .init(
                form: .test(.lockEntry),
                does: "Drive one output for a time; needs service mode.",
                remote: .ownService, method: "TestOutput")
        case .collectCoins:
            .init(
                form: .collectCoins(counted: nil), does: "Report that the coins were collected.",
                remote: .allowed, value: "counted")
        case .adopt:
            .init(
                form: .adopt(.blank), does: "Adopt a policy, as soon as the gate is idle.",
                remote: .allowed)
        }
    }
}

extension Request: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "request" }
    /// One of each name.
    public static let forms = Kind.allCases.map { $0.entry.form }

    /// The kind, without the arguments.
    public var kind: Kind {
        var nobody = Passing()
        return visited(by: &nobody).kind
    }

    /// The name, which never changes: `grant`.
    public var name: String { kind.rawValue }

    /// The request's fields.
    public func visit(_ fields: inout some FieldVisitor) -> Request { visited(by: &fields).request }

    /// The kind, and the request with the visitor's values as its arguments.
    private func visited(
        by fields: inout some FieldVisitor
    ) -> (kind: Kind, request: Request) {
        switch self {
        case .grant(let direction): (.grant, .grant(fields.direction(direction)))
        case .grantGroup(let direction, let count):
            (
                .grantGroup,
                .grantGroup(
                    fields.direction(direction),
                    count: fields.count(.count, count, in: 1...Int64(Policy.mostStored)))
            )
        case .withdraw(let direction): (.withdraw, .withdraw(fields.direction(direction)))
        case .setMode(let direction, let mode, let until):
            (
                .setMode,
                .setMode(
                    fields.direction(direction), fields.optional(.mode, mode),
                    until: fields.optional(.until, until))
            )
        case .setEnforcement(let enforcement, let until):
            (
                .setEnforcement,
                .setEnforcement(
                    fields.optional(.enforcement, enforcement),
                    until: fields.optional(.until, until))
            )
        case .setModeUntil(let direction, let mode, let clock):
            (
                .setModeUntil,
                .setModeUntil(
                    fields.direction(direction), fields.field(.mode, mode),
                    fields.field(.timeOfDay, clock))
            )
        case .setEnforcementUntil(let enforcement, let clock):
            (
                .setEnforcementUntil,
                .setEnforcementUntil(
                    fields.field(.enforcement, enforcement), fields.field(.timeOfDay, clock))
            )
        case .confirmRepair: (.confirmRepair, self)
        case .acknowledgeAlarms: (.acknowledgeAlarms, self)
        case .resetEmergency: (.resetEmergency, self)
        case .beginService: (.beginService, self)
        case .endService: (.endService, self)
        case .selfTest: (.selfTest, self)
        case .test(let output, let length):
            (
                .test,
                .test(
                    fields.field(.output, output),
                    for: fields.optional(.duration, length.map(Microseconds.init))?.value)
            )
        case .collectCoins(let counted):
            (
                .collectCoins,
                .collectCoins(counted: fields.optional(.value, counted.map(Amount.init))?.value)
            )
        case .adopt(let policy): (.adopt, .adopt(fields.field(.policy, policy)))
        }
    }
}

extension Request.Kind: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "request_kind" }
}

/// For the kind of a request, without its fields.
private struct Passing: PassingVisitor {}
