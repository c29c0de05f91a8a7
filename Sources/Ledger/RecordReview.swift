import Turnstile

/// The records of a ledger, one after the other: their hashes, and what they come to.
struct RecordReview {
    private let snapshot: LedgerSnapshot
    /// The checkpoints that are still to come.
    private var pages: ArraySlice<KeptCheckpoint>
    private var chain: Chain
    private var values = RegisterValues()
    private var sequence: Int64
    /// What records tell whose name and fields are these: most say what others have said.
    private var known: [Words: Told] = [:]

    /// What a record says, but for when.
    private struct Words: Hashable {
        var kind: String
        var details: String
        var version: Int64
    }

    /// What a record tells.
    private enum Told {
        case record(Record)
        case note
    }

    /// A review of what is behind the record from which on `snapshot` can be verified.
    init(_ snapshot: LedgerSnapshot, _ pages: [KeptCheckpoint]) throws(Flaw) {
        self.snapshot = snapshot
        sequence = snapshot.base
        let base = sequence
        guard let index = pages.lastIndex(where: { $0.checkpoint.sequence == base }) else {
            throw .found("there is no checkpoint at the record \(base), where it begins")
        }
        let page = pages[index]
        let beginning = Chain.beginning(of: snapshot.number)
        if page.checkpoint.occasion == .begun && page.checkpoint.hash != beginning {
            throw .found("its records do not begin as those of this ledger")
        }
        chain = Chain(after: page.checkpoint.hash)
        for (register, count) in page.registers.counts { values[register] = count }
        self.pages = pages[(index + 1)...]
    }

    /// Reviews all of them; returns the numbers of those that there are.
    mutating func run() throws(Flaw) -> ClosedRange<Int64>? {
        let first = sequence + 1
        try readRecords()
        let end = snapshot.stored.books.sequence
        guard sequence == end else {
            throw .found(
                "it ends with the record \(sequence), and \(end) were written: the last ones are "
                    + "gone")
        }
        if let page = pages.first { throw .found("the checkpoint \(page.row) is of no record") }
        try compare(with: RegisterList(snapshot.registers.sinceInit), "the registers")
        return first <= end ? first...end : nil
    }

    private mutating func readRecords() throws(Flaw) {
        let sql = """
            SELECT sequence, life, monotonic_ns, wall_ns, vocabulary, boot_id, kind, details, hash
            FROM records WHERE sequence > \(sequence) ORDER BY sequence
            """
        var found: Flaw?
        try Flaw.of { () throws(LedgerError) in
            do throws(LedgerError) {
                try snapshot.database.prepare(sql).run { row throws(LedgerError) in
                    do throws(Flaw) {
                        try add(row)
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

    private mutating func add(_ row: borrowing Row) throws(Flaw) {
        guard let number = row[0]?.number, number == sequence + 1 else {
            throw .found("the record \(sequence + 1) is gone")
        }
        guard let life = row[1]?.number, let monotonic = row[2]?.number, let wall = row[3]?.number,
            let vocabulary = row[4]?.number, let bootID = row[5]?.text, let kind = row[6]?.text,
            let details = row[7]?.text, let hash = row[8]?.bytes
        else { throw .found("the record \(number) lacks a value") }
        let chained = chain.add(
            ChainedRow(
                sequence: number, life: life, monotonic: monotonic, wall: wall,
                vocabulary: vocabulary, bootID: bootID, kind: kind, details: details))
        // What is text with a line's end in it could be read as two columns.
        guard chained == Digest(hash), !bootID.utf8.contains(10), !kind.utf8.contains(10) else {
            throw .found("the record \(number) (\(kind)) was altered, or one before it")
        }
        sequence = number
        try count(Words(kind: kind, details: details, version: vocabulary))
        while let page = pages.first, page.checkpoint.sequence == number {
            try compare(with: page)
            pages.removeFirst()
        }
    }

    private mutating func count(_ words: Words) throws(Flaw) {
        if let told = known[words] {
            if case .record(let record) = told { values.count(record) }
            return
        }
        let content = LedgerRecord.Content(
            words.kind, words.details, Int(clamping: words.version))
        switch content {
        case .record(let record):
            values.count(record)
            known[words] = .record(record)
        case .note: known[words] = .note
        case .unreadable(let error):
            throw .found("the record \(sequence) (\(words.kind)) cannot be read: \(error)")
        }
        // Names of operators and amounts may be many.
        if known.count > Self.knownAtMost { known.removeAll(keepingCapacity: true) }
    }

    private static let knownAtMost = 4_096

    /// Compares a checkpoint with the records up to it.
    private mutating func compare(with page: KeptCheckpoint) throws(Flaw) {
        let name = "the checkpoint \(page.row)"
        guard page.checkpoint.hash == chain.head else {
            throw .found("\(name) is of other records than those before it")
        }
        guard page.checkpoint.occasion != .gap else {
            // Of what could not be kept there is the sum alone.
            values = RegisterValues()
            for (register, count) in page.registers.counts { values[register] = count }
            return
        }
        try compare(with: page.registers, "the registers of \(name)")
    }

    private func compare(with list: RegisterList, _ name: String) throws(Flaw) {
        let counted = RegisterList(values)
        guard counted != list else { return }
        let registers = Set(counted.counts.keys).union(list.counts.keys)
            .sorted { $0.name < $1.name }
        for register in registers {
            let (sum, shown) = (counted.counts[register] ?? 0, list.counts[register] ?? 0)
            guard sum != shown else { continue }
            throw .found(
                "\(name) show \(shown) for \(register.name), and the records come to \(sum)")
        }
    }
}
