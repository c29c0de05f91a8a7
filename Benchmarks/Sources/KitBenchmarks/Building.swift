import Measure
import StateMachines

/// A predicate of ten values, and two more of the same size.
enum Season: UInt8, Predicate { case v0, v1, v2, v3, v4, v5, v6, v7, v8, v9 }
enum Weekday: UInt8, Predicate { case v0, v1, v2, v3, v4, v5, v6, v7, v8, v9 }
enum Tariff: UInt8, Predicate { case v0, v1, v2, v3, v4, v5, v6, v7, v8, v9 }

/// Ten states and ten events: a hundred transitions under three predicates.
enum Hundred: TableSyntax {
    enum State: UInt8, Enumerated { case s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 }
    enum Event: UInt8, Enumerated { case e0, e1, e2, e3, e4, e5, e6, e7, e8, e9 }
    typealias Command = Int
    typealias Predicates = Both<Season, Both<Weekday, Tariff>>

    /// One row for each pair of state and event, of which some ask for predicates.
    static func table() throws -> Table<Self> {
        let statements = State.allCases.map { state in
            define(state) {
                Event.allCases.map { event in
                    let target = State(ordinal: (state.ordinal + event.ordinal) % State.count)
                    let value = event.ordinal
                    switch value {
                    case 0:
                        return matching(Season(ordinal: value)).when(event).then(target)
                    case 1:
                        return matching(Weekday(ordinal: value), and: Tariff(ordinal: value))
                            .when(event).then(target)
                    case _: return when(event).then(target).commands(value)
                    }
                }
            }
        }
        return try Table(initial: .s0, tolerating: .everything) { statements }
    }
}

/// Forty states and twenty-five events: a thousand transitions.
enum Thousand: TableSyntax {
    /// A type of so many values without a name.
    struct Number<Limit: Bound>: Enumerated {
        let ordinal: Int
        init(ordinal: Int) { self.ordinal = ordinal }
        static var allCases: [Number] { (0..<Limit.count).map(Number.init) }
    }
    protocol Bound: Sendable { static var count: Int { get } }
    enum Forty: Bound { static var count: Int { 40 } }
    enum TwentyFive: Bound { static var count: Int { 25 } }

    typealias State = Number<Forty>
    typealias Event = Number<TwentyFive>
    typealias Command = Int

    static func table() throws -> Table<Self> {
        let statements = State.allCases.map { state in
            define(state) {
                Event.allCases.map { event in
                    when(event).then(State(ordinal: (state.ordinal + event.ordinal + 1) % 40))
                        .commands(event.ordinal)
                }
            }
        }
        return try Table(initial: State(ordinal: 0)) { statements }
    }
}

/// Prints how long tables take to build and to compile, and what an instance costs.
func reportBuilding() throws {
    print("building, processor time, best of 5")
    for (name, build) in [
        ("100 rows, 3 predicates of 10", { _ = try Hundred.table() }),
        ("1000 rows", { _ = try Thousand.table() }),
    ] {
        let best =
            try (0..<5).map { _ in
                let start = processorTime()
                try build()
                return processorTime() - start
            }.min() ?? .zero
        print("  ", padded(name, to: 34), best)
        let most = budget("table-building-ms")
        if best > .milliseconds(most) { miss("building \(name): \(best), asked \(most) ms") }
    }
    try reportTypeChecking()
    let sizes = (flat: MemoryLayout<Flat>.size, table: MemoryLayout<State>.size)
    print("an instance of the flat machine:", sizes.flat, "byte; of a table:", sizes.table, "byte")
    if sizes.flat > MemoryLayout<State>.size { miss("an instance costs more than its state") }
}

/// Prints how long the compiler takes over tables, which grows with the square of what stands
/// between two braces.
private func reportTypeChecking() throws {
    print("type-checking, processor time")
    for (rows, layout, bound) in [
        (5, Layout.inOnePiece, "type-checking-s"), (60, .inOnePiece, "type-checking-s"),
        (400, .inOnePiece, "type-checking-400-rows-s"),
        (1_000, .inAnArray, "type-checking-1000-rows-array-s"),
        (1_000, .byState, "type-checking-1000-rows-by-state-s"),
    ] {
        let limit = Duration.seconds(budget(bound))
        guard let time = try typeCheckTime(rows: rows, layout) else {
            miss("type-checking a table of \(rows) rows: no compiler, or it failed")
            continue
        }
        print("  ", padded("\(rows) rows, \(layout.rawValue)", to: 36), time)
        if time > limit {
            miss("type-checking \(rows) rows, \(layout.rawValue): \(time), asked \(limit)")
        }
    }
}
