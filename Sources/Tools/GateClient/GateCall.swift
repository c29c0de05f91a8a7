public import BusInterface
public import StateMachines
public import System
public import Turnstile

/// Something that is asked of the gate, as the bus has it.
public struct GateCall: Hashable, Sendable {
    public let kind: Request.Kind
    public let method: GateMethod
    public let arguments: [BusValue]
    /// The way that it is about, where it is about one.
    let direction: Direction?

    /// Whether the records name the settings as the requester, in place of the operator.
    var isBySettings: Bool { method == .reloadSettings }

    private init(_ kind: Request.Kind, _ method: GateMethod, _ fields: Fields, at now: Instant) {
        self.kind = kind
        self.method = method
        arguments = method.arguments.map { $0.value(of: fields, at: now) }
        direction = fields[.direction]?.line.flatMap(Direction.init)
    }

    /// A call of this request; its times count from `now`.
    public init(_ request: Request, at now: Instant = .zero) {
        self.init(request.kind, GateMethod(request.kind), request.fields, at: now)
    }

    /// Reads the settings again; the answer has their contents (``GateAnswer/settings``).
    public static let reloadSettings = GateCall(.adopt, .reloadSettings, Fields(), at: .zero)
}

public struct GateAnswer: Hashable, Sendable {
    public var result: Answer.Result
    /// Whether its effect is durable.
    public var isDurable: Bool
    /// The news about settings that were read again, if any.
    public var settings: SettingsNews?

    /// The changes and warnings of settings that were read again, a line each.
    public struct SettingsNews: Hashable, Sendable {
        public var changes, warnings: [String]
    }

    public init(_ result: Answer.Result, isDurable: Bool, settings: SettingsNews? = nil) {
        self.result = result
        self.isDurable = isDurable
        self.settings = settings
    }

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

    public var values: [(String, BusValue)] {
        let news = settings.map { [BusValue.strings($0.changes), .strings($0.warnings)] }
        let values = GateMethod.answer(result, isDurable: isDurable) + (news ?? [])
        return Array(zip(GateMethod.reloadSettings.results.map(\.name), values))
    }

    public static func values(of result: Answer.Result) -> [(String, BusValue)] {
        Array(GateAnswer(result, isDurable: true).values.prefix(2))
    }
}
