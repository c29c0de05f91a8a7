import Keeping
public import Ledger
import StateMachines
import System
import Turnstile

/// A ledger as JSON Lines, from which the chain of its records can be verified.
///
/// The first line tells which ledger it is, and the hash that the first record goes on from. Then
/// come the records, the checkpoints among them where they were made, and last where it ends. It
/// has nothing that is not signed, or compared with what is: docs/verify-export.py does that. A
/// record's hash is that of the 32 bytes of the one before it and its columns, as ``Ledger`` has
/// it: sequence, life, monotonic_ns, wall_ns, vocabulary, boot_id, kind, and its details. These
/// are the `fields` as `TURNSTILE_NAME=VALUE`, joined by line feeds, or, where that does not give
/// them, `details` themselves.
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
        let end = snapshot.sequences?.upperBound ?? snapshot.base
        let first = range?.lowerBound ?? (since == nil ? snapshot.base : end) + 1
        let last = range?.upperBound ?? first - 1
        let all = try snapshot.checkpoints()
        // Those of records that are kept no longer tell the totals of their days all the same. A
        // part has one of them, which says of which gate it is.
        var pages = all.filter { $0.checkpoint.sequence <= last }[...]
        if since != nil, let before = pages.lastIndex(where: { $0.checkpoint.sequence < first }) {
            pages = pages[before...]
        }
        let lastPage = pages.last?.checkpoint
        // What was changed behind its end is signed by no checkpoint in it.
        let signed = last < end ? lastPage : nil
        let later = all.first { $0.checkpoint.sequence > last && $0.earlierKey != nil }
        try body(head(before: first, signed, later?.earlierKey ?? snapshot.key))
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
        try body(
            line([
                ("end", .number(last)), ("hash", json(try snapshot.hash(of: last))),
                ("last_checkpoint", lastPage.map { .number($0.number) } ?? .null),
            ]))
    }
}

// The lines.
extension JSONLinesExport {
    private func head(
        before first: Int64, _ signed: Checkpoint?, _ key: VerificationKey?
    ) throws(LedgerError) -> String {
        let branch = signed.map(\.branch) ?? snapshot.branch
        return line([
            ("format", .text(Self.format)), ("ledger", .text(snapshot.number)),
            ("gate", .text(signed?.gate ?? snapshot.gate)),
            ("key", key.map { .text("\($0)") } ?? .null), ("program", .text(programVersion)),
            ("vocabulary", .number(Int64(Vocabulary.version))), ("follows", .number(first - 1)),
            ("hash", json(try snapshot.hash(of: first - 1))),
            ("branch", branch.map { .text($0) } ?? .null),
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

    private func json(_ hash: Digest?) -> JSON { hash.map { .text("\($0)") } ?? .null }
}

extension StoredCheckpoint {
    /// The key that this one replaced; nil if it replaced none.
    fileprivate var earlierKey: VerificationKey? {
        if case .key(let earlier) = checkpoint.occasion { earlier } else { nil }
    }
}
