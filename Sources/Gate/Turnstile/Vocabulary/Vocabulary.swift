/// The one vocabulary of a gate: the names and fields of all that is recorded, told or asked.
///
/// Journal, ledger and whatever else tells of the gate spell values by it, each in its own way. A
/// name or field that was published never changes its meaning. docs/vocabulary.md has all of them.
public enum Vocabulary {
    /// Raised where what is written can no longer be read by the version before.
    ///
    /// Version 2 says what was asked for, and who asked. Version 3 says what was in doubt when the
    /// service ended.
    public static let version = 3
    /// The oldest version that is read.
    public static let oldestVersion = 1
}
