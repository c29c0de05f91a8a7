public import Ledger

public enum Period: Hashable, Sendable {
    /// From one wall-clock time up to another, since 1970, UTC; nil for no bound.
    case times(from: Duration?, to: Duration?)
    /// Between two collections.
    case collection(Collection)

    /// The collection that ends the period.
    public enum Collection: Hashable, Sendable {
        /// The first is number 1.
        case number(Int64)
        case last
        /// The next one: the period since the last collection.
        case open
    }
}

public enum ReportError: Error, Hashable, CustomStringConvertible {
    case ledger(LedgerError)
    /// There is no collection of this number: 1 to `last`, and the next one, are allowed.
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
