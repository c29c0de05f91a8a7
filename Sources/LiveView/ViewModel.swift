public import Turnstile

/// What the live view shows: one moment of a gate.
public struct ViewModel: Hashable, Sendable {
    /// The gate's name.
    public var gate: String
    /// What the gate is doing, and why.
    public var report: StatusReport
    /// Which inputs are active.
    public var levels: InputLevels
    /// Which outputs are energised.
    public var energised: OutputSet
    /// What the log said last, oldest first; as many are shown as there is room for.
    public var entries: [Entry]

    /// One moment of a gate.
    public init(
        gate: String, report: StatusReport, levels: InputLevels, energised: OutputSet,
        entries: [Entry]
    ) {
        self.gate = gate
        self.report = report
        self.levels = levels
        self.energised = energised
        self.entries = entries
    }

    /// One line of the log.
    public struct Entry: Hashable, Sendable {
        /// When it was written, as people read it.
        public var time: String
        /// What it says; of several lines one is made.
        public var text: String
        /// How much it matters.
        public var weight: Weight

        /// A line of the log.
        public init(_ text: String, at time: String, weight: Weight = .normal) {
            self.time = time
            self.text = text
            self.weight = weight
        }
    }

    /// How much a line of the log matters.
    public enum Weight: Hashable, Sendable {
        /// All is well.
        case normal
        /// Somebody should look.
        case warning
        /// Something does not work, or people are in danger.
        case severe
    }
}
