import System
import Turnstile

extension Report {
    /// A JSON object, by the names of the vocabulary. Times are local, with the offset from UTC.
    public func json(clock: LocalClock = .system) -> String {
        let time = { (time: Duration?) in time.map { JSON.text(clock.timestamp(of: $0)) } }
        let span = records.sequences.map {
            JSON.array([.number($0.lowerBound), .number($0.upperBound)])
        }
        let kept: [(String, JSON?)] = [
            ("count", .number(records.count)), ("sequences", span),
            ("complete", .value(.boolean(records.areComplete))),
            ("read", .value(.boolean(records.areRead))),
        ]
        return JSON.object([
            ("gate", .text(gate)), ("ledger", .text(ledger)), ("since", time(from)),
            ("until", time(to)), ("vault", vault.map(Self.json)),
            ("registers", Self.json(sums)), ("records", .object(kept)),
            ("kinds", .object(kinds)), ("coin_refusals", .object(refusals)),
            ("out_of_service", outages(time)), ("records_missing", .number(details.missing)),
            ("rows", grouping == .hour || grouping == .day ? .array(rows(time)) : nil),
            ("reconciliation", .array(reconciliations.map(Self.json))),
            ("accounted_for", .value(.boolean(isAccountedFor))),
            ("remarks", .array(remarks.map { .text($0) })),
        ]).description + "\n"
    }

    private static func json(_ sums: PeriodSums) -> JSON {
        .object(sums.totals.map { ($0.name, .number($0.value)) })
    }

    private static func json(_ vault: Vault) -> JSON {
        .object([
            ("collection", .number(vault.collection)),
            ("expected", vault.expected.map { .number($0) }),
            ("counted", vault.counted.map { .number($0) }),
        ])
    }

    private static func json(_ reconciliation: Reconciliation) -> JSON {
        .object([
            ("subject", .text(reconciliation.subject.rawValue)),
            ("difference", .number(reconciliation.difference)),
            ("words", .text(reconciliation.words)),
        ])
    }

    private var kinds: [(String, JSON?)] {
        details.kinds.sorted { $0.key < $1.key }.map { kind, count in
            let value = count.value.map { JSON.number($0) }
            return (kind, .object([("count", .number(count.count)), ("value", value)]))
        }
    }

    private var refusals: [(String, JSON?)] {
        details.refusals.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) }
    }

    private func outages(_ time: (Duration?) -> JSON?) -> JSON {
        let outages = details.outages
        return .object([
            ("count", .number(outages.count)),
            ("duration_usec", .number(outages.duration.wholeMicroseconds)),
            ("since", time(outages.openSince)),
        ])
    }

    private func rows(_ time: (Duration?) -> JSON?) -> [JSON] {
        rows.map { row in
            .object([
                ("since", time(row.from)), ("until", time(row.to)),
                ("remark", row.doubt.map { .text($0.rawValue) }),
                ("registers", Self.json(row.sums)),
            ])
        }
    }
}
