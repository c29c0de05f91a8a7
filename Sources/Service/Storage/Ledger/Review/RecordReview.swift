import Keeping
import StateMachines
import System
import Turnstile

/// Reviews the records of a ledger, one after the other: their hashes and totals.
struct RecordReview {
    private let snapshot: LedgerSnapshot
    private var checkpoints: ArraySlice<StoredCheckpoint>
    private var chain: Chain
    private var values: RegisterValues
    private var balances: BalanceReview
    /// The last record of an acceptance or a restore; 0 for none.
    private var lastAcceptance: Int64 = 0
    /// The expected amount in the vault; nil while unknown.
    private var inVault: Int64?
    /// The earliest and latest wall time of the gate's records since the last checkpoint; nil
    /// without records.
    private var times: ClosedRange<Int64>?
    /// Whether the records begin after a damaged file that was set aside.
    private(set) var beginsAnew = false
    /// The checkpoint from which the records are reviewed.
    let beginning: Checkpoint
    /// The present record; reused for the next one.
    private var row = ChainedRow()
    private var hash: [UInt8] = []
    private var known = KnownRecords<Words>()

    /// A record without its times; as bytes, since known ones need no decoding.
    private struct Words: Hashable {
        var kind: [UInt8]
        var details: [UInt8]
        var version: Int64

        func hash(into hasher: inout Hasher) {
            // All at once: hashing byte by byte, as arrays do, takes longer than the record's hash.
            // Sound: the bytes of values that live on.
            unsafe kind.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            unsafe details.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            hasher.combine(version)
        }
    }

    /// Reviews all records that can be verified or, without `areAll`, those after the last
    /// checkpoint.
    init(
        _ snapshot: LedgerSnapshot, _ checkpoints: [StoredCheckpoint], areAll: Bool
    ) throws(Flaw) {
        self.snapshot = snapshot
        let (base, pruned) = (snapshot.base, snapshot.state.books[.pruned])
        let first = checkpoints.lastIndex { areAll ? $0.checkpoint.sequence == base : true }
        guard let index = first else {
            throw .found("there is no checkpoint at the record \(base), where it begins")
        }
        let stored = checkpoints[index]
        if stored.checkpoint.occasion == .begun {
            guard stored.checkpoint.hash == Chain.beginning(of: snapshot.number) else {
                throw .found("its first records are not this ledger's")
            }
        } else if areAll, base != pruned {
            throw .found("the records up to \(base) are there, and should be verified")
        }
        if !areAll { try Self.checkRecord(at: stored.checkpoint, in: snapshot) }
        row.sequence = stored.checkpoint.sequence
        beginning = stored.checkpoint
        chain = Chain(after: stored.checkpoint.hash)
        values = stored.registers.values
        balances = BalanceReview(after: stored)
        inVault = stored.checkpoint.standing?.inVault
        self.checkpoints = checkpoints[(index + 1)...]
    }

    /// Throws if the record that a checkpoint covers last is missing or changed.
    private static func checkRecord(
        at checkpoint: Checkpoint, in snapshot: LedgerSnapshot
    ) throws(Flaw) {
        guard checkpoint.sequence > snapshot.base else { return }
        let hash = try Flaw.of { () throws(LedgerError) in
            try snapshot.database.value(
                "SELECT hash FROM records WHERE sequence = \(checkpoint.sequence)")?.bytes
        }
        guard hash == checkpoint.hash.bytes else {
            throw .found("the record \(checkpoint.sequence) is gone, or was altered")
        }
    }

    var head: Digest { chain.head }

    /// Returns the numbers of the records.
    mutating func run() throws(Flaw) -> ClosedRange<Int64>? {
        let first = row.sequence + 1
        try readRecords()
        let end = snapshot.state.books.sequence
        guard row.sequence >= end else {
            throw .found(
                "it ends with the record \(row.sequence), and \(end) were written: the last ones "
                    + "are gone")
        }
        guard row.sequence == end else {
            throw .found("it goes on to the record \(row.sequence), and \(end) were written")
        }
        if let stored = checkpoints.first {
            throw .found("the checkpoint \(stored.row) is of no record")
        }
        if let words = mismatch(with: RegisterList(snapshot.registers.sinceInit)) {
            throw .money("the registers \(words)")
        }
        try balances.compare(with: snapshot.balances)
        let vault = snapshot.registers.sinceCollection.valueInVault
        if let inVault, inVault != vault {
            throw .money(
                "the registers have \(vault) in the vault, and the records come to \(inVault)")
        }
        try checkTimes(of: snapshot.state.books[.day])
        return first <= end ? first...end : nil
    }

