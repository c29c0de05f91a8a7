public import System
public import Turnstile

/// A method of the gate: one for each request that the domain knows, and those that ask something
/// of the service.
public struct GateMethod: Hashable, Sendable {
    public enum Purpose: Hashable, Sendable {
        case request(Request.Kind)
        /// To have the settings read again.
        case reload
        /// To hear of each edge of a line.
        case followEdges
        /// What only some gates can do.
        case extra
    }

    /// The name: `SetMode`.
    public let name: String
    public let arguments: [BusArgument]
    public let results: [BusArgument]
    public let purpose: Purpose

    /// The types of all arguments: `sst`.
    public var signature: String { arguments.map(\.signature).joined() }

    private init(
        _ name: String, _ arguments: [BusArgument] = [], results: [BusArgument] = [],
        _ purpose: Purpose
    ) {
        self.name = name
        self.arguments = arguments
        self.results = results
        self.purpose = purpose
    }

    /// The one for requests of this kind.
    public init(_ kind: Request.Kind) {
        let entry = kind.entry
        self.init(
            entry.method ?? GateInterface.member(kind.rawValue),
            Shape.Form(of: entry.form).fields.map { BusArgument($0, of: entry) },
            results: Self.answer, .request(kind))
    }

    /// The methods of every gate, in the order of the vocabulary.
    public static let all =
        Request.Kind.allCases.map { GateMethod($0) } + [reload, reloadSettings, followEdges]

    /// Has the settings read again, as `SIGHUP` does.
    public static let reload = GateMethod("Reload", results: [changes], .reload)
    /// The same, answered as a request is: ``reload`` does not tell what waits.
    public static let reloadSettings = GateMethod(
        "ReloadSettings", results: answer + [changes, BusArgument("warnings", "as")], .reload)
    /// Has whoever asks hear of each edge of a line.
    public static let followEdges = GateMethod(
        "FollowEdges", [BusArgument("lease_usec", "t")], .followEdges)
    /// Does something to a simulated gate, by the words of docs/scenarios.md; no other gate has it.
    public static let simulate = GateMethod("Simulate", [BusArgument("move", "s")], .extra)

    private static let changes = BusArgument("changes", "as")
}

// What a request is answered with.
extension GateMethod {
    private static let answer = [
        BusArgument("result", "s"), BusArgument("refusal", "s"), BusArgument("durable", "b"),
    ]

    /// The values of an answer.
    public static func answer(_ result: Answer.Result, isDurable: Bool) -> [BusValue] {
        let refusal = result.fields[.refusal]?.line ?? ""
        return [.string(result.name), .string(refusal), .boolean(isDurable)]
    }
}
