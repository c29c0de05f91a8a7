/// How many records a ledger keeps, for how long, and in how much room. What they come to is kept
/// for good: see ``Checkpoint``.
public struct RecordLimits: Hashable, Sendable {
    /// How many records are kept: about five weeks of a busy gate, in 200 MB.
    public var count = 1_000_000
    /// How old they become; nil for as old as `count` allows.
    public var age: Duration?
    /// How many bytes the ledger may take; nil for all that the disk has.
    public var room: Int64?

    /// The default.
    public init() {}
}
