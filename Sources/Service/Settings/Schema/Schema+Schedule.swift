import Turnstile

extension Schema {
    static let modes = Section(
        initial: Draft(), Regime.blank.keys.map { key in Key(key, \.regime[key.field]) })

    static let schedule = Key<Draft>(
        "schedule", \.schedule, listOf: scheduleEntry, limit: 100,
        "when something else applies; where entries overlap, the later one in the file counts",
        finish: finished, draft: \.fields)

    private static let scheduleEntry = Section(
        initial: Fields(),
        ScheduleEntry.blank.keys.map { key in
            Key(key, \.[key.field], need: times.contains(key.field) ? .required() : oneOfThree)
        })

    private static let times: [FieldName] = [.days, .from, .to]
    private static let oneOfThree = Need.conditional("one of the three at least")

    @Sendable private static func finished(
        _ draft: Fields, place: String, reader: inout Reader
    ) -> ScheduleEntry? {
        let changes = ["entry", "exit", "enforcement"].map { "\(place).\($0)" }
        if reader.isComplete, reader.isValid(place), !changes.contains(where: reader.has) {
            reader.report("says nothing of entry, exit or enforcement", at: place)
        }
        guard times.allSatisfy({ draft[$0] != nil }), changes.allSatisfy({ reader.isValid($0) })
        else { return nil }
        var draft = draft
        if draft[.to] == .integer(0) { draft[.to] = .integer(1440) }
        return ScheduleEntry.blank.with(draft)
    }
}
