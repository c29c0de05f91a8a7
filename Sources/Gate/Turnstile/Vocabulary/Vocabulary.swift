/// The vocabulary of a gate: the names and fields of all records, reports and requests.
///
/// Journal, ledger and bus write values by it, each in its own notation. A published name or field
/// never changes its meaning. docs/vocabulary.md has all of them.
public enum Vocabulary {
    /// Raised when the previous version can no longer read what is written.
    ///
    /// Version 2 has requests and requesters. Version 3 has what was in doubt when the service
    /// ended.
    public static let version = 3
    /// The oldest version that is read.
    public static let oldestVersion = 1
}
