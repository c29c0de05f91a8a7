import Audit
import Console
import System
import Turnstile

struct ReportPage {
    let report: Report
    let clock: LocalClock

    private var registers: RegisterValues { report.registers }

    var lines: [[Span]] {
        var parts = [head]
        if let grouping = report.grouping {
            parts.append(grouping == .kind ? kinds : rows(grouping))
        } else {
            parts += [takings, coins, noise, passages, credit, troubles, outOfOrder]
        }
        parts += [reconciliation, remarks]
        return Array(parts.filter { !$0.isEmpty }.joined(separator: [[]]))
    }

    // MARK: Parts

    private var head: [[Span]] {
        var rows = [("gate", [Span(report.gate, .bold)])]
        func add(_ name: String, _ text: String) { rows.append((name, [Span(text)])) }
        if let vault = report.vault {
            add(
                "collection",
                "\(vault.collection)" + (report.to == nil ? ", not collected yet" : ""))
        }
        let from = report.from.map { clock.text(of: $0) } ?? "the beginning"
        add("period", "\(from) to \(report.to.map { clock.text(of: $0) } ?? "now")")
        let numbers = report.records.sequences.map { ", \($0.lowerBound) to \($0.upperBound)" }
        let kept = report.records.areComplete ? "" : ", others are kept no longer"
        add("records", "\(report.records.count)\(numbers ?? "")\(kept)")
        add("amounts", "in minor units of the currency")
        return Table(rows).lines
    }

    private var takings: [[Span]] {
        var rows: [[String]] = []
        for fate in [CoinFate.accepted, .late, .rejected] {
            let counts = registers[fate]
            let remark = fate == .rejected && counts.total > 0 ? "given back at once" : ""
            rows.append([fate.rawValue, "\(counts.total)", "\(counts.value)", remark])
        }
        let inVault = registers.accepted.total + registers.late.total
        rows.append(["in the vault", "\(inVault)", "\(registers.valueInVault)", ""])
        return section(["takings", "coins", "amount"], rows)
    }

    private var coins: [[Span]] {
        struct Kind: Hashable {
            var acceptor: Acceptor, value: Int
        }
        var counts: [Kind: [CoinFate: Int64]] = [:]
        for fate in CoinFate.allCases {
            for (coin, count) in registers[fate].all {
                let kind = Kind(acceptor: coin.acceptor, value: coin.value)
                counts[kind, default: [:]][fate, default: 0] += count
            }
        }
        let kinds = counts.keys.sorted {
            ($0.acceptor.rawValue, $0.value) < ($1.acceptor.rawValue, $1.value)
        }
        let rows = kinds.map { kind in
            [kind.acceptor.line.name, "\(kind.value)"]
                + CoinFate.allCases.map { "\(counts[kind]?[$0] ?? 0)" }
        }
        let columns = ["coins of", "value"] + CoinFate.allCases.map(\.rawValue)
        return rows.isEmpty ? [] : section(columns, rows)
    }

