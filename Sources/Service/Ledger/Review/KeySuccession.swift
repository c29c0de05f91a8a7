/// The keys of a ledger's checkpoints: the present key, and before each change of keys the one that
/// was replaced.
struct KeySuccession {
    private struct KeyPeriod {
        var first: Int64
        var key: VerificationKey
        /// Whether the key was given, or a trusted key signed its replacement.
        var isTrusted: Bool
    }

    /// The latest first.
    private var periods: [KeyPeriod]
    /// Whose key is required, in words.
    let name: String

    /// Without a given key the ledger's own is trusted.
    init(
        _ key: VerificationKey, of checkpoints: [KeptCheckpoint], given: [VerificationKey]
    ) {
        name = given.isEmpty ? "the ledger's" : "the given"
        let isTrusted = given.isEmpty || given.contains(key)
        periods = [KeyPeriod(first: 0, key: key, isTrusted: isTrusted)]
        for kept in checkpoints.reversed() {
            guard case .key(let earlier) = kept.checkpoint.occasion else { continue }
            periods[periods.count - 1].first = kept.row
            let isVouchedFor = periods[periods.count - 1].isTrusted
            periods.append(
                KeyPeriod(
                    first: 0, key: earlier, isTrusted: isVouchedFor || given.contains(earlier)))
        }
    }

    func verify(_ kept: KeptCheckpoint, _ checkpoint: String) throws(Flaw) {
        guard let period = periods.first(where: { $0.first <= kept.row }),
            kept.signed.note.isSigned(by: period.key)
        else { throw .found("\(checkpoint) is not signed with the ledger's key") }
        guard period.isTrusted else {
            throw .found(
                "\(checkpoint) is signed with another key than the given one: \(period.key)")
        }
    }

    func hasSigned(_ note: SignedNote) -> Bool {
        periods.contains { $0.isTrusted && note.isSigned(by: $0.key) }
    }
}
