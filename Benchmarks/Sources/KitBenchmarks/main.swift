import Measure
import StateMachines

let count = 1 << 20
let random = (0..<count).map { _ in Event.allCases.randomElement()! }
let cycle: [Event] = [.coin, .coin, .pass, .pass, .reset, .fail, .coin, .repair]
let predictable = (0..<count).map { cycle[$0 % cycle.count] }
let enforcements = (0..<count).map { _ in Enforcement.allCases.randomElement()! }
let rewards = (0..<count).map { _ in Reward.allCases.randomElement()! }

@inline(__always)
func mix(_ sum: inout Int, _ command: Command) { sum = sum &* 31 &+ Int(command.rawValue) &+ 1 }

@inline(never)
func handWritten(_ events: [Event]) -> Int {
    var machine = HandWritten()
    var sum = 0
    for event in events { if let command = machine.handle(event) { mix(&sum, command) } }
    return sum
}

@inline(__always)
func run<Machine: StateMachine<Event, Command>>(_ start: Machine, _ events: [Event]) -> Int {
    var machine = start
    var sum = 0
    for event in events {
        if case .handled(let commands) = machine.handle(event) {
            commands.forEach { mix(&sum, $0) }
        }
    }
    return sum
}

/// The same, without a list of commands.
@inline(__always)
func perform<Machine: StateMachine<Event, Command>>(_ start: Machine, _ events: [Event]) -> Int {
    var machine = start
    var sum = 0
    for event in events { _ = machine.handle(event) { mix(&sum, $0) } }
    return sum
}

@inline(never) func flat(_ events: [Event]) -> Int { run(Flat(), events) }
@inline(never) func wrapped(_ events: [Event]) -> Int { run(Wrapped(base: Flat()), events) }
@inline(never)
func hierarchical(_ events: [Event]) -> Int { run(Hierarchical.functioning(.locked), events) }
@inline(never)
func wrappedHierarchical(_ events: [Event]) -> Int {
    run(Wrapped(base: Hierarchical.functioning(.locked)), events)
}
@inline(never)
func wrappedHierarchicalPerforming(_ events: [Event]) -> Int {
    perform(Wrapped(base: Hierarchical.functioning(.locked)), events)
}
@inline(never)
func table(_ table: Table<Rows>, _ events: [Event]) -> Int { run(TableMachine(table), events) }
@inline(never)
func tablePerforming(_ table: Table<Rows>, _ events: [Event]) -> Int {
    perform(TableMachine(table), events)
}
@inline(never)
func tableState(_ table: Table<Rows>, _ events: [Event]) -> Int {
    var state = table.initial
    var sum = 0
    for event in events {
        if let command = table.move(event, in: &state).command { mix(&sum, command) }
    }
    return sum
}

@inline(never)
func twoHandWritten(_ events: [Event]) -> Int {
    var first = HandWritten()
    var second = HandWritten()
    second.state = .broken
    var sum = 0
    for event in events {
        if let command = first.handle(event) { mix(&sum, command) }
        if let command = second.handle(event) { mix(&sum, command) }
    }
    return sum
}
@inline(never)
func regions(_ events: [Event]) -> Int { run(Regions(Flat(), Flat(state: .broken)), events) }

@inline(never)
func regionsPerforming(_ events: [Event]) -> Int {
    perform(Regions(Flat(), Flat(state: .broken)), events)
}

@inline(never)
func handWrittenWithPredicates(_ events: [Event]) -> Int {
    var machine = HandWrittenWithPredicates()
    var sum = 0
    for place in events.indices {
        let command = machine.handle(events[place], enforcements[place], rewards[place])
        if let command { mix(&sum, command) }
    }
    return sum
}
@inline(never)
func tableWithPredicates(_ table: Table<PredicateRows>, _ events: [Event]) -> Int {
    var state = table.initial
    var sum = 0
    for place in events.indices {
        let facts = Both(enforcements[place], rewards[place])
        let move = table.move(events[place], facts, in: &state)
        if let command = move.command { mix(&sum, command) }
    }
    return sum
}

let rows = try Rows.table()
let predicateRows = try PredicateRows.table()
for (name, events) in [("random", random), ("predictable", predictable)] {
    compare(
        "\(name) events", events: count,
        [
            Contestant(name: "nested switch by hand") { handWritten(events) },
            Contestant(name: "flat machine") { flat(events) },
            Contestant(name: "flat, in a generic layer") { wrapped(events) },
            Contestant(name: "hierarchical machine") { hierarchical(events) },
            Contestant(name: "hierarchical, in a generic layer") { wrappedHierarchical(events) },
            Contestant(name: "hierarchical, in a generic layer, performing") {
                wrappedHierarchicalPerforming(events)
            },
            Contestant(name: "table machine") { table(rows, events) },
            Contestant(name: "table machine, performing") { tablePerforming(rows, events) },
            Contestant(name: "table over a bare state") { tableState(rows, events) },
        ])
    compare(
        "\(name) events, two regions", events: count,
        [
            Contestant(name: "two nested switches by hand") { twoHandWritten(events) },
            Contestant(name: "two regions") { regions(events) },
            Contestant(name: "two regions, performing") { regionsPerforming(events) },
        ])
    compare(
        "\(name) events, random predicates", events: count,
        [
            Contestant(name: "nested switch by hand") { handWrittenWithPredicates(events) },
            Contestant(name: "table") { tableWithPredicates(predicateRows, events) },
        ])
}
try reportBuilding()
