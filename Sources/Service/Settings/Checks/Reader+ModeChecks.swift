import Turnstile

extension Draft {
    /// The places of a direction's modes: in `modes` and in the schedule.
    func modes(of direction: Direction) -> [(place: String, value: Mode)] {
        let scheduled = scheduled(direction.rawValue) { $0[direction] }
        return [("modes.\(direction.rawValue)", policy.regime[direction])] + scheduled
    }

    /// The places of the enforcements.
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
    /// Where a direction gets this mode; nil if never.
    func place(where mode: Mode, _ direction: Direction, _ draft: Draft) -> String? {
        draft.modes(of: direction).first { $0.value == mode && isValid($0.place) }?.place
    }
}
