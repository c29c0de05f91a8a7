import Turnstile

/// What records tell whose name and fields are these: most say what others have said.
struct KnownRecords {
    private struct Words: Hashable {
        var name: String
        var details: String
        var version: Int
    }

    private var known: [Words: LedgerRecord.Content] = [:]
    /// Names of operators and amounts may be many.
    private static let knownAtMost = 4_096

    /// What a record of this name and these fields tells.
    mutating func content(
        _ name: String, _ details: String, _ version: Int
    ) -> LedgerRecord.Content {
        let words = Words(name: name, details: details, version: version)
        if let told = known[words] { return told }
        let told = LedgerRecord.Content(name, details, version)
        if known.count >= Self.knownAtMost { known.removeAll(keepingCapacity: true) }
        known[words] = told
        return told
    }
}
