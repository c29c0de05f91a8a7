import StateMachines

// What a table leaves open, and what it says in vain.
extension PlainReading {
    private func isTaken(_ row: Candidate, in state: Place) -> Bool {
        taken.contains {
            $0.state == state && $0.row.event == row.event && $0.row.number == row.number
        }
    }

    /// Rows that hold for some facts and yet are taken in no state that has them, though nobody
    /// overrides them.
    func untakenRows() -> Set<Mistake> {
        struct Written: Hashable {
            let line: UInt
            let event: Happening
        }
        var useful: Set<Written> = []
        var useless: [Written: Mistake] = [:]
        for state in Place.allCases {
            for event in Happening.allCases {
                let rows = candidates(state, event)
                for row in rows {
                    let key = Written(line: row.line.line, event: event)
                    let holds = Facts.all.filter(row.line.suits)
                    if holds.isEmpty || isTaken(row, in: state)
                        || rows.contains(where: { overrides($0.line, row.line) })
                    {
                        useful.insert(key)
                    } else if useless[key] == nil {
                        let others = rows.filter { other in
                            other.line.rank > row.line.rank
                                && holds.contains(where: other.line.suits)
                                && isTaken(other, in: state)
                        }
                        useless[key] = Mistake(
                            kind: .rowNeverTaken,
                            lines: Set(others.map(\.line.line)).union([row.line.line]))
                    }
                }
            }
        }
        return Set(useless.filter { !useful.contains($0.key) }.values)
    }

    /// Rows that work with a payload that is not there.
    func wrongCases() -> Set<Mistake> {
        var found: Set<Mistake> = []
        for (state, row) in taken {
            if case .workOut(_, from: (let held, let brought)?) = row.line.target,
                held != state || brought != row.event
            {
                found.insert(Mistake(kind: .wrongCase, lines: [row.line.line]))
            }
        }
        return found
    }

    func openEnds() -> Set<Mistake> {
        var found: Set<Mistake> = []
        var places: [Place: UInt] = [:]
        for define in written.defines where places[define.state] == nil {
            places[define.state] = define.body.line
        }
        let ends = Set(written.defines.filter(\.isFinal).map(\.state))
        for end in written.defines where end.isFinal {
            for define in written.defines where !define.isFinal && define.state == end.state {
                let lines: Set = [end.body.line, define.body.line]
                found.insert(Mistake(kind: .finalAndDefined, lines: lines))
            }
        }
        var leads: [Place: Set<Place>] = [:]
        for (state, row) in taken {
            leads[state, default: []].formUnion(lead(of: row.line, in: state) ?? [])
        }
        if !written.tolerance.contains(.undefinedStates) {
            found.formUnion(undefinedStates(Set(places.keys)))
        }
        if !written.tolerance.contains(.unreachableStates) {
            var reached: Set = [written.initial]
            for _ in Place.allCases {
                for state in reached { reached.formUnion(leads[state] ?? []) }
            }
            for (state, line) in places where !reached.contains(state) {
                found.insert(Mistake(kind: .unreachableState, lines: [line]))
            }
        }
        for (state, line) in places where !ends.contains(state) {
            let hasExit = (leads[state] ?? []).contains { $0 != state }
            if !hasExit, !written.tolerance.contains(.statesWithoutExit) {
                found.insert(Mistake(kind: .stateWithoutExit, lines: [line]))
            }
            let isDecided = Happening.allCases.allSatisfy { event in
                Facts.all.allSatisfy { !best(candidates(state, event), $0).isEmpty }
            }
            if !isDecided, !written.tolerance.contains(.undecidedPairs) {
                found.insert(Mistake(kind: .undecidedPair, lines: [line]))
            }
        }
        return found
    }

    private func undefinedStates(_ defined: Set<Place>) -> Set<Mistake> {
        var found: Set<Mistake> = []
        var mentioned = defined
        for (state, row) in taken {
            let targets = lead(of: row.line, in: state) ?? []
            mentioned.formUnion(targets)
            if !targets.isSubset(of: defined) {
                found.insert(Mistake(kind: .undefinedTarget, lines: [row.line.line]))
            }
        }
        if !defined.contains(written.initial) || mentioned.count < Place.count {
            found.insert(Mistake(kind: .undefinedState, lines: [WrittenTable.line]))
        }
        return found
    }

    // MARK: - What comes of an event

    /// What an event leads to in a table without a mistake.
    func outcome(
        _ event: Happening, _ facts: Facts, in state: Place
    ) -> (outcome: Outcome<Int>, next: Place?, noting: Int) {
        guard let row = best(candidates(state, event), facts).first?.line else {
            return (.unhandled, nil, 0)
        }
        if row.conditions.contains(where: { !$0.holds(state, event) }) {
            return (.ignored("the row's condition does not hold"), nil, 0)
        }
        var next: Place?
        switch row.target {
        case .stay, nil: break
        case .enter(let place): next = place
        case .workOut(let places, _): next = WrittenTable.Aim.choice(of: places, state, event)
        case .ignore(let reason): return (.ignored(reason), nil, 0)
        }
        var commands = row.commands
        if row.worksOutCommands { commands.append(state.ordinal * 10 + event.ordinal + 1_000) }
        if written.policy == .always || row.reenters || (next ?? state) != state {
            commands = leaving(state) + commands + entering(next ?? state)
        }
        return (.handled(Commands(commands)), next, Int(row.saidBy))
    }

    /// What is done on entry, that of super states first.
    func entering(_ state: Place) -> [Int] {
        adopted(by: state).flatMap { written.superStates[$0].onEntry }
            + bodies(of: state).flatMap(\.onEntry)
    }

    /// What is done on exit, that of super states last and in the opposite order.
    func leaving(_ state: Place) -> [Int] {
        bodies(of: state).flatMap(\.onExit)
            + adopted(by: state).reversed().flatMap { written.superStates[$0].onExit }
    }

    private func bodies(of state: Place) -> [WrittenTable.Statement] {
        written.defines.filter { $0.state == state }.map(\.body)
    }

    /// Statements that adopt a super state twice.
    func repeatedAdoptions() -> Set<Mistake> {
        let superStates = Set(Place.allCases.flatMap(adopted)).map { written.superStates[$0] }
        let repeating = (written.defines.map(\.body) + superStates).filter {
            Set($0.adopts).count < $0.adopts.count
        }
        return Set(repeating.map { Mistake(kind: .repeatedAdoption, lines: [$0.line]) })
    }
}
