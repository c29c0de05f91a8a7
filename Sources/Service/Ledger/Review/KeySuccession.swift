/// What the checkpoints of a ledger have to be signed with: the last ones with the key that the
/// ledger has, and those before a change of keys with the one that was changed then.
struct KeySuccession {
    private struct KeyPeriod {
        var first: Int64
        var key: VerificationKey
        /// Whether that was given, or signed that it came after one that is trusted.
        var isTrusted: Bool
    }

    /// The last ones come first.
    private var periods: [KeyPeriod]
    /// Whose key it has to be, in words.
    let name: String

    /// Where no key is given, the ledger's own word is taken.
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
