/// How much is kept of all that the gate decided, step by step.
public struct TraceSettings: Hashable, Sendable {
    /// How many bytes it may take: 2 MB–1 GB; nil for nothing that is kept.
    public var size: Int64? = 16_000_000
    /// How long a time it tells of: 1–720 h of the service's own.
    public var age = Duration.seconds(24 * 3600)

    /// What is kept where nothing is said.
    public init() {}
}