    /// Reads the kept records in pieces: see ``KeptRecords``.
    private mutating func readRecords() throws(Flaw) {
        let sql = """
            SELECT \(ChainedRow.columns) FROM records
            WHERE sequence BETWEEN ? AND ? ORDER BY sequence LIMIT 20000
            """
        let statement = try Flaw.of { () throws(LedgerError) in
            try snapshot.database.prepare(sql)
        }
        while row.sequence < snapshot.records.last {
            let before = row.sequence
            try statement.review(row.sequence + 1, snapshot.records.last) { row throws(Flaw) in
                try add(row)
            }
            try Flaw.of { () throws(LedgerError) in try snapshot.database.checkIsInPlace() }
            if row.sequence == before { throw .found("the record \(before + 1) is gone") }
        }
    }

    private mutating func add(_ found: borrowing Row) throws(Flaw) {
        guard let number = found.number(0), number == row.sequence + 1 else {
            throw .found("the record \(row.sequence + 1) is gone")
        }
        guard row.read(found, hash: &hash) else {
            throw .found("the record \(number) lacks a value")
        }
        guard chain.add(row) == Digest(hash), !row.isAmbiguous else {
            throw .found("the record \(number) (\(kind)) was altered, or one before it")
        }
        try count()
        while let stored = checkpoints.first, stored.checkpoint.sequence == number {
            try compare(with: stored)
            checkpoints.removeFirst()
        }
    }

    private var kind: String { String(decoding: row.kind, as: UTF8.self) }

    private mutating func count() throws(Flaw) {
        let words = Words(kind: row.kind, details: row.details, version: row.vocabulary)
        let content = known.content(of: words) {
            LedgerRecord.Content(
                String(decoding: words.kind, as: UTF8.self),
                String(decoding: words.details, as: UTF8.self), Int(clamping: words.version))
        }
        switch content {
        case .record(let record):
            values.count(record)
            balances.count(record)
            countVault(record)
            times =
                min(
                    times?.lowerBound ?? row.wall, row.wall)...max(
                    times?.upperBound ?? row.wall, row.wall)
        case .note(let note): follow(note)
        case .unreadable(let error):
            throw .found("the record \(row.sequence) (\(kind)) cannot be read: \(error)")
        }
    }

    private mutating func countVault(_ record: Record) {
        guard let before = inVault else { return }
        if record.isCollection { inVault = 0 }
        if case .coinAccepted(let coin) = record { inVault = before &+ Int64(coin.value) }
        if case .coinLate(let coin) = record { inVault = before &+ Int64(coin.value) }
    }

    /// Throws if a record since the last checkpoint cannot be of the books' day, in any time zone
    /// and with an hour to spare.
    private func checkTimes(of day: Int64) throws(Flaw) {
        guard day != 0, let times else { return }
        let hour: Int64 = 3_600_000_000_000
        let date = CalendarDay(Int(day / 10_000), Int(day / 100 % 100), Int(day % 100))
        // West of Greenwich a clock without battery begins in 1969.
        let midnight = Int64(date?.number ?? -1) * 24
        guard times.lowerBound / hour >= midnight - 15, times.upperBound / hour < midnight + 37
        else {
            throw .money("the books had the day \(day), and the records say that it was another")
        }
    }

    private mutating func follow(_ note: LedgerNote) {
        switch note {
        case .accepted, .restored: lastAcceptance = row.sequence
        case .recordsSetAside: beginsAnew = beginsAnew || row.sequence == snapshot.base + 1
        case .begun, .carriedOver, .keyChanged, .recordsMissing: break
        }
    }

