// Warnings about the ledger's limits and path.
extension Reader {
    /// The mean size of a record in bytes: 178 for paid passages, with a tenth of reserve, at which
    /// the service warns.
    static let bytesPerRecord: Int64 = 200
    /// The size of ten years of checkpoints kept for good, with a collection each week, in bytes.
    static let bytesOfCheckpoints: Int64 = 10_000_000
    /// Records of a busy gate in a day: ten million in a year.
    static let recordsOfBusyDay = 27_000

    mutating func warnOfLedger(_ draft: Draft, isVolatile: (String) -> Bool) {
        guard let path = draft.ledger else { return }
        if isVolatile(path) {
            warn(
                .volatileLedger,
                "\(quoted(path)) is in memory: the next start of the board loses it, and with it "
                    + "what people have paid; choose a path on a disk, such as "
                    + "/var/lib/turnstiled/ledger.db, or 'off' if this is intended",
                at: "ledger.path")
        }
        warnOfRoom(draft.ledgerLimits)
        warnOfAge(draft.ledgerLimits)
    }

    private mutating func warnOfRoom(_ limits: LedgerLimits) {
        guard let room = limits.room else { return }
        let fitting = (room - Self.bytesOfCheckpoints) / Self.bytesPerRecord
        guard limits.records > fitting else { return }
        let needed = Int64(limits.records) * Self.bytesPerRecord + Self.bytesOfCheckpoints
        let megabytes = (needed + 999_999) / 1_000_000 * 1_000_000
        warn(
            .roomTooSmall,
            "'ledger.records' (\(shown(limits.records, at: "ledger.records"))) take about "
                + "\(megabytes.writtenSize), and there is room for about \(fitting): once it is "
                + "full no coins are taken; give more room, or keep fewer records",
            at: "ledger.room")
    }

    private mutating func warnOfAge(_ limits: LedgerLimits) {
        guard let age = limits.age else { return }
        let days = limits.records / Self.recordsOfBusyDay
        guard age > .seconds(days * 86_400) else { return }
        warn(
            .ageNotReached,
            "a busy gate makes about \(Self.recordsOfBusyDay) records in a day, and reaches "
                + "'ledger.records' (\(shown(limits.records, at: "ledger.records"))) in \(days) "
                + "days: records are deleted before that age; keep more of them",
            at: "ledger.age")
    }

    /// A number for a sentence, marked if it is a default.
    private func shown(_ number: Int, at place: String) -> String {
        line(of: place) == nil ? "the default of \(number)" : "\(number)"
    }
}
