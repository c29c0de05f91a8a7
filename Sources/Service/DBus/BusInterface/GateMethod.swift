public import System
public import Turnstile

/// A method of the gate: one for each request of the domain, and some of the service.
public struct GateMethod: Hashable, Sendable {
    public enum Purpose: Hashable, Sendable {
        case request(Request.Kind)
        /// Read the settings again.
        case reload
        /// Send the caller each edge of the lines.
        case followEdges
        /// A method that only some gates have.
        case extra
    }

    /// Such as `SetMode`.
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

    /// The method for requests of this kind.
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

    /// Reads the settings again, as `SIGHUP` does.
    public static let reload = GateMethod("Reload", results: [changes], .reload)
    /// The same, with the answer of a request: ``reload`` does not tell whether it was deferred.
    public static let reloadSettings = GateMethod(
        "ReloadSettings", results: answer + [changes, BusArgument("warnings", "as")], .reload)
    /// Sends the caller each edge of the lines, until the lease ends.
    public static let followEdges = GateMethod(
        "FollowEdges", [BusArgument("lease_usec", "t")], .followEdges)
    /// Makes a move at a simulated gate, in the words of docs/scenarios.md; other gates lack it.
    public static let simulate = GateMethod("Simulate", [BusArgument("move", "s")], .extra)

    private static let changes = BusArgument("changes", "as")
}

// The results of a request.
extension GateMethod {
    private static let answer = [
        BusArgument("result", "s"), BusArgument("refusal", "s"), BusArgument("durable", "b"),
    ]

    public static func answer(_ result: Answer.Result, isDurable: Bool) -> [BusValue] {
        let refusal = result.fields[.refusal]?.line ?? ""
        return [.string(result.name), .string(refusal), .boolean(isDurable)]
    }
}
