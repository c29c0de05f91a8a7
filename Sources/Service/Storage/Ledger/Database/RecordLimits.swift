/// How many records a ledger keeps, for how long, and in how much room. Totals are kept for good:
/// see ``Checkpoint``.
public struct RecordLimits: Hashable, Sendable {
    /// About five weeks of a busy gate, in 200 MB.
    public var count = 1_000_000
    /// The oldest age; nil for no limit but `count`.
    public var age: Duration?
    /// The largest size in bytes; nil for no limit.
    public var room: Int64?

    public init() {}
}
