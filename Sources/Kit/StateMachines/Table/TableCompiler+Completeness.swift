// What a table leaves open, and what it says in vain: judged once it is known which row is taken.
extension TableCompiler {
    mutating func checkCompleteness(_ tolerance: TableTolerance) {
        var places: [Int: SourceLocation] = [:]
        for define in defines.reversed() {
            places[states.place(of: define.state)] = define.location
        }
        let ends = Set(defines.filter { $0.isFinal }.map { states.place(of: $0.state) })
        var leads: [Int: Set<Int>] = [:]
        for (row, isTaken) in zip(rows, taken) where isTaken {
            if case .states(let targets) = row.lead {
                leads[row.state, default: []].formUnion(targets)
            }
        }
        checkEnds()
        checkPayloads()
        if !tolerance.contains(.undefinedStates) { checkDefinitions(leads, places) }
        if !tolerance.contains(.unreachableStates) { checkReachability(leads, places) }
        if !tolerance.contains(.statesWithoutExit) {
            for (ordinal, place) in places
            where !ends.contains(ordinal) && (leads[ordinal] ?? []).subtracting([ordinal]).isEmpty {
                problems.append(
                    .init(
                        .stateWithoutExit,
                        "nothing leads out of \(states.name(of: ordinal)), which is not declared "
                            + "final",
                        at: [place]))
            }
        }
        if !tolerance.contains(.undecidedPairs) {
            for (ordinal, place) in places where !ends.contains(ordinal) {
                checkDecisions(in: ordinal, at: place, tolerance)
            }
        }
    }

    /// No state can be an end and have rows.
    private mutating func checkEnds() {
        for end in defines where end.isFinal {
            let place = states.place(of: end.state)
            for define in defines
            where !define.isFinal && states.place(of: define.state) == place {
                problems.append(
                    .init(
                        .finalAndDefined,
                        "\(states.name(of: place)) is declared final, and defined as well",
                        at: [end.location, define.location]))
            }
        }
    }

    /// A row works with the payloads of the state that it is in and the event that it is about.
    private mutating func checkPayloads() {
        for place in rows.indices where taken[place] {
            let row = rows[place]
            guard let (held, brought) = nodes[place].worksWith else { continue }
            for (isRight, expected) in [
                (states.kind(of: row.state) == held.ordinal, "state \(name(of: held))"),
                (events.kind(of: row.event) == brought.ordinal, "event \(name(of: brought))"),
            ] where !isRight {
                problems.append(
                    .init(
                        .wrongCase, "\(pair(row)): works with the payload of the \(expected)",
                        at: [row.location]))
            }
        }
    }

    private mutating func checkDefinitions(
        _ leads: [Int: Set<Int>], _ places: [Int: SourceLocation]
    ) {
        for place in rows.indices where taken[place] {
            let row = rows[place]
            guard case .states(let targets) = row.lead else { continue }
            for target in targets where places[target] == nil {
                var name = states.name(of: target)
                if case .enter(let state) = nodes[place].target { name = states.name(of: state) }
                problems.append(
                    .init(
                        .undefinedTarget, "\(pair(row)): leads to \(name), which is not defined",
                        at: [row.location]))
            }
        }
        let first = states.place(of: initial)
        if places[first] == nil {
            problems.append(
                .init(
                    .undefinedState,
                    "the initial state \(states.name(of: initial)) is not defined",
                    at: [location]))
        }
        let mentioned = leads.values.reduce(Set(places.keys).union([first])) { $0.union($1) }
        for ordinal in 0..<states.count
        where !mentioned.contains(ordinal) && !states.hasValues(ordinal) {
            problems.append(
                .init(
                    .undefinedState,
                    "nothing defines \(states.name(of: ordinal)), and nothing leads to it",
                    at: [location]))
        }
    }

    private mutating func checkReachability(
        _ leads: [Int: Set<Int>], _ places: [Int: SourceLocation]
    ) {
        var reached: Set<Int> = [states.place(of: initial)]
        var waiting = Array(reached)
        while let next = waiting.popLast() {
            for target in leads[next] ?? [] where reached.insert(target).inserted {
                waiting.append(target)
            }
        }
        for (ordinal, place) in places where !reached.contains(ordinal) {
            problems.append(
                .init(
                    .unreachableState, "nothing leads to \(states.name(of: ordinal))",
                    at: [place]))
        }
    }

    private mutating func checkDecisions(
        in ordinal: Int, at place: SourceLocation, _ tolerance: TableTolerance
    ) {
        for number in 0..<events.count
        where !(tolerance.contains(.otherValues) && events.hasValues(number)) {
            var condition = ""
            if let decision = decisions[pair(ordinal, number)] {
                let open = decision.winners.indices.filter { decision.winners[$0] == nil }
                guard let example = open.first else { continue }
                if open.count < decision.winners.count {
                    condition = " when \(predicates(of: example, decision.combinations))"
                }
            }
            problems.append(
                .init(
                    .undecidedPair,
                    "\(states.name(of: ordinal)), \(events.nameOfRest(of: number)): not decided"
                        + condition,
                    at: [place]))
        }
    }

    /// The values of a combination, as in `Enforcement.weak, Reward.negative`; of lazy predicates
    /// those asked for.
    private func predicates(
        of combination: Int, _ combinations: TableJudge.Combinations
    ) -> String {
        var values = dimensions.map { $0.isLazy ? nil : 0 }
        for (axis, value) in zip(combinations.axes, combinations.values(of: combination)) {
            values[axis.predicate] = value
        }
        return zip(dimensions, values).compactMap { dimension, value in
            value.map { names.name(of: dimension.type, at: $0) }
        }.joined(separator: ", ")
    }
}
