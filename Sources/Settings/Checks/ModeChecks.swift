import Turnstile

extension Draft {
    /// Where each mode of a direction is stated: in `modes` and in the schedule.
    func modes(of direction: Direction) -> [(place: String, value: Mode)] {
        let scheduled = scheduled(direction.rawValue) { direction == .entry ? $0.entry : $0.exit }
        return [("modes.\(direction.rawValue)", policy.regime[direction])] + scheduled
    }

    /// Where each enforcement is stated.
    var enforcements: [(place: String, value: Enforcement)] {
        [("modes.enforcement", policy.regime.enforcement)]
            + scheduled("enforcement") { $0.enforcement }
    }

    private func scheduled<Value>(
        _ name: String, _ value: (ScheduleEntry) -> Value?
    ) -> [(place: String, value: Value)] {
        schedule.enumerated().compactMap { number, entry in
            entry.flatMap(value).map { ("schedule.\(number + 1).\(name)", $0) }
        }
    }
}

extension Reader {
    /// Somebody must be able to get in, and out where that takes an authorisation.
    mutating func checkWays(_ draft: Draft) {
        if !has(.coinPulse), !has(.releaseEntry),
            let place = place(where: .controlled, .entry, draft)
        {
            reportMissing(
                .coinPulse,
                "'\(place)' is controlled, and without this or 'release_entry' nobody could be let "
                    + "in")
        }
        if has(.lockExit), let place = place(where: .controlled, .exit, draft) {
            reportMissing(
                .releaseExit,
                "'\(place)' is controlled, and without this contact nobody could be let out; wire "
                    + "it, or choose free or locked")
        }
        if let weak = draft.enforcements.first(where: { $0.value == .weak && isValid($0.place) }) {
            reportMissing(
                .buzzer, "'\(weak.place)' is weak, and it is the buzzer that reminds people then")
        }
    }

    /// Where a direction is given this mode, or nil where it never has it.
    func place(where mode: Mode, _ direction: Direction, _ draft: Draft) -> String? {
        draft.modes(of: direction).first { $0.value == mode && isValid($0.place) }?.place
    }

    /// An entry of the schedule that later ones overrule all the time is a mistake.
    mutating func checkSchedule(_ draft: Draft) {
        let schedule = draft.policy.schedule
        // One that could not be read might be the one that counts.
        guard schedule.count == draft.schedule.count else { return }
        var counting: Set<Int> = []
        for time in schedule.flatMap(\.changes) {
            let applying = schedule.indices.filter { schedule[$0].applies(at: time) }
            counting.formUnion(
                [
                    applying.last { schedule[$0].entry != nil },
                    applying.last { schedule[$0].exit != nil },
                    applying.last { schedule[$0].enforcement != nil },
                ].compactMap { $0 })
        }
        for number in schedule.indices where !counting.contains(number) {
            report(
                "never applies: later entries overrule it all the time",
                at: "schedule.\(number + 1)")
        }
    }
}

extension ScheduleEntry {
    /// The times of the week at which it begins or ends.
    fileprivate var changes: [WeekTime] {
        Weekday.allCases.filter(days.contains).flatMap { day in
            [from, to > from ? to : to + 1440].map { WeekTime(day, minute: $0) }
        }
    }
}
