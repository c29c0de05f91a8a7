import Keeping
public import Ledger
import StateMachines
import System
import Turnstile

/// A ledger as JSON Lines, from which the chain of its records can be verified.
///
/// The first line identifies the ledger, and has the hash before the first record. Then come the
/// records, with each checkpoint where it was made, and last the registers. A record's hash covers
/// the previous hash (32 bytes) and its columns, as in ``Ledger``: sequence, life, monotonic_ns,
/// wall_ns, vocabulary, boot_id, kind, and its details. These are the `fields` as
/// `TURNSTILE_NAME=VALUE`, joined by line feeds, or `details` if that does not give them.
public struct JSONLinesExport {
    private let snapshot: LedgerSnapshot
    private let since: Duration?
    private let until: Duration?

    /// The format's name, in the first line.
    public static let format = "turnstiled-ledger-1"

    /// Exports the records of `snapshot` from `since` to before `until`: wall-clock time since
    /// 1970, UTC.
    public init(_ snapshot: LedgerSnapshot, since: Duration? = nil, until: Duration? = nil) {
        (self.snapshot, self.since, self.until) = (snapshot, since, until)
    }

    /// Passes the lines on, one after the other, each with its end.
    public func write(to body: (String) throws(LedgerError) -> Void) throws(LedgerError) {
        let range = try snapshot.sequences(since: since, until: until)
        let end = since == nil ? snapshot.base : snapshot.sequences?.upperBound ?? snapshot.base
        let first = range?.lowerBound ?? end + 1
        try body(head(before: first))
        // Checkpoints outlive their records, and have the totals of their days.
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
        line([
            ("format", .text(Self.format)), ("ledger", .text(snapshot.number)),
            ("gate", .text(snapshot.gate)), ("key", snapshot.key.map { .text("\($0)") } ?? .null),
            ("program", .text(programVersion)),
            ("vocabulary", .number(Int64(Vocabulary.version))), ("follows", .number(first - 1)),
            ("hash", json(try snapshot.hash(of: first - 1))),
            ("branch", snapshot.branch.map { .text($0) } ?? .null),
        ])
    }

    private func line(_ members: [(String, JSON?)]) -> String {
        JSON.object(members).description + "\n"
    }

    private func line(_ chained: ChainedRecord) -> String {
        let record = chained.record
        let fields = fields(of: record)
        return line([
            ("sequence", .number(record.sequence)), ("life", .number(record.life)),
            ("monotonic_ns", .number(record.time.nanoseconds)),
            ("wall_ns", .number((Instant.zero + record.wallTime).nanoseconds)),
            ("vocabulary", .number(Int64(record.version))), ("boot_id", .text(record.bootID)),
            ("kind", .text(record.name)), ("fields", fields.map { .fields($0) }),
            ("details", fields == nil ? .text(record.details) : nil),
            ("hash", json(chained.hash)),
        ])
    }

    /// The fields that reproduce the record's details exactly; nil if no fields do.
    private func fields(of record: LedgerRecord) -> Fields? {
        if case .record(let told) = record.content, told.fields.journalLines == record.details {
            return told.fields
        }
        let fields = try? Fields(journalLines: record.details)
        return fields?.journalLines == record.details ? fields : nil
    }

    private func line(_ stored: StoredCheckpoint) -> String {
        let checkpoint = stored.checkpoint
        return line([
            ("checkpoint", .number(checkpoint.number)), ("sequence", .number(checkpoint.sequence)),
            ("for", .text(checkpoint.occasion.text)), ("registers", .text(stored.registers.text)),
            ("note", .text(stored.signed.note.description)),
        ])
    }

    private func tail(_ last: Int64) throws(LedgerError) -> String {
        let checkpoint = try snapshot.lastCheckpoint()?.checkpoint.number
        return line([
            ("end", .number(last)), ("hash", json(try snapshot.hash(of: last))),
            ("last_checkpoint", checkpoint.map { .number($0) } ?? .null),
            ("credit", .number(Int64(snapshot.balances.credit))),
            ("fare_in_use", .number(Int64(snapshot.balances.fareInUse))),
            ("registers", .array(registers)),
        ])
    }

    private var registers: [JSON] {
        let values = snapshot.registers.values.map { register, value in
            (name: register.name, coin: register.coin, value: value)
        }
        let sorted = values.sorted { one, other in
            let (a, b) = (one.coin, other.coin)
            return (one.name, a?.pulses ?? 0, a?.value ?? 0)
                < (other.name, b?.pulses ?? 0, b?.value ?? 0)
        }
        return sorted.map { name, coin, value in
            .object([
                ("name", .text(name)), ("pulses", coin.map { .number(Int64($0.pulses)) }),
                ("value", coin.map { .number(Int64($0.value)) }),
                ("since_init", .number(value.sinceInit)),
                ("since_collection", .number(value.sinceCollection)),
            ])
        }
    }

    private func json(_ hash: Digest?) -> JSON { hash.map { .text("\($0)") } ?? .null }
}
