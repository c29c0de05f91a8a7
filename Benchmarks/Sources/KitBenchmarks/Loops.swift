import StateMachines

/// Mixes a command into a checksum that depends on the order.
@inline(__always)
func mix(_ sum: inout Int, _ command: Command) {
    let bits = UInt(bitPattern: sum)
    sum = Int(bitPattern: (bits &<< 5 | bits &>> 59) ^ UInt(command.rawValue &+ 1))
}

/// Reads the list of commands that each event leads to.
@inline(__always)
private func run<Machine: StateMachine<Event, Command>>(
    _ start: Machine, _ events: [Event], _ copy: Int
) -> Int {
    if events.isEmpty { return copy }
    var machine = start
    var sum = 0
    for event in events {
        switch machine.handle(event) {
        case .handled(let commands): commands.forEach { mix(&sum, $0) }
        case .ignored, .unhandled: break
        }
    }
    return sum
}

/// The same, without a list of commands.
@inline(__always)
private func perform<Machine: StateMachine<Event, Command>>(
    _ start: Machine, _ events: [Event], _ copy: Int
) -> Int {
    if events.isEmpty { return copy }
    var machine = start
    var sum = 0
    for event in events { _ = machine.handle(event) { mix(&sum, $0) } }
    return sum
}

/// What the loops go through, and the tables.
struct Input {
    let events: [Event]
    let enforcements: [Enforcement]
    let rewards: [Reward]
    let rows: Table<Rows>
    let predicateRows: Table<PredicateRows>
}

/// The loops over all events. Each copy of the type has them compiled once more, to lie elsewhere;
/// so that no two are the same code, each tells what copy it is when there are no events.
enum Loops<let copy: Int> {
    @inline(never)
    static func handWritten(_ input: Input) -> Int {
        if input.events.isEmpty { return copy }
        var machine = HandWritten()
        var sum = 0
        for event in input.events { if let command = machine.handle(event) { mix(&sum, command) } }
        return sum
    }

    @inline(never)
    static func flat(_ input: Input) -> Int { run(Flat(), input.events, copy) }
    @inline(never)
    static func wrapped(_ input: Input) -> Int { run(Wrapped(base: Flat()), input.events, copy) }
    @inline(never)
    static func hierarchical(_ input: Input) -> Int {
        run(Hierarchical.functioning(.locked), input.events, copy)
    }
    @inline(never)
    static func wrappedHierarchical(_ input: Input) -> Int {
        run(Wrapped(base: Hierarchical.functioning(.locked)), input.events, copy)
    }
    @inline(never)
    static func wrappedHierarchicalPerforming(_ input: Input) -> Int {
        perform(Wrapped(base: Hierarchical.functioning(.locked)), input.events, copy)
    }

    @inline(never)
    static func table(_ input: Input) -> Int { run(TableMachine(input.rows), input.events, copy) }
    @inline(never)
    static func tablePerforming(_ input: Input) -> Int {
        perform(TableMachine(input.rows), input.events, copy)
    }
    @inline(never)
    static func tableState(_ input: Input) -> Int {
        if input.events.isEmpty { return copy }
        var state = input.rows.initial
        var sum = 0
        for event in input.events {
            if let command = input.rows.move(event, in: &state).command { mix(&sum, command) }
        }
        return sum
    }

    @inline(never)
    static func twoHandWritten(_ input: Input) -> Int {
        if input.events.isEmpty { return copy }
        var first = HandWritten()
        var second = HandWritten()
        second.state = .broken
        var sum = 0
        for event in input.events {
            if let command = first.handle(event) { mix(&sum, command) }
            if let command = second.handle(event) { mix(&sum, command) }
        }
        return sum
    }
    @inline(never)
    static func regions(_ input: Input) -> Int {
        run(Regions(Flat(), Flat(state: .broken)), input.events, copy)
    }
    @inline(never)
    static func regionsPerforming(_ input: Input) -> Int {
        perform(Regions(Flat(), Flat(state: .broken)), input.events, copy)
    }

    @inline(never)
    static func handWrittenWithPredicates(_ input: Input) -> Int {
        if input.events.isEmpty { return copy }
        var machine = HandWrittenWithPredicates()
        var sum = 0
        for place in input.events.indices {
            let command = machine.handle(
                input.events[place], input.enforcements[place], input.rewards[place])
            if let command { mix(&sum, command) }
        }
        return sum
    }
    @inline(never)
    static func tableWithPredicates(_ input: Input) -> Int {
        if input.events.isEmpty { return copy }
        var state = input.predicateRows.initial
        var sum = 0
        for place in input.events.indices {
            let facts = Both(input.enforcements[place], input.rewards[place])
            let move = input.predicateRows.move(input.events[place], facts, in: &state)
            if let command = move.command { mix(&sum, command) }
        }
        return sum
    }

    typealias Loop = (Input) -> Int
    /// All of them, by name.
    static var all: [String: Loop] {
        [
            "nested switch by hand": handWritten,
            "flat machine": flat,
            "flat, in a generic layer": wrapped,
            "hierarchical machine": hierarchical,
            "hierarchical, in a generic layer": wrappedHierarchical,
            "hierarchical, in a generic layer, performing": wrappedHierarchicalPerforming,
            "table machine": table,
            "table machine, performing": tablePerforming,
            "table over a bare state": tableState,
            "two nested switches by hand": twoHandWritten,
            "two regions": regions,
            "two regions, performing": regionsPerforming,
            "nested switch with predicates": handWrittenWithPredicates,
            "table with predicates": tableWithPredicates,
        ]
    }
}
