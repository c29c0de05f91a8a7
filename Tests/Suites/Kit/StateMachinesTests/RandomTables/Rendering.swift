import StateMachines

/// Says a written table in the words of the kit.
struct Rendering<Words: RandomWords> {
    typealias Item = WrittenTable.Item
    typealias Nodes = [RowNode<Words>]

    /// What a block has said already, and so what the rows in it may still say.
    enum Shape { case complete, eventless, targetless, bare }

    static func build(_ written: WrittenTable) throws(TableError) -> Table<Words> {
        var superStates: [SuperState<Words>] = []
        for statement in written.superStates {
            superStates.append(superState(statement, adopting: superStates))
        }
        let defines = written.defines.map { define($0, adopting: superStates) }
        return try Table(
            initial: Words.state(written.initial, noting: 0), entryAndExit: written.policy,
            tolerating: written.tolerance, line: WrittenTable.line
        ) { defines }
    }

    private static func superState(
        _ statement: WrittenTable.Statement, adopting known: [SuperState<Words>]
    ) -> SuperState<Words> {
        let adopts = statement.adopts.map { known[$0] }
        let (entry, exit, line) = (statement.onEntry, statement.onExit, statement.line)
        if let items = statement.items {
            let rows = nodes(items, .complete)
            let body = { rows }
            switch adopts.count {
            case 0:
                return SuperState(onEntry: entry, onExit: exit, line: line, body)
            case 1:
                return SuperState(
                    adopts: adopts[0], onEntry: entry, onExit: exit, line: line, body)
            default:
                return SuperState(
                    adopts: adopts[0], adopts[1], onEntry: entry, onExit: exit, line: line, body)
            }
        }
        switch adopts.count {
        case 0: return SuperState(onEntry: entry, onExit: exit, line: line)
        case 1: return SuperState(adopts: adopts[0], onEntry: entry, onExit: exit, line: line)
        default:
            return SuperState(
                adopts: adopts[0], adopts[1], onEntry: entry, onExit: exit, line: line)
        }
    }

    private static func define(
        _ define: WrittenTable.Define, adopting known: [SuperState<Words>]
    ) -> Define<Words> {
        if define.isFinal {
            return Words.final(
                define.state, onEntry: define.body.onEntry, line: define.body.line)
        }
        return Words.define(
            define.state, define.body, adopting: define.body.adopts.map { known[$0] },
            rows: define.body.items.map { nodes($0, .complete) })
    }

    private static func nodes(_ items: [Item], _ shape: Shape) -> Nodes {
        items.flatMap { item in
            switch item {
            case .row(let row): nodes(row, shape)
            case .block(let head, let line, let inner): nodes(head, line, inner, shape)
            }
        }
    }

    // MARK: - Rows

    private static func nodes(_ row: WrittenTable.Row, _ shape: Shape) -> Nodes {
        var start = row.asks.isEmpty ? nil : matching(row.asks, row.line)
        if let condition = row.condition {
            let holds = test(condition)
            start = start?.condition(holds) ?? Matching(holds, line: row.line)
        }
        switch shape {
        case .complete:
            let when =
                start.map { Words.when(row.events, after: $0) }
                ?? Words.when(row.events, line: row.line)
            return RowsBuilder<Words, Complete>.buildExpression(commanding(aim(when, row), row))
        case .eventless:
            guard let start else { fatalError("a row without a beginning") }
            return RowsBuilder<Words, Eventless>.buildExpression(commanding(aim(start, row), row))
        case .targetless:
            let when =
                start.map { Words.when(row.events, after: $0) }
                ?? Words.when(row.events, line: row.line)
            if row.isBare {
                return RowsBuilder<Words, Targetless>.buildExpression(when)
            }
            return RowsBuilder<Words, Targetless>.buildExpression(
                commanding(when.commands(), row))
        case .bare:
            guard let start else { fatalError("a row without a beginning") }
            if row.isBare {
                return RowsBuilder<Words, Bare>.buildExpression(start)
            }
            return RowsBuilder<Words, Bare>.buildExpression(commanding(start.commands(), row))
        }
    }

    private static func test(
        _ condition: WrittenTable.Condition
    ) -> @Sendable (Words.State, Words.Event) -> Bool {
        { condition.holds($0.kind, $1.kind) }
    }

    private static func commanding<S>(
        _ row: Row<Words, S>, _ written: WrittenTable.Row
    ) -> Row<
        Words, S
    > {
        var row = row
        for command in written.commands { row = row.commands(command) }
        if written.reenters { row = row.reentering() }
        if written.worksOutCommands {
            row = row.commands { state, event in
                [state.kind.ordinal * 10 + event.kind.ordinal + 1_000]
            }
        }
        return row
    }

