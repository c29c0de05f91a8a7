// What a table leaves open, and what it says in vain: judged once it is known which row is taken.
extension TableCompiler {
    mutating func checkCompleteness(_ tolerance: TableTolerance) {
        var places: [Int: SourceLocation] = [:]
        for define in defines.reversed() { places[define.state.ordinal] = define.location }
        let ends = Set(defines.filter { $0.isFinal }.map { $0.state.ordinal })
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
                        "nothing leads out of \(state(ordinal)), which is not declared final",
                        at: [place]))
            }
        }
        if !tolerance.contains(.undecidedPairs) {
            for (ordinal, place) in places where !ends.contains(ordinal) {
                checkDecisions(in: ordinal, at: place)
            }
        }
    }

    /// No state can be an end and have rows.
    private mutating func checkEnds() {
        for end in defines where end.isFinal {
            for define in defines where !define.isFinal && define.state == end.state {
                problems.append(
                    .init(
                        .finalAndDefined,
                        "\(name(of: end.state)) is declared final, and defined as well",
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
                (row.state == held.ordinal, "state \(name(of: held))"),
                (row.event == brought.ordinal, "event \(name(of: brought))"),
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
        for (row, isTaken) in zip(rows, taken) where isTaken {
            guard case .states(let targets) = row.lead else { continue }
            for target in targets where places[target] == nil {
                problems.append(
                    .init(
                        .undefinedTarget,
                        "\(pair(row)): leads to \(state(target)), which is not defined",
                        at: [row.location]))
            }
        }
        let first = initial.kind.ordinal
        if places[first] == nil {
            problems.append(
                .init(
                    .undefinedState, "the initial state \(state(first)) is not defined",
                    at: [location]))
        }
        let mentioned = leads.values.reduce(Set(places.keys).union([first])) { $0.union($1) }
        for ordinal in 0..<stateCount where !mentioned.contains(ordinal) {
            problems.append(
                .init(
                    .undefinedState,
                    "nothing defines \(state(ordinal)), and nothing leads to it", at: [location]))
        }
    }

    private mutating func checkReachability(
        _ leads: [Int: Set<Int>], _ places: [Int: SourceLocation]
    ) {
        var reached: Set<Int> = [initial.kind.ordinal]
        var waiting = Array(reached)
        while let next = waiting.popLast() {
            for target in leads[next] ?? [] where reached.insert(target).inserted {
                waiting.append(target)
            }
        }
        for (ordinal, place) in places where !reached.contains(ordinal) {
            problems.append(
                .init(.unreachableState, "nothing leads to \(state(ordinal))", at: [place]))
        }
    }

    private mutating func checkDecisions(in ordinal: Int, at place: SourceLocation) {
        for number in 0..<eventCount {
            let start = (ordinal * eventCount + number) * combinationCount
            let open = winners[start..<start + combinationCount].indices.filter {
                winners[$0] == nil
            }
            guard let example = open.first else { continue }
            let condition =
                open.count == combinationCount ? "" : " when \(predicates(of: example - start))"
            problems.append(
                .init(
                    .undecidedPair, "\(state(ordinal)), \(event(number)): not decided\(condition)",
                    at: [place]))
        }
    }

    /// The values of a combination, as in `Enforcement.weak, Reward.negative`.
    private func predicates(of combination: Int) -> String {
        var stride = combinationCount
        return dimensions.map { dimension in
            stride /= dimension.count
            return names.name(of: dimension.type, at: combination / stride % dimension.count)
        }.joined(separator: ", ")
    }
}