    /// Noise and unknown trains of the acceptors.
    private var noise: [[Span]] {
        var rows: [[String]] = []
        for (what, counts) in [
            ("trains of pulses that are no coin", registers.unknownTrains),
            ("pulses of noise", registers.noisePulses),
        ] {
            rows += counts.all.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                [$0.key.line.name, what, "\($0.value)"]
            }
        }
        return rows.isEmpty ? [] : section(["no coins", "", "times"], rows, numbersFrom: 2)
    }

    private var passages: [[Span]] {
        func row(_ name: String, _ count: (Direction) -> Int64) -> [String] {
            [name] + Direction.allCases.map { "\(count($0))" }
        }
        var rows = PassageKind.allCases.map { kind in
            row(kind.rawValue) { registers.passages[Register.PassageCategory($0, kind)] }
        }
        rows.append(row("all") { registers.passages($0) })
        rows.append(row("releases") { registers.releases[$0] })
        return section(["passages"] + Direction.allCases.map(\.rawValue), rows)
    }

    private var credit: [[Span]] {
        var rows = [
            ("held at the beginning", registers[.creditAtBeginning]), ("put in", registers.valueIn),
        ]
        let between = report.sums.between
        if between != 0 { rows.append(("changed by records between", between)) }
        rows += [
            ("fares used", registers.faresUsed), ("expired", registers.expired),
            ("forfeited", registers.forfeited), ("given back", registers.refunded),
            ("held at the end", registers.creditHeld),
            ("fare in use at the end", registers.fareInUse),
        ]
        return section(["credit", "amount"], rows.map { [$0.0, "\($0.1)"] })
    }

    private var troubles: [[Span]] {
        let alarms = registers.alarms.all.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            [$0.key.code, $0.key.name, "\($0.value)"]
        }
        let faults = registers.faults.all.sorted { $0.key.identifier < $1.key.identifier }.map {
            [$0.key.code, $0.key.words, "\($0.value)"]
        }
        guard !(alarms + faults).isEmpty else {
            return [[Span("no alarm was raised, and no fault was found")]]
        }
        return section(["alarms, faults", "", "times"], alarms + faults, numbersFrom: 2)
    }

    /// Figures that only records have.
    private var outOfOrder: [[Span]] {
        let details = report.details
        let outages = details.outages
        var rows: [[String]] = []
        if outages.count > 0 {
            let open = outages.openSince.map { ", and is, since \(clock.text(of: $0))" } ?? ""
            rows.append(
                ["out of service", "\(outages.count)", "\(outages.duration.inWords)\(open)"])
        }
        for (reason, count) in details.refusals.sorted(by: { $0.key < $1.key }) {
            rows.append(["coins refused", "\(count)", reason])
        }
        for kind in RecordDetails.doubts {
            guard let count = details.kinds[kind] else { continue }
            let value = count.value.map { ", \($0)" } ?? ""
            rows.append(["in doubt", "\(count.count)", "\(kind)\(value)"])
        }
        guard !rows.isEmpty else {
            let kept = report.records.areComplete ? "" : ", as far as records are kept"
            let words = "never out of service, no coins refused but for faults, nothing in doubt"
            return [[Span(words + kept)]]
        }
        return section(["by the records", "times"], rows)
    }

    private func rows(_ grouping: Report.Grouping) -> [[Span]] {
        func cells(_ name: String, _ values: RegisterValues, _ remark: String) -> [String] {
            let ways = Direction.allCases.map { values.passages($0) }
            let amounts = [
                values.valueIn, values.refunded, values.faresUsed,
                values.expired &+ values.forfeited, values.alarms.total, values.faults.total,
            ]
            return [name] + (ways + amounts).map { "\($0)" } + [remark]
        }
        var rows = report.rows.map { row in
            let time = clock.text(of: row.from)
            let name = grouping == .day && row.doubt == nil ? String(time.prefix(10)) : time
            return cells(name, row.registers, row.doubt?.words(until: row.to, clock) ?? "")
        }
        rows.append(cells("all", registers, ""))
        return section(
            [
                grouping.rawValue, "entry", "exit", "put in", "refunded", "fares", "lapsed",
                "alarms", "faults",
            ], rows)
    }

    private var kinds: [[Span]] {
        let rows = report.details.kinds.sorted { $0.key < $1.key }.map { kind, count in
            [kind, "\(count.count)", count.value.map { "\($0)" } ?? ""]
        }
        return rows.isEmpty ? [] : section(["kind of record", "count", "amount"], rows)
    }

    private var reconciliation: [[Span]] {
        report.reconciliations.flatMap { told in
            wrapped(
                told.words, after: told.subject.rawValue, 10,
                told.difference == 0 ? .plain : .red)
        }
    }

    private var remarks: [[Span]] {
        report.remarks.flatMap { wrapped($0, after: "note", 10, .plain) }
    }

    // MARK: Lines

    private func section(
        _ head: [String], _ rows: [[String]], numbersFrom first: Int = 1
    ) -> [[Span]] {
        Table(head, rows.map { $0.map { Span($0) } }, numbersFrom: first).lines
    }

    /// Words over as many lines as they take, behind a name.
    private func wrapped(
        _ words: String, after name: String, _ indent: Int, _ style: Style
    ) -> [[Span]] {
        var lines: [String] = [""]
        for word in words.split(separator: " ") {
            let last = lines[lines.count - 1]
            if !last.isEmpty, indent + last.count + 1 + word.count > 80 {
                lines.append(String(word))
            } else {
                lines[lines.count - 1] = last.isEmpty ? String(word) : "\(last) \(word)"
            }
        }
        return lines.enumerated().map { index, line in
            let label = index == 0 ? name : ""
            return [
                Span(label, .faint), .blank(max(1, indent - label.count)), Span(line, style),
            ]
        }
    }
}

extension Fault {
    fileprivate var words: String {
        guard let line, line.name != name else { return name }
        return "\(name) \(line.name)"
    }
}

extension Report.Row.Doubt {
    fileprivate func words(until end: Duration, _ clock: LocalClock) -> String {
        switch self {
        case .recordsPruned: "until \(clock.text(of: end)), at unknown hours"
        case .recordsMissing: "until \(clock.text(of: end)), in records that could not be kept"
        }
    }
}

extension Duration {
    /// The time in hours, minutes and seconds: `1 h 3 min 20 s`.
    fileprivate var inWords: String {
        let seconds = components.seconds
        let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
        let told = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return told.isEmpty ? "0 s" : told.joined(separator: " ")
    }
}
