import Turnstile

/// Caches parsed records: most have the same words as others.
struct KnownRecords<Words: Hashable> {
    private var known: [Words: LedgerRecord.Content] = [:]
    /// A bound, since names of operators and amounts vary.
    private static var knownAtMost: Int { 4_096 }

    /// The content of a record with these words; `read` parses it if it is unknown.
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
