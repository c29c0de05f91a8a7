public import StateMachines
public import Trace
public import Turnstile

/// Writes replayed steps in a format of its own, one after the other. It passes the text on in
/// pieces; the receiver notices failed writes.
public protocol StepExport {
    /// Has the export begin at this moment, with the state that the gate was in after an earlier
    /// step, which is not told itself. Where this is not called, the export begins with the state
    /// after the first step.
    mutating func begin(at time: Instant, after step: ReplayedStep)
    mutating func add(_ step: ReplayedStep)
    /// Takes what the outputs' lines carry at a moment behind the last step, as where one coil of a
    /// lock is switched off; whatever carried that already is no news.
    mutating func setOutputs(at moment: Replay.Moment)
    /// Writes what is left. No step may follow.
    mutating func finish()
}

/// The formats in which replayed steps are written down, by the names that people type.
public enum ExportFormat: String, CaseIterable, Sendable {
    /// A value change dump, for GTKWave and PulseView: ``VCDWriter``.
    case vcd
    /// Trace events, for Perfetto: ``PerfettoWriter``.
    case perfetto
    /// A line of JSON for each step: ``JSONExport``.
    case json
    /// A page for any browser: ``TracePage``.
    case html
}

extension ExportFormat {
    /// An export of these lines, which are those of every start that is told of; `write` takes the
    /// text piece by piece.
    public func export(
        of gate: String, with equipment: Equipment, to write: @escaping (String) -> Void
    ) -> any StepExport {
        switch self {
        case .vcd: VCDWriter(gate: gate, equipment: equipment, write: write)
        case .perfetto: PerfettoWriter(gate: gate, equipment: equipment, write: write)
        case .json: JSONExport(write: write)
        case .html: TracePage(gate: gate, equipment: equipment, write: write)
        }
    }
}