    /// Throws if gate or branch differ from the last checkpoint without an acceptance since.
    func compareIdentity(with checkpoint: Checkpoint) throws(Flaw) {
        guard lastAcceptance <= checkpoint.sequence else { return }
        guard checkpoint.gate == snapshot.gate else {
            throw .found(
                "it says that it is of the gate '\(snapshot.gate)', and its last checkpoint is of "
                    + "'\(checkpoint.gate)'")
        }
        guard checkpoint.branch == snapshot.branch else {
            throw .found(
                "it says that it is the branch \(snapshot.branch ?? "none"), and its last "
                    + "checkpoint is of the branch \(checkpoint.branch ?? "none")")
        }
    }

    private mutating func compare(with stored: StoredCheckpoint) throws(Flaw) {
        let name = "the checkpoint \(stored.row)"
        guard stored.checkpoint.hash == chain.head else {
            throw .found("\(name) is of other records than those before it")
        }
        guard stored.checkpoint.occasion != .gap else {
            // Lost records count only in the sums.
            values = stored.registers.values
            balances = BalanceReview(after: stored)
            inVault = stored.checkpoint.standing?.inVault
            return
        }
        if let standing = stored.checkpoint.standing {
            // The balances are known from here on, even if they were not before.
            balances = BalanceReview(after: stored)
            let signed = standing.inVault
            guard inVault ?? signed == signed else {
                throw .found(
                    "\(name) has \(signed) in the vault, and the records come to \(inVault ?? 0)")
            }
            inVault = signed
            if case .day(let day) = stored.checkpoint.occasion, standing[.day] != 0 {
                try checkTimes(of: Int64(day))
            } else {
                try checkTimes(of: standing[.day])
            }
        }
        times = nil
        if let words = mismatch(with: stored.registers) {
            throw .found("the registers of \(name) \(words)")
        }
    }

    /// The first difference between these registers and the records' totals; nil if equal.
    private func mismatch(with list: RegisterList) -> String? {
        let counted = RegisterList(values)
        guard counted != list else { return nil }
        let registers = Set(counted.counts.keys).union(list.counts.keys)
            .sorted { $0.name < $1.name }
        for register in registers {
            let (sum, shown) = (counted.counts[register] ?? 0, list.counts[register] ?? 0)
            guard sum != shown else { continue }
            return "show \(shown) for \(register.name), and the records come to \(sum)"
        }
        return nil
    }
}

extension Statement {
    /// Runs a statement on the records from `first` to `last`, up to a flaw.
    func review(
        _ first: Int64, _ last: Int64, body: (borrowing Row) throws(Flaw) -> Void
    ) throws(Flaw) {
        var found: Flaw?
        try Flaw.of { () throws(LedgerError) in
            do throws(LedgerError) {
                try run(.number(first), .number(last)) { row throws(LedgerError) in
                    do throws(Flaw) {
                        try body(row)
                    } catch {
                        found = error
                        throw row.damage("record")
                    }
                }
            } catch {
                if found == nil { throw error }
            }
        }
        if let found { throw found }
    }
}

extension ChainedRow {
    /// What ``read(_:hash:)`` reads.
    static let columns =
        "sequence, life, monotonic_ns, wall_ns, vocabulary, boot_id, kind, details, hash"

    /// Reads a row of the records into this one, and its hash; returns false if a value is missing.
    mutating func read(_ found: borrowing Row, hash: inout [UInt8]) -> Bool {
        guard let sequence = found.number(0), let life = found.number(1),
            let monotonic = found.number(2), let wall = found.number(3),
            let vocabulary = found.number(4), found.read(5, into: &bootID),
            found.read(6, into: &kind), found.read(7, into: &details), found.read(8, into: &hash)
        else { return false }
        (self.sequence, self.life, self.monotonic) = (sequence, life, monotonic)
        (self.wall, self.vocabulary) = (wall, vocabulary)
        return true
    }

    /// Whether a line feed in a text could shift the columns that are hashed.
    var isAmbiguous: Bool { bootID.contains(10) || kind.contains(10) }
}
