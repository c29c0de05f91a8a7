import Turnstile

extension Registers {
    /// For people: the registers that show something, one a line.
    var list: String {
        let collected = Dictionary(
            uniqueKeysWithValues: sinceCollection.totals.map { ($0.total, $0.value) })
        let shown = sinceInit.totals.filter { $0.value != 0 }
        guard !shown.isEmpty else { return "\nnothing was counted yet" }
        return shown.map { total, value in
            "\n\(total.name) \(value), \(collected[total] ?? 0) since the collection"
        }.joined()
    }

    /// For programs: all registers.
    var fields: [JournalEntry.Field] {
        sinceInit.totals.map { .init(.register, "\($0.total.name)=\($0.value)") }
            + sinceCollection.totals.map { .init(.collected, "\($0.total.name)=\($0.value)") }
    }
}
