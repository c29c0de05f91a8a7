/// What a ledger keeps of its records.
public struct LedgerLimits: Hashable, Sendable {
    /// How many are kept: 10,000–100,000,000.
    public var records = 1_000_000
    /// How long one is kept at most: 30–7,305 days; nil for as long as there are no more than
    /// ``records``.
    public var age: Duration?
    /// How many bytes the ledger may take: 16 MB–1,000 GB; nil for all that the disk has.
    public var room: Int64?

    /// What is kept where nothing is said.
    public init() {}
}