    private static func aim(
        _ when: When<Words>, _ row: WrittenTable.Row
    ) -> Row<Words, Complete> {
        let note = Int(row.line)
        switch row.target {
        case .stay, nil: return when.then()
        case .enter(let place): return when.then(Words.state(place, noting: note))
        case .ignore(let reason): return when.ignored(reason)
        case .workOut(let places, let source):
            let update = { @Sendable (state: Place, event: Happening) in
                Words.state(
                    WrittenTable.Aim.choice(of: places, state, event), noting: note)
            }
            if let (state, event) = source {
                let held = Case<Words.State, Place>(state) { $0.kind == state ? state : nil }
                let brought = Case<Words.Event, Happening>(event) { $0.kind == event ? event : nil }
                return places.count == 1
                    ? when.then(places[0], from: held, with: brought, by: update)
                    : when.then(places[0], or: places[1], from: held, with: brought, by: update)
            }
            return places.count == 1
                ? when.then(places[0]) { update($0.kind, $1.kind) }
                : when.then(places[0], or: places[1]) { update($0.kind, $1.kind) }
        }
    }

    private static func aim(
        _ matching: Matching<Words>, _ row: WrittenTable.Row
    ) -> Row<Words, Eventless> {
        switch row.target {
        case .stay, nil: matching.then()
        case .enter(let place): matching.then(Words.state(place, noting: Int(row.line)))
        case .ignore(let reason): matching.ignored(reason)
        case .workOut: fatalError("no row without an event works its target out")
        }
    }

    // MARK: - Words with lists

    private static func matching(_ asks: [WrittenTable.Ask], _ line: UInt) -> Matching<Words> {
        switch asks[0] {
        case .p(let values): matching(values, asks.dropFirst(), line)
        case .q(let values): matching(values, asks.dropFirst(), line)
        case .foreign(let values): matching(values, asks.dropFirst(), line)
        }
    }

    private static func matching<A: Predicate>(
        _ values: [A], _ rest: ArraySlice<WrittenTable.Ask>, _ line: UInt
    ) -> Matching<Words> {
        switch rest.first {
        case .p(let others): return matching(values, and: others[0], line)
        case .q(let others): return matching(values, and: others[0], line)
        case .foreign(let others): return matching(values, and: others[0], line)
        case nil:
            switch values.count {
            case 1: return Matching(values[0], line: line)
            case 2: return Matching(values[0], or: values[1], line: line)
            default: return Matching(values[0], or: values[1], values[2], line: line)
            }
        }
    }

    private static func matching<A: Predicate, B: Predicate>(
        _ values: [A], and other: B, _ line: UInt
    ) -> Matching<Words> {
        switch values.count {
        case 1: Matching(values[0], and: other, line: line)
        case 2: Matching(values[0], or: values[1], and: other, line: line)
        default: Matching(values[0], or: values[1], values[2], and: other, line: line)
        }
    }

    // MARK: - Blocks

    private static func nodes(
        _ head: WrittenTable.Head, _ line: UInt, _ items: [Item], _ shape: Shape
    ) -> Nodes {
        func inside(_ shape: Shape) -> () -> Nodes {
            let rows = nodes(items, shape)
            return { rows }
        }
        switch head {
        case .when(let list):
            let when = Words.when(list, line: line)
            return shape == .complete
                ? nodes(of: when(rows: inside(.eventless)) as Block<Words, Complete>)
                : nodes(of: when(rows: inside(.bare)) as Block<Words, Targetless>)
        case .then(let place):
            let then = Then<Words>(Words.state(place, noting: Int(line)), line: line)
            return shape == .complete
                ? nodes(of: then(rows: inside(.targetless)) as Block<Words, Complete>)
                : nodes(of: then(rows: inside(.bare)) as Block<Words, Eventless>)
        case .commands(let list):
            let commands =
                switch list.count {
                case 0: Commanding<Words>(line: line)
                case 1: Commanding<Words>(list[0], line: line)
                default: Commanding<Words>(list[0], list[1], line: line)
                }
            return nodes(of: commands(rows: inside(shape)) as Block<Words, Complete>)
        case .matching(let asks):
            let matching = matching(asks, line)
            return nodes(of: matching(rows: inside(shape)) as Block<Words, Complete>)
        case .condition(let condition):
            let matching = Matching<Words>(test(condition), line: line)
            return nodes(of: matching(rows: inside(shape)) as Block<Words, Complete>)
        case .override:
            let override = Override<Words>(line: line)
            return nodes(of: override(rows: inside(shape)))
        }
    }

    private static func nodes<S>(of block: Block<Words, S>) -> Nodes {
        RowsBuilder<Words, S>.buildExpression(block)
    }
}
