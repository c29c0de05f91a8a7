import ArgumentParser
import Console
import GateClient
import Ledger
import System
import Turnstile

struct Verify: ReadingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify that the ledger has not been altered.",
        discussion: """
            It checks each record's hash, each checkpoint's signature, and all totals against the \
            records. Exit codes: 0 verified; 1 the first error; 4 records are missing, since a \
            damaged file was set aside. Without a slip or a key kept elsewhere it cannot detect a \
            ledger that root has rewritten completely, with a new key.

            Examples:
              turnstilectl ledger verify
              turnstilectl ledger verify /media/usb/ledger.db --checkpoint slip.txt --key gate.key
              journalctl _SYSTEMD_UNIT=turnstiled.service TURNSTILE_EVENT=checkpoint -o cat \\
                --output-fields=TURNSTILE_DETAIL | turnstilectl ledger verify --checkpoint -
            """)

    @Argument(help: "A copy of the ledger (default: the gate's own).", completion: .file())
    var file: String?
    @OptionGroup var evidence: EvidenceOptions
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var place: LedgerOptions

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let path = try path()
        let verification = try evidence.verification()
        let reader = LedgerReader(path: path)
        let verdict = try verification.verify(reader)
        let page = VerdictPage(
            path: path, snapshot: verdict.flaw == nil ? try reader.open() : nil,
            verification: verification, verdict: verdict)
        if json {
            out.printJSON(page.values)
        } else if verdict.flaw == nil {
            out.print(page.lines)
        }
        guard let flaw = verdict.flaw else {
            return verdict.missing == nil ? .done : .recordsMissing
        }
        complain("\(path): \(flaw)")
        return .refused
    }
}

struct VerdictPage {
    let path: String
    /// The ledger; nil for one with a flaw.
    let snapshot: LedgerSnapshot?
    let verification: LedgerVerification
    let verdict: LedgerVerification.Verdict

    var lines: [[Span]] {
        var rows: [(String, [Span])] = []
        func add(_ name: String, _ text: String) { rows.append((name, [Span(text)])) }
        add("ledger", path)
        if let snapshot {
            add("gate", snapshot.gate)
            add("number", snapshot.number)
        }
        add("records", verdict.records.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "none")
        add("checkpoints", "\(verdict.checkpoints)")
        if !verification.slips.isEmpty { add("slips", "\(verification.slips.count)") }
        if let key = verdict.key { add("key", "\(key)") }
        for reservation in reservations { add("but", reservation) }
        let sum =
            verdict.missing.map { missing in
                Span("\(counted(Int64(missing.records.count), "record")) missing", .yellow)
            } ?? Span("all accounted for", .green)
        return Table(rows).lines + [[sum]]
    }

    private var reservations: [String] {
        guard verification.keys.isEmpty && verification.slips.isEmpty else {
            return verdict.reservations
        }
        return verdict.reservations + [
            "it was verified against its own key alone: see --key and --checkpoint"
        ]
    }

    var values: [(String, BusValue)] {
        [
            ("ledger", .string(path)), ("gate", .string(snapshot?.gate ?? "")),
            ("number", .string(snapshot?.number ?? "")),
            ("accounted_for", .boolean(verdict.flaw == nil && verdict.missing == nil)),
            ("flaw", .string(verdict.flaw ?? "")),
            ("first_record", .int64(verdict.records?.lowerBound ?? 0)),
            ("last_record", .int64(verdict.records?.upperBound ?? 0)),
            ("checkpoints", .int64(Int64(verdict.checkpoints))),
            ("slips", .int64(Int64(verification.slips.count))),
            ("key", .string(verdict.key.map { "\($0)" } ?? "")),
            ("reservations", .strings(reservations)),
            ("missing_records", .int64(Int64(verdict.missing?.records.count ?? 0))),
            ("missing_since", .int64(verdict.missing?.since.components.seconds ?? 0)),
        ]
    }
}
