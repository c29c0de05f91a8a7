import BusInterface
import StateMachines
import System
import Turnstile

/// A call of the interface of properties.
enum PropertyCall: Sendable {
    case get(String, of: String)
    case getAll(of: String)
    case set(String, of: String)

    /// Throws for invalid arguments; nil for another method.
    init?(_ call: BusMessage) throws(ArgumentError) {
        let texts = call.body.compactMap(\.text)
        let signature: String
        switch (call.member, call.signature) {
        case ("Get", "ss"):
            self = .get(texts[1], of: texts[0])
            return
        case ("GetAll", "s"):
            self = .getAll(of: texts[0])
            return
        case ("Set", "ssv"):
            self = .set(texts[1], of: texts[0])
            return
        case ("Get", let given): signature = "'ss' (interface, name), and this is '\(given)'"
        case ("GetAll", let given): signature = "'s' (interface), and this is '\(given)'"
        case ("Set", let given): signature = "'ssv', and this is '\(given)'; nothing can be set"
        case (.some, _), (nil, _): return nil
        }
        throw ArgumentError("\(call.member ?? "") takes \(signature)")
    }

    var interface: String {
        switch self {
        case .get(_, let interface), .getAll(let interface), .set(_, let interface): interface
        }
    }

    /// The requested property; nil for all.
    var name: String? {
        switch self {
        case .get(let name, _), .set(let name, _): name
        case .getAll: nil
        }
    }
}

/// The gate's properties on the bus: requests a snapshot of the gate after a change, at a limited
/// rate, answers callers, and signals changed values.
struct Display: Sendable {
    /// The least time between two snapshots, which cost the loop some time.
    static let interval: Duration = .milliseconds(50)
    static let mostReaders = 64

    private struct Reader: Sendable {
        var call: BusMessage
        var question: PropertyCall
    }

    private let facts: GateFacts
    /// From the last snapshot; nil without lines.
    private var values: PropertyValues?
    /// Whether the gate may have changed since the last snapshot was requested.
    private var isStale = true
    private var isLooking = false
    private var lastLook: Instant?
    private var readers: [Reader] = []

    init(_ facts: GateFacts) { self.facts = facts }

    /// When to request a snapshot; nil while none is needed, or one is pending.
    var deadline: Instant? {
        guard isStale, !isLooking else { return nil }
        return lastLook.map { $0 + Self.interval } ?? .zero
    }

    mutating func changed() { isStale = true }

    mutating func timePassed(at now: Instant) -> [Consequence] {
        guard let deadline, deadline <= now else { return [] }
        (isLooking, isStale, lastLook) = (true, false, now)
        return [.look]
    }

    mutating func take(_ snapshot: GateSnapshot?, at now: Instant) -> [Consequence] {
        isLooking = false
        let seen = snapshot?.values
        var effects: [Consequence] = []
        if let seen {
            let changed = GateProperty.all.compactMap { property in
                seen[property.name].flatMap {
                    $0 == values?[property.name] ? nil : (property.name, $0)
                }
            }
            if !changed.isEmpty {
                effects.append(
                    .send(
                        .signal(
                            "PropertiesChanged", on: GateInterface.properties,
                            at: GateInterface.path,
                            [.string(GateInterface.name), .dictionary(changed), .strings([])])))
            }
        }
        values = seen
        // Calls after the request are answered by the next snapshot.
        guard !isStale else { return effects }
        effects += readers.map { .send(answer($0.question, to: $0.call, at: now)) }
        readers = []
        return effects
    }

    /// Answers, at once or after the next snapshot.
    mutating func receive(_ call: BusMessage, at now: Instant) -> [Consequence] {
        let question: PropertyCall
        do throws(ArgumentError) {
            guard let known = try PropertyCall(call) else {
                let names = ["Get", "GetAll", "Set"]
                return [.send(call.unknownMethod(among: names))]
            }
            question = known
        } catch {
            return [.send(call.failed(.invalidArguments, error.text))]
        }
        if let failure = Self.failure(of: question, in: call) { return [.send(failure)] }
        let isFact = question.name.map { facts.values(at: now)[$0] != nil } ?? false
        guard !isFact, isStale || isLooking else {
            return [.send(answer(question, to: call, at: now))]
        }
        guard readers.count < Self.mostReaders else {
            return [.send(call.failed(.busy, "too many ask at once: try again"))]
        }
        readers.append(Reader(call: call, question: question))
        return []
    }

    mutating func end(_ reason: String) -> [Consequence] {
        defer { readers = [] }
        return readers.map { .send($0.call.failed(.unavailable, reason)) }
    }

    private static func failure(of question: PropertyCall, in call: BusMessage) -> BusMessage? {
        guard ["", GateInterface.name].contains(question.interface) else {
            return call.unknownInterface(question.interface, among: [GateInterface.name])
        }
        guard let name = question.name else { return nil }
        let names = GateProperty.all.map(\.name)
        guard names.contains(name) else {
            return call.failed(
                .unknownProperty,
                "no property '\(name)'" + Spelling.question(for: name, among: names))
        }
        guard case .set = question else { return nil }
        return call.failed(.readOnly, "\(name) can only be read")
    }

    private func answer(
        _ question: PropertyCall, to call: BusMessage, at now: Instant
    ) -> BusMessage {
        let known = facts.values(at: now) + (values ?? [])
        guard let name = question.name else {
            let all = GateProperty.all.compactMap { property in
                known[property.name].map { (property.name, $0) }
            }
            return call.reply([.dictionary(all)])
        }
        guard let value = known[name] else {
            return call.failed(.unavailable, "the gate has no lines yet, so there is no \(name)")
        }
        return call.reply([.variant(value)])
    }
}

extension BusMessage {
    @inline(never) func failed(_ failure: GateInterface.Failure, _ text: String) -> BusMessage {
        error(failure.rawValue, text)
    }

    func unknownMethod(among names: [String]) -> BusMessage {
        let name = member ?? ""
        return failed(
            .unknownMethod, "no method '\(name)'" + Spelling.question(for: name, among: names))
    }

    func unknownInterface(_ name: String, among names: [String]) -> BusMessage {
        failed(
            .unknownInterface, "no interface '\(name)'" + Spelling.question(for: name, among: names)
        )
    }
}
