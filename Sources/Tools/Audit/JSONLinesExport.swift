import Keeping
public import Ledger
import StateMachines
import System
import Turnstile

/// A ledger as JSON Lines, from which anybody can verify the chain of its records.
///
/// The first line tells which ledger it is, and the hash that the first record goes on from. Then
/// come the records, the checkpoints among them where they were made, and last what the registers
/// show. A record's hash is that of the 32 bytes of the one before it and its columns, as
/// ``Ledger`` has it: sequence, life, monotonic_ns, wall_ns, vocabulary, boot_id, kind, and its
/// details. These are the `fields` as `TURNSTILE_NAME=VALUE`, joined by line feeds, or, where that
/// does not give them, `details` themselves.
public struct JSONLinesExport {
    private let snapshot: LedgerSnapshot
    private let since: Duration?
    private let until: Duration?

    /// What the first line says of itself.
    public static let format = "turnstiled-ledger-1"

    /// The export of what is in `snapshot` of the time from `since` to before `until`, by the clock
    /// on the wall: since 1970, UTC.
    public init(_ snapshot: LedgerSnapshot, since: Duration? = nil, until: Duration? = nil) {
        (self.snapshot, self.since, self.until) = (snapshot, since, until)
    }

    /// Hands over the lines, one after the other, each with its end.
    public func write(to body: (String) throws(LedgerError) -> Void) throws(LedgerError) {
        let range = try snapshot.sequences(since: since, until: until)
        let end = since == nil ? snapshot.base : snapshot.sequences?.upperBound ?? snapshot.base
        let first = range?.lowerBound ?? end + 1
        try body(head(before: first))
        // Those of records that are kept no longer tell the totals of their days all the same.
        var pages = try snapshot.checkpoints()[...]
        if since != nil { pages = pages.drop { $0.checkpoint.sequence < first - 1 } }
        while let page = pages.first, page.checkpoint.sequence < first {
            try body(line(pages.removeFirst()))
        }
        if let range {
            try snapshot.forEachChained(in: range) { chained throws(LedgerError) in
                try body(line(chained))
                while let page = pages.first,
                    page.checkpoint.sequence == chained.record.sequence
                {
                    try body(line(pages.removeFirst()))
                }
            }
        }
        try body(tail(range?.upperBound ?? first - 1))
    }
}

// The lines.
extension JSONLinesExport {
    private func head(before first: Int64) throws(LedgerError) -> String {
        var line = JSONLine()
        line.add("format", Self.format)
        line.add("ledger", snapshot.number)
        line.add("gate", snapshot.gate)
        line.add("key", json: snapshot.key.map { FieldValue.text("\($0)").description } ?? "null")
        line.add("program", programVersion)
        line.add("vocabulary", Int64(Vocabulary.version))
        line.add("follows", first - 1)
        line.add("hash", json: json(try snapshot.hash(of: first - 1)))
        line.add("branch", json: snapshot.branch.map { FieldValue.text($0).description } ?? "null")
        return line.text
    }

    private func line(_ chained: ChainedRecord) -> String {
        let record = chained.record
        var line = JSONLine()
        line.add("sequence", record.sequence)
        line.add("life", record.life)
        line.add("monotonic_ns", record.time.nanoseconds)
        line.add("wall_ns", (Instant.zero + record.wallTime).nanoseconds)
        line.add("vocabulary", Int64(record.version))
        line.add("boot_id", record.bootID)
        line.add("kind", record.name)
        if let fields = fields(of: record) {
            line.add("fields", json: fields.description)
        } else {
            line.add("details", record.details)
        }
        line.add("hash", json: json(chained.hash))
        return line.text
    }

    /// The fields from which the details of the record can be had again; nil where there are none.
    private func fields(of record: LedgerRecord) -> Fields? {
        if case .record(let told) = record.content, told.fields.journalLines == record.details {
            return told.fields
        }
        let fields = try? Fields(journalLines: record.details)
        return fields?.journalLines == record.details ? fields : nil
    }

    private func line(_ page: KeptCheckpoint) -> String {
        let checkpoint = page.checkpoint
        var line = JSONLine()
        line.add("checkpoint", checkpoint.number)
        line.add("sequence", checkpoint.sequence)
        line.add("for", checkpoint.occasion.text)
        line.add("registers", page.registers.text)
        line.add("note", page.signed.note.description)
        return line.text
    }

    private func tail(_ last: Int64) throws(LedgerError) -> String {
        var line = JSONLine()
        line.add("end", last)
        line.add("hash", json: json(try snapshot.hash(of: last)))
        let checkpoint = try snapshot.lastCheckpoint()?.checkpoint.number
        line.add("last_checkpoint", json: checkpoint.map { "\($0)" } ?? "null")
        line.add("credit", Int64(snapshot.balances.credit))
        line.add("fare_in_use", Int64(snapshot.balances.fareInUse))
        line.add("registers", json: "[\(registers.joined(separator: ", "))]")
        return line.text
    }

    /// What the registers show, in the order of their names.
    private var registers: [String] {
        let values = snapshot.registers.values.map { register, value in
            (name: register.name, coin: register.coin, value: value)
        }
        let sorted = values.sorted { one, other in
            let (a, b) = (one.coin, other.coin)
            return (one.name, a?.pulses ?? 0, a?.value ?? 0)
                < (other.name, b?.pulses ?? 0, b?.value ?? 0)
        }
        return sorted.map { name, coin, value in
            var line = JSONLine()
            line.add("name", name)
            if let coin {
                line.add("pulses", Int64(coin.pulses))
                line.add("value", Int64(coin.value))
            }
            line.add("since_init", value.sinceInit)
            line.add("since_collection", value.sinceCollection)
            return line.object
        }
    }

    private func json(_ hash: Digest?) -> String {
        hash.map { FieldValue.text("\($0)").description } ?? "null"
    }
}
