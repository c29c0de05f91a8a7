import Turnstile

/// What records tell that say what others have said, as most do: it is read once.
struct KnownRecords<Words: Hashable> {
    private var known: [Words: LedgerRecord.Content] = [:]
    /// Names of operators and amounts may be many.
    private static var knownAtMost: Int { 4_096 }

    /// What a record of these words tells, which `read` finds out where it is not known.
    mutating func content(
        of words: Words, _ read: () -> LedgerRecord.Content
    ) -> LedgerRecord.Content {
        if let told = known[words] { return told }
        let told = read()
        if known.count >= Self.knownAtMost { known.removeAll(keepingCapacity: true) }
        known[words] = told
        return told
    }
}
