public import StateMachines
import System
public import Trace
import Turnstile

/// Writes steps as JSON Lines: an object for each, with all its decisions.
///
/// `monotonic_ns` and `time` say when it happened, the second as UTC by the wall clock;
/// `utc_offset` is the local offset in seconds. Then come the event, the verdict (with the reason
/// if nothing changes), the commands, the records with their sentences, the active inputs before
/// debouncing, the outputs whose lines are energised, the released ways, and the status after all
/// that. Names and fields are the vocabulary's.
public struct JSONExport: StepExport {
    private var sink: TextSink

    public init(write: @escaping (String) -> Void) { sink = TextSink(write) }

    /// Earlier steps are not written.
    public mutating func begin(at time: Instant, after step: ReplayedStep) {}

    public mutating func add(_ step: ReplayedStep) {
        var reason: String?
        if case .ignored(let why) = step.verdict { reason = "\(why)" }
        let (now, outputs) = (StepSnapshot(after: step), step.turnstile.gate.equipment.wiredOutputs)
        let line = JSON.object([
            ("monotonic_ns", .number(step.event.time.nanoseconds)),
            ("time", .text(step.utc.iso8601)), ("utc_offset", .number(Int64(step.clock.local))),
            // Its time is written already.
            ("event", .value(step.event.kind.fieldValue)), ("verdict", .text(step.verdict.name)),
            ("reason", reason.map { .text($0) }),
            ("commands", .array(step.commands.map { .value($0.fieldValue) })),
            ("records", .array(step.records.map(\.object))),
            ("active", .names(Input.allCases.filter { step.levels[$0] })),
            ("energised", .names(outputs.filter { now.energised[$0] })),
            ("released", .names(outputs.filter { now.released[$0] })),
            ("status", .fields(step.turnstile.status.fields)),
        ])
        sink.print("\(line)\n")
    }

    /// The next step has a line.
    public mutating func setOutputs(at moment: Replay.Moment) {}

    public mutating func finish() { sink.flush() }
}

extension Verdict {
    fileprivate var name: String {
        switch self {
        case .handled: "handled"
        case .ignored: "ignored"
        case .unhandled: "unhandled"
        }
    }
}

extension Record {
    fileprivate var object: JSON {
        .object([
            ("name", .text(name)), ("sentence", .text(entry.sentence)), ("fields", .fields(fields)),
        ])
    }
}

extension JSON {
    fileprivate static func names(_ words: [some Word]) -> JSON {
        .array(words.map { .text($0.name) })
    }
}
