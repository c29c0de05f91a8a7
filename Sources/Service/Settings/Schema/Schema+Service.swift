extension Schema {
    static let gate = Section(
        initial: Draft(),
        [
            Key(
                "name", \.gate, .name(limit: 64),
                "the gate's name in log, ledger and slips; after a change the ledger is refused "
                    + "until 'turnstiled --accept-ledger'")
        ])

    static let records = Section(
        initial: Draft(),
        [
            Key(
                "register_snapshot", \.registerSnapshot,
                .duration(.seconds(300)...(.seconds(24 * 3600))),
                "how often all registers are recorded")
        ])

    static let ledger = Section(
        initial: Draft(),
        [
            Key(
                "path", \.ledger, .pathOrOff,
                "the ledger's file, in a folder that the service may write to; off: a restart "
                    + "loses credit and registers"),
            Key(
                "records", \.ledgerLimits.records, .count(10_000...100_000_000),
                "how many records are kept; their totals per day and collection are kept for "
                    + "good"),
            Key(
                "age", \.ledgerLimits.age,
                .duration(.seconds(30 * 86_400)...(.seconds(7_305 * 86_400))),
                need: .conditional("as long as there are no more than `records`"),
                "how long a record is kept; it goes a day or two later"),
            Key(
                "room", \.ledgerLimits.room, .size(16_000_000...1_000_000_000_000),
                need: .conditional("no limit but the disk's"),
                "disk space for the ledger; once it is full, coins are refused"),
        ])

    static let trace = Section(
        initial: Draft(),
        [
            Key(
                "size", \.trace.size, .sizeOrOff(2_000_000...1_000_000_000),
                "disk space for traces, oldest deleted first; off: no recording"),
            Key(
                "age", \.trace.age, .duration(.seconds(3600)...(.seconds(720 * 3600))),
                "how long traces are kept at most"),
        ])
}
