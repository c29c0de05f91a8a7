public import StateMachines
public import Turnstile

/// Identifies the recorded gate and the recording program; the state that follows has the rest for
/// a replay.
public struct TraceHeader: Hashable, Sendable {
    package var serviceVersion: String
    package var vocabulary: Int
    package var gate: String
    package var bootID: String
    /// With ``bootID`` it identifies the start.
    public var start: Instant
    package var isSimulated: Bool
    /// The settings in force, verbatim. They hold no secrets.
    public var settings: String

    public init(
        serviceVersion: String, gate: String, bootID: String, start: Instant, isSimulated: Bool,
        settings: String
    ) {
        self.serviceVersion = serviceVersion
        vocabulary = Vocabulary.version
        self.gate = gate
        self.bootID = bootID
        self.start = start
        self.isSimulated = isSimulated
        self.settings = settings
    }

    package func isOfSameStart(as other: TraceHeader) -> Bool {
        bootID == other.bootID && start == other.start
    }
}

extension TraceHeader: Composite {
    public static var title: String { "trace_header" }
    public static var blank: TraceHeader {
        TraceHeader(
            serviceVersion: "", gate: "", bootID: "", start: .zero, isSimulated: false,
            settings: "")
    }

    public func visit(_ fields: inout some FieldVisitor) -> TraceHeader {
        var header = TraceHeader(
            serviceVersion: fields.field(.serviceVersion, serviceVersion),
            gate: fields.field(.gate, gate), bootID: fields.field(.boot, bootID),
            start: fields.field(.since, start),
            isSimulated: fields.field(.isSimulated, isSimulated),
            settings: fields.field(.settings, settings))
        let known = Int64(Vocabulary.oldestVersion)...Int64.max
        header.vocabulary = fields.count(.vocabulary, vocabulary, in: known)
        return header
    }
}
