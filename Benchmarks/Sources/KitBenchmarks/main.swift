import Measure
import StateMachines

// What the kit costs beside switches written by hand. The run fails when a bound is not kept.

let count = 1 << 20
let random = (0..<count).map { _ in Event.allCases.randomElement()! }
let cycle: [Event] = [.coin, .coin, .pass, .pass, .reset, .fail, .coin, .repair]
let predictable = (0..<count).map { cycle[$0 % cycle.count] }
let enforcements = (0..<count).map { _ in Enforcement.allCases.randomElement()! }
let rewards = (0..<count).map { _ in Reward.allCases.randomElement()! }
let rows = try Rows.table()
let predicateRows = try PredicateRows.table()
let copies = [Loops<0>.all, Loops<1>.all, Loops<2>.all, Loops<3>.all]

/// The contestant of this name, which asks for no memory and keeps within `ratio`, if there is one.
@MainActor
func contestant(_ name: String, _ input: Input, atMost ratio: Double = .infinity) -> Contestant {
    Contestant(
        name, .ratio(ratio), .allocations(0),
        copies: copies.map { loops in { loops[name]!(input) } })
}

/// What is promised of tables.
let (machine, table) = (budget("machine-ratio"), budget("table-ratio"))
let promises = [
    (
        name: "random", events: random, table: budget("random-table-ratio"),
        withPredicates: budget("random-predicates-ratio")
    ),
    (name: "predictable", events: predictable, table: table, withPredicates: table),
]
for (name, events, tables, tablesWithPredicates) in promises {
    let input = Input(
        events: events, enforcements: enforcements, rewards: rewards, rows: rows,
        predicateRows: predicateRows)
    compare(
        "\(name) events", events: count,
        [
            contestant("nested switch by hand", input, atMost: 1),
            contestant("flat machine", input, atMost: machine),
            contestant("flat, in a generic layer", input, atMost: machine),
            contestant("hierarchical machine", input, atMost: machine),
            contestant("hierarchical, in a generic layer", input, atMost: machine),
            contestant("hierarchical, in a generic layer, performing", input, atMost: machine),
            // A list is gone through in a loop, whose end a processor can't foresee at random.
            contestant("table machine", input, atMost: table),
            contestant("table machine, performing", input, atMost: tables),
            contestant("table over a bare state", input, atMost: tables),
        ])
    compare(
        "\(name) events, two regions", events: count,
        [
            contestant("two nested switches by hand", input, atMost: 1),
            contestant("two regions", input, atMost: machine),
            contestant(
                "two regions, performing", input, atMost: budget("regions-performing-ratio")),
        ])
    compare(
        "\(name) events, random predicates", events: count,
        [
            contestant("nested switch with predicates", input, atMost: 1),
            contestant("table with predicates", input, atMost: tablesWithPredicates),
        ])
}
try reportBuilding()
finish()
