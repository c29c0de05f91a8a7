extension Schema {
    /// The section `gate`.
    static let gate = Section(
        initial: Draft(),
        [
            Key("name", \.gate, .name(limit: 64), "the gate's name in the log")
        ])

    /// The section `records`.
    static let records = Section(
        initial: Draft(),
        [
            Key(
                "register_snapshot", \.registerSnapshot,
                .duration(.seconds(300)...(.seconds(24 * 3600))),
                "how often all registers are recorded")
        ])

    /// The section `ledger`.
    static let ledger = Section(
        initial: Draft(),
        [
            Key(
                "path", \.ledger, .pathOrOff,
                "the ledger's file, in a folder that the service may write to; off: a crash or a "
                    + "loss of power takes what people have paid"),
            Key(
                "records", \.ledgerLimits.records, .count(10_000...100_000_000),
                "how many records are kept; what they come to, per day and collection, is kept "
                    + "for good"),
            Key(
                "age", \.ledgerLimits.age,
                .duration(.seconds(30 * 86_400)...(.seconds(7_305 * 86_400))),
                need: .conditional("as long as there are no more than `records`"),
                "how long a record is kept; it goes a day or two later"),
            Key(
                "room", \.ledgerLimits.room, .size(16_000_000...1_000_000_000_000),
                need: .conditional("all that the disk has"),
                "what the ledger may take of the disk; full, it refuses coins"),
        ])

    /// The section `trace`.
    static let trace = Section(
        initial: Draft(),
        [
            Key(
                "size", \.trace.size, .sizeOrOff(2_000_000...1_000_000_000),
                "what it may take of the disk, of which the oldest goes first; off: no incident "
                    + "can be looked at later"),
            Key(
                "age", \.trace.age, .duration(.seconds(3600)...(.seconds(720 * 3600))),
                "how long a time it tells of at most"),
        ])
}
