/// The keys of a ledger's checkpoints: the present one, and those that it replaced.
struct KeySuccession {
    private struct KeyPeriod {
        var first: Int64
        var key: VerificationKey
        /// Whether the key was given, or a trusted key signed its replacement.
        var isTrusted: Bool
    }

    /// The latest first.
    private var periods: [KeyPeriod]
    /// For messages: "the ledger's" or "the given" key.
    let name: String

    /// Without a given key the ledger's own is trusted.
    init(
        _ key: VerificationKey, of checkpoints: [StoredCheckpoint], given: [VerificationKey]
    ) {
        name = given.isEmpty ? "the ledger's" : "the given"
        let isTrusted = given.isEmpty || given.contains(key)
        periods = [KeyPeriod(first: 0, key: key, isTrusted: isTrusted)]
        for stored in checkpoints.reversed() {
            guard case .key(let earlier) = stored.checkpoint.occasion else { continue }
            periods[periods.count - 1].first = stored.row
            let isVouchedFor = periods[periods.count - 1].isTrusted
            periods.append(
                KeyPeriod(
                    first: 0, key: earlier, isTrusted: isVouchedFor || given.contains(earlier)))
        }
    }

    func verify(_ stored: StoredCheckpoint, _ checkpoint: String) throws(Flaw) {
        guard let period = periods.first(where: { $0.first <= stored.row }),
            stored.signed.note.isSigned(by: period.key)
        else { throw .found("\(checkpoint) is not signed with the ledger's key") }
        guard period.isTrusted else {
            throw .found(
                "\(checkpoint) is signed with another key than the given one: \(period.key)")
        }
    }

    /// Whether these changes, a ledger's last ones, lead from `earlier` to its present key: each is
    /// signed with the key that the next one replaces.
    func leads(from earlier: VerificationKey, by changes: [StoredCheckpoint]) -> Bool {
        changes.first?.checkpoint.occasion == .key(after: earlier)
            && changes.allSatisfy { (try? verify($0, "")) != nil }
    }

    func hasSigned(_ note: SignedNote) -> Bool {
        periods.contains { $0.isTrusted && note.isSigned(by: $0.key) }
    }
}
