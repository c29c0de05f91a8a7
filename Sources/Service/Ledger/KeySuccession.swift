/// What the checkpoints of a ledger have to be signed with: the last ones with the key that the
/// ledger has, and those before a change of keys with the one that was changed then.
struct KeySuccession {
    private struct Reign {
        var first: Int64
        var key: VerificationKey
        /// Whether that was given, or signed that it came after one that is trusted.
        var isTrusted: Bool
    }

    /// The last ones come first.
    private var reigns: [Reign]
    /// Whose key it has to be, in words.
    let name: String

    /// Where no key is given, the ledger's own word is taken.
    init(
        _ key: VerificationKey, of checkpoints: [KeptCheckpoint], given: [VerificationKey]
    ) {
        name = given.isEmpty ? "the ledger's" : "the given"
        let isTrusted = given.isEmpty || given.contains(key)
        reigns = [Reign(first: 0, key: key, isTrusted: isTrusted)]
        for kept in checkpoints.reversed() {
            guard case .key(let earlier) = kept.checkpoint.occasion else { continue }
            reigns[reigns.count - 1].first = kept.row
            let isVouchedFor = reigns[reigns.count - 1].isTrusted
            reigns.append(
                Reign(
                    first: 0, key: earlier, isTrusted: isVouchedFor || given.contains(earlier)))
        }
    }

    func verify(_ kept: KeptCheckpoint, _ checkpoint: String) throws(Flaw) {
        guard let reign = reigns.first(where: { $0.first <= kept.row }),
            kept.signed.note.isSigned(by: reign.key)
        else { throw .found("\(checkpoint) is not signed with the ledger's key") }
        guard reign.isTrusted else {
            throw .found(
                "\(checkpoint) is signed with another key than the given one: \(reign.key)")
        }
    }

    func hasSigned(_ note: SignedNote) -> Bool {
        reigns.contains { $0.isTrusted && note.isSigned(by: $0.key) }
    }
}
