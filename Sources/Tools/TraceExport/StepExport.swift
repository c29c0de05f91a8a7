public import StateMachines
public import Trace
public import Turnstile

/// Writes replayed steps in a format of its own, one after the other. It passes the text on in
/// pieces; the receiver notices failed writes.
public protocol StepExport {
    /// Begins the export at this moment, with the state after an earlier step, which is not written
    /// itself. Without this call, the export begins with the state after the first step.
    mutating func begin(at time: Instant, after step: ReplayedStep)
    mutating func add(_ step: ReplayedStep)
    /// Takes the levels of the outputs' lines at a moment after the last step, as when one coil of
    /// a lock is switched off; unchanged levels are ignored.
    mutating func setOutputs(at moment: Replay.Moment)
    /// Writes the rest. No step may follow.
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
    /// An export of these lines, those of every start in it; `write` takes the text piece by piece.
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
