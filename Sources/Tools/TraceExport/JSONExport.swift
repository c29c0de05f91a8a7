public import StateMachines
public import Trace
import Turnstile

/// Writes steps in JSON Lines: an object for each, with all that was decided in it.
///
/// `monotonic_ns` and `time` say when it was, the second in UTC by the clock on the wall;
/// `utc_offset` is what local time is ahead of that, in seconds. Then come the event, the verdict
/// on it (with the reason of one that changes nothing), the commands, the records, each with its
/// sentence, the inputs that are active, bounces included, the outputs whose lines carry
/// "energised", the ways that are released, and the status after all that. Names and fields are
/// those of the vocabulary.
public struct JSONExport: StepExport {
    private var outlet: Outlet

    /// An export to whoever takes the lines.
    public init(write: @escaping (String) -> Void) { outlet = Outlet(write) }

    /// Nothing is written of what was before.
    public mutating func begin(at time: Instant, after step: ReplayedStep) {}

    /// Writes a line.
    public mutating func add(_ step: ReplayedStep) {
        var line = JSONObject()
        line.add("monotonic_ns", step.event.time.nanoseconds)
        line.add("time", step.utc.iso8601)
        line.add("utc_offset", Int64(step.clock.local))
        // When it happened is told already.
        line.add("event", json: step.event.kind.fieldValue.description)
        line.add("verdict", step.verdict.name)
        if case .ignored(let reason) = step.verdict { line.add("reason", "\(reason)") }
        line.add("commands", json: step.commands.map(\.fieldValue.description).asJSONList)
        line.add("records", json: step.records.map(\.object).asJSONList)
        let active = Input.allCases.filter { step.levels[$0] }
        line.add("active", json: active.map(\.name.inJSON).asJSONList)
        let (sight, equipment) = (Sight(after: step), step.turnstile.gate.equipment)
        for (name, outputs) in [("energised", sight.energised), ("released", sight.released)] {
            let names = equipment.wiredOutputs.filter { outputs[$0] }.map(\.name.inJSON)
            line.add(name, json: names.asJSONList)
        }
        line.add("status", json: step.turnstile.status.fields.description)
        outlet.print(line.text + "\n")
    }

    /// The next step has a line.
    public mutating func carry(at moment: Replay.Moment) {}

    /// Hands over what is left.
    public mutating func finish() { outlet.flush() }
}

extension Verdict {
    /// What became of an event, in a word.
    fileprivate var name: String {
        switch self {
        case .handled: "handled"
        case .ignored: "ignored"
        case .unhandled: "unhandled"
        }
    }
}

extension Record {
    /// The record's name, sentence and fields.
    fileprivate var object: String {
        var object = JSONObject()
        object.add("name", name)
        object.add("sentence", entry.sentence)
        object.add("fields", json: fields.description)
        return object.text
    }
}
