import Turnstile

/// The checkpoints of a ledger, one after the other.
struct CheckpointReview {
    private let snapshot: LedgerSnapshot
    private let keys: KeySuccession
    private var last: StoredCheckpoint?
    private var keptCount: Int64 = 0
    private var vault = VaultReview()
    /// The last checkpoint with which the records begin; 0: none. Missing ones before it are
    /// expected: a damaged file was set aside.
    private let lastBeginning: Int64
    /// Whether all checkpoints are reviewed, not only the last.
    private let areAll: Bool
    /// Whether some are missing, since a damaged file was set aside.
    private var isIncomplete = false
    private(set) var reservations: [String] = []

    init(
        _ snapshot: LedgerSnapshot, _ keys: KeySuccession, of checkpoints: [StoredCheckpoint],
        areAll: Bool
    ) {
        (self.snapshot, self.keys, self.areAll) = (snapshot, keys, areAll)
        lastBeginning = checkpoints.last { $0.checkpoint.occasion == .begun }?.row ?? 0
    }

    mutating func add(_ stored: StoredCheckpoint) throws(Flaw) {
        let checkpoint = stored.checkpoint
        let name = "the checkpoint \(stored.row)"
        guard checkpoint.number == stored.row, checkpoint.sequence == stored.rowSequence,
            checkpoint.occasion.isKept == stored.isKept,
            checkpoint.time == .seconds(stored.rowWall / 1_000_000_000)
        else { throw .found("\(name) does not match its row") }
        guard checkpoint.ledger == snapshot.number else {
            throw .found("\(name) is of another ledger: \(checkpoint.ledger)")
        }
        try keys.verify(stored, name)
        guard stored.registers.digest == checkpoint.registers else {
            throw .found("the registers of \(name) differ from those that were signed")
        }
        if areAll { try checkOrder(of: stored, name) }
        if let last { try compare(stored, with: last, name) }
        try vault.add(stored, isFirst: last == nil, name)
        (last, keptCount) = (stored, checkpoint.page)
    }

    private mutating func checkOrder(of stored: StoredCheckpoint, _ name: String) throws(Flaw) {
        let checkpoint = stored.checkpoint
        let (keptCount, number) = (stored.isKept ? keptCount + 1 : keptCount, (last?.row ?? 0) + 1)
        // Checkpoints not kept for good are deleted with the records that they cover.
        let isAllKept = last.map { $0.rowSequence >= snapshot.state.books[.pruned] } ?? true
        if checkpoint.page == keptCount && (checkpoint.number == number || !isAllKept) { return }
        guard checkpoint.number <= lastBeginning, checkpoint.page >= keptCount else {
            throw checkpoint.page == keptCount
                ? .found("checkpoints are gone before \(name): \(number) should follow")
                : .found(
                    "\(name) counts \(checkpoint.page) checkpoints that are kept for good, and "
                        + "there are \(keptCount): some are gone")
        }
        isIncomplete = true
        vault = VaultReview()
        reservations.append(
            "checkpoints are gone before \(name): with the checkpoint \(lastBeginning) the records "
                + "begin anew, since the file was damaged")
    }

    private func compare(
        _ stored: StoredCheckpoint, with last: StoredCheckpoint, _ name: String
    ) throws(Flaw) {
        guard stored.checkpoint.sequence >= last.checkpoint.sequence else {
            throw .found("\(name) ends before the one before it")
        }
        let (checkpoint, before) = (stored.checkpoint, last.checkpoint)
        guard checkpoint.gate == before.gate || checkpoint.occasion.beginsGate else {
            throw .found(
                "\(name) is of the gate '\(checkpoint.gate)', and those before it are of "
                    + "'\(before.gate)'")
        }
        guard checkpoint.branch == before.branch || checkpoint.occasion.beginsGate else {
            throw .found(
                "\(name) is of the branch \(checkpoint.branch ?? "none"), and those before it "
                    + "are of \(before.branch ?? "none")")
        }
        try compareStanding(of: checkpoint, with: before, name)
        guard checkpoint.occasion != .gap else { return }
        for (register, count) in last.registers.counts where !register.isBalance {
            guard stored.registers.counts[register, default: 0] >= count else {
                throw .found("the register \(register.name) is less in \(name) than before it")
            }
        }
    }

    private func compareStanding(
        of checkpoint: Checkpoint, with last: Checkpoint, _ name: String
    ) throws(Flaw) {
        guard
            let (before, after) = last.standing.flatMap({ before in
                checkpoint.standing.map { (before, $0) }
            })
        else { return }
        guard (before[.pruned]...max(before[.pruned], checkpoint.sequence)).contains(after[.pruned])
        else {
            throw .found(
                "\(name) has records pruned up to \(after[.pruned]), and \(before[.pruned]) before")
        }
        guard before[.day] != 0 else { return }
        var day = after[.day]
        if case .day(let ended) = checkpoint.occasion { day = Int64(ended) }
        guard day == before[.day] else {
            throw .found("\(name) is of the day \(day), and it was \(before[.day]) before it")
        }
    }

    /// Throws if a number of the books differs from the signed one: they change only with a
    /// checkpoint.
    private func compare(_ books: Books, with standing: Checkpoint.Standing) throws(Flaw) {
        for name in Books.Name.allCases {
            switch name {
            case .sequence, .checkpoint, .keptCheckpoints: continue
            case .day where standing[.day] == 0: continue
            case .base, .pruned, .day, .collection, .expected:
                guard books[name] == standing[name] else {
                    throw .money(
                        "'\(name)' is \(books[name]), and \(standing[name]) was signed")
                }
            }
        }
    }

    func end() throws(Flaw) {
        let books = snapshot.state.books
        guard let last else { throw .found("it has no checkpoint") }
        guard last.checkpoint.number == books[.checkpoint], keptCount == books[.keptCheckpoints]
        else {
            throw .money(
                "its last checkpoint is \(last.row), and \(books[.checkpoint]) were made")
        }
        if let standing = last.checkpoint.standing {
            try compare(books, with: standing)
            let (life, signed) = (snapshot.state.life, standing.numbers[LedgerState.life] ?? 0)
            guard life >= signed else {
                throw .money("'\(LedgerState.life)' is \(life), and \(signed) was signed")
            }
        }
        guard (last.checkpoint.standing != nil) == (snapshot.version == Schema.version) else {
            throw .found("\(last.row) is no checkpoint of its version")
        }
        guard areAll else { return }
        if !isIncomplete { try vault.compare(with: books) }
        try vault.compare(with: snapshot.registers)
    }
}

extension Checkpoint.Occasion {
    fileprivate var beginsGate: Bool {
        switch self {
        case .begun, .key: true
        case .day, .collection, .counted, .interval, .stop, .gap: false
        }
    }
}
