import Seeds
import StateMachines

/// Writes random tables, right and wrong ones.
struct Writer {
    typealias Item = WrittenTable.Item
    var random: SeededGenerator
    private var line = WrittenTable.line
    private var command = 0
    /// How seldom something senseless is written: once in so many times.
    private var sense = 1

    init(_ random: SeededGenerator) {
        self.random = random
    }

    mutating func table() -> WrittenTable {
        line = WrittenTable.line
        sense = [4, 20, 200].randomElement(using: &random) ?? 1
        var table = WrittenTable()
        table.initial = one(of: Place.allCases)
        table.policy = random.oneIn(2) ? .always : .onChange
        table.tolerance =
            random.oneIn(3)
            ? TableTolerance(rawValue: UInt8.random(in: 0...15, using: &random)) : .everything
        for place in 0..<Int.random(in: 0...4, using: &random) {
            table.superStates.append(statement(adopting: place))
        }
        for state in Place.allCases where !random.oneIn(6) {
            for _ in 0..<(random.oneIn(6) ? 2 : 1) {
                var define = WrittenTable.Define(
                    state: state, body: statement(adopting: table.superStates.count))
                if random.oneIn(8) {
                    define.isFinal = true
                    define.body.items = nil
                    define.body.adopts = []
                    define.body.onExit = []
                }
                table.defines.append(define)
            }
        }
        return table
    }

    private mutating func statement(adopting count: Int) -> WrittenTable.Statement {
        var statement = WrittenTable.Statement(line: nextLine())
        for _ in 0..<min(count, Int.random(in: 0...2, using: &random)) {
            let place = Int.random(in: 0..<count, using: &random)
            if !statement.adopts.contains(place) || nonsense() { statement.adopts.append(place) }
        }
        if random.oneIn(2) { statement.onEntry = commands(upTo: 2) }
        if random.oneIn(2) { statement.onExit = commands(upTo: 2) }
        if statement.adopts.isEmpty ? !nonsense() : !random.oneIn(3) {
            statement.items = items(.complete, depth: 0)
        }
        return statement
    }

    private mutating func items(_ shape: Shape, depth: Int) -> [Item] {
        if nonsense() { return [] }
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in item(shape, depth) }
    }

    /// What rows have to say themselves, and what the rows round them said.
    struct Shape {
        var event: Bool
        var target: Bool
        static let complete = Shape(event: true, target: true)
    }

    private mutating func item(_ shape: Shape, _ depth: Int) -> Item {
        guard depth < 3, !random.oneIn(2) else { return .row(row(shape)) }
        let place = nextLine()
        var inner = shape
        let head: WrittenTable.Head
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where shape.event:
            head = .when(events())
            inner.event = false
        case 1 where shape.target:
            head = .then(one(of: Place.allCases))
            inner.target = false
        case 2: head = .commands(commands(upTo: 2))
        case 3: head = .condition(one(of: [.always, .never, .sometimes]))
        case 4 where shape.event && shape.target: head = .override
        default: head = .matching(asks())
        }
        return .block(head, line: place, items(inner, depth: depth + 1))
    }

    private mutating func row(_ shape: Shape) -> WrittenTable.Row {
        var row = WrittenTable.Row(line: nextLine())
        if shape.event { row.events = events() }
        if shape.target { row.target = target(canWorkOut: shape.event) }
        if random.oneIn(2) { row.commands = commands(upTo: 3) }
        row.worksOutCommands = random.oneIn(8)
        row.reenters =
            if case .ignore = row.target { nonsense() } else { random.oneIn(8) }
        if random.oneIn(6) { row.condition = one(of: [.always, .never, .sometimes]) }
        if !random.oneIn(3) || (!shape.event && row.condition == nil) { row.asks = asks() }
        return row
    }

    private mutating func target(canWorkOut: Bool) -> WrittenTable.Aim {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .stay
        case 1: return .ignore(one(of: ["not now", "not here"]))
        case 2 where canWorkOut:
            let places = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                one(of: Place.allCases)
            }
            let source = nonsense() ? (one(of: Place.allCases), one(of: Happening.allCases)) : nil
            return .workOut(places, from: source)
        default: return .enter(one(of: Place.allCases))
        }
    }

    private mutating func events() -> [Happening] {
        distinct(Happening.allCases, count: random.oneIn(4) ? 2 : random.oneIn(8) ? 3 : 1)
    }

    private mutating func asks() -> [WrittenTable.Ask] {
        let p = WrittenTable.Ask.p(
            distinct(P.allCases, count: Int.random(in: 1...2, using: &random)))
        let q = WrittenTable.Ask.q(distinct(Q.allCases, count: random.oneIn(6) ? 2 : 1))
        if nonsense() {
            let foreign = WrittenTable.Ask.foreign([one(of: Foreign.allCases)])
            return [one(of: [p, q, foreign]), one(of: [foreign, .p([.p1]), .q([.q1])])]
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return [p, .q([one(of: Q.allCases)])]
        case 1: return [q, .p([one(of: P.allCases)])]
        case 2: return [q]
        default: return [p]
        }
    }

    private mutating func commands(upTo count: Int) -> [Int] {
        (0..<Int.random(in: 0...count, using: &random)).map { _ in
            command += 1
            return command
        }
    }

    /// Values that differ, but for the senseless case.
    private mutating func distinct<Value>(_ values: [Value], count: Int) -> [Value] {
        if nonsense() { return (0..<count).map { _ in one(of: values) } }
        return Array(values.shuffled(using: &random).prefix(count))
    }

    private mutating func nonsense() -> Bool { random.oneIn(sense) }

    private mutating func nextLine() -> UInt {
        line += 1
        return line
    }

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }
}

extension WrittenTable {
    /// The table without the statements on these lines, and without blocks that are left empty.
    func without(_ lines: Set<UInt>) -> WrittenTable {
        var table = self
        for place in table.superStates.indices {
            table.superStates[place].items = Self.kept(table.superStates[place].items, lines)
            table.superStates[place].adoptOnce(lines)
        }
        table.defines = defines.compactMap { define in
            if define.isFinal || define.body.items == nil {
                return lines.contains(define.body.line) ? nil : define
            }
            var define = define
            define.body.items = Self.kept(define.body.items, lines)
            define.body.adoptOnce(lines)
            return define
        }
        return table
    }

    private static func kept(_ items: [Item]?, _ lines: Set<UInt>) -> [Item]? {
        let kept = (items ?? []).compactMap { item -> Item? in
            switch item {
            case .row(let row): return lines.contains(row.line) ? nil : item
            case .block(let head, let line, let inner):
                if lines.contains(line) { return nil }
                return Self.kept(inner, lines).map { .block(head, line: line, $0) }
            }
        }
        return kept.isEmpty ? nil : kept
    }
}

extension WrittenTable.Statement {
    /// Adopts each super state once, if the statement's line is among these.
    fileprivate mutating func adoptOnce(_ lines: Set<UInt>) {
        if lines.contains(line), adopts.count == 2, adopts[0] == adopts[1] { adopts.removeLast() }
    }
}
