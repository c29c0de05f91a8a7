import Turnstile

extension Schema {
    /// The section `modes`.
    static let modes = Section(
        initial: Draft(),
        [
            Key(
                "entry", \.policy.regime.entry, .choice,
                "who may go in: nobody, whoever is authorised, or everybody"),
            Key("exit", \.policy.regime.exit, .choice, "who may go out, likewise"),
            Key(
                "enforcement", \.policy.regime.enforcement, .choice,
                "whether alarms about passages are only recorded, with the buzzer as a reminder, "
                    + "or sound the siren"),
        ])

    /// The weekly schedule.
    static let schedule = Key<Draft>(
        "schedule", \.schedule, listOf: scheduleEntry, limit: 100,
        "when something else applies; where entries overlap, the later one in the file counts",
        finish: finished, draft: ScheduleDraft.init)

    private static let scheduleEntry = Section(
        initial: ScheduleDraft(),
        [
            Key(
                "days", \.days, oneOrMore: .days, need: .required(),
                "the days on which it begins: one, a range or a list of such, or all"
            ) { days in days.reduce([]) { $0.union($1) } },
            Key(
                "from", \.from, .timeOfDay(0...1439), need: .required(),
                "when it begins, by the clock on the wall"),
            Key(
                "to", \.to, .timeOfDay(0...1440), need: .required(),
                "when it ends; on the next day, unless this is later than 'from'"),
            Key("entry", \.entry, .choice, need: oneOfThree, "the mode of the way in meanwhile"),
            Key("exit", \.exit, .choice, need: oneOfThree, "the mode of the way out meanwhile"),
            Key("enforcement", \.enforcement, .choice, need: oneOfThree, "how strict it is then"),
        ])

    private static let oneOfThree = Need.conditional("one of the three at least")

    /// The entry that the draft says, which must change something.
    @Sendable private static func finished(
        _ draft: ScheduleDraft, place: String, reader: inout Reader
    ) -> ScheduleEntry? {
        let changes = ["entry", "exit", "enforcement"].map { "\(place).\($0)" }
        if reader.isComplete, reader.isValid(place), !changes.contains(where: reader.has) {
            reader.report("says nothing of entry, exit or enforcement", at: place)
        }
        guard let days = draft.days, let from = draft.from, let to = draft.to,
            changes.allSatisfy({ reader.isValid($0) })
        else { return nil }
        var entry = ScheduleEntry(days: days, from: from, to: to == 0 ? 1440 : to)
        entry.entry = draft.entry
        entry.exit = draft.exit
        entry.enforcement = draft.enforcement
        return entry
    }
}
