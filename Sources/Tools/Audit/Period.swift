public import Ledger

public enum Period: Hashable, Sendable {
    /// What happened from one time up to another, by the clock on the wall, since 1970, UTC; nil
    /// for no bound.
    case times(from: Duration?, to: Duration?)
    /// What happened between two collections.
    case collection(Collection)

    /// Which collection it is up to.
    public enum Collection: Hashable, Sendable {
        /// The one of this number: the first was 1.
        case number(Int64)
        case last
        /// The next one: what has happened since the last one.
        case open
    }
}

public enum ReportError: Error, Hashable, CustomStringConvertible {
    case ledger(LedgerError)
    /// There is no collection of this number: those are that there were, and the next one.
    case noCollection(Int64?, last: Int64)

    public var description: String {
        switch self {
        case .ledger(let error): "\(error)"
        case .noCollection(nil, _): "the coins were never collected: allowed is 'open'"
        case .noCollection(let number?, let last):
            "there is no collection \(number): allowed is "
                + (last == 0 ? "" : "1 to \(last), and ")
                + "\(last + 1) or 'open' for the period since the last one"
        }
    }
}
