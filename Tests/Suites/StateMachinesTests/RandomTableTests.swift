import Seeds
import StateMachines
import Testing

/// Random tables, judged and run row by row by the most naive interpreter there could be.
@Suite struct RandomTableTests {
    enum State: UInt8, Enumerated { case s0, s1, s2, s3 }
    enum Event: UInt8, Enumerated { case e0, e1, e2 }
    enum P: UInt8, Predicate { case p0, p1, p2 }
    enum Q: UInt8, Predicate { case q0, q1 }

    enum Random: TableSyntax {
        typealias State = RandomTableTests.State
        typealias Event = RandomTableTests.Event
        typealias Command = Int
        typealias Predicates = Both<P, Q>
    }

    /// A row as the interpreter reads it; nil stands for a predicate that the row does not ask for.
    struct Line {
        let state: State
        let event: Event
        let p: P?
        let q: Q?
        let target: State?
        let command: Int?

        func suits(_ state: State, _ event: Event, _ p: P, _ q: Q) -> Bool {
            self.state == state && self.event == event && (self.p ?? p) == p && (self.q ?? q) == q
        }
        var rank: Int { (p == nil ? 0 : 1) + (q == nil ? 0 : 1) }

        init(command: Int, using random: inout SeededGenerator) {
            state = State.allCases.randomElement(using: &random) ?? .s0
            event = Event.allCases.randomElement(using: &random) ?? .e0
            p = Bool.random(using: &random) ? P.allCases.randomElement(using: &random) : nil
            q = Bool.random(using: &random) ? Q.allCases.randomElement(using: &random) : nil
            target =
                Int.random(in: 0..<4, using: &random) == 0
                ? nil : State.allCases.randomElement(using: &random)
            self.command = Bool.random(using: &random) ? command : nil
        }

        var statement: Define<Random> {
            let when =
                switch (p, q) {
                case (nil, nil): Random.when(event)
                case (let p?, nil): Random.matching(p).when(event)
                case (nil, let q?): Random.matching(q).when(event)
                case (let p?, let q?): Random.matching(p, and: q).when(event)
                }
            let row = target.map { when.then($0) } ?? when.then()
            return Random.define(state) { command.map { row.commands($0) } ?? row }
        }
    }

    @Test func `a random table dispatches as its rows read one by one`() throws {
        var random = SeededGenerator()
        var built = 0
        for _ in 0..<400 where try agrees(using: &random) { built += 1 }
        #expect(built > 50, "few of the random tables were free of clashes, \(random)")
    }

    /// Checks one random table.
    ///
    /// - Returns: whether it was free of clashes, so that it could be run.
    func agrees(using random: inout SeededGenerator) throws -> Bool {
        let lines = (0..<Int.random(in: 1...14, using: &random)).map {
            Line(command: $0, using: &random)
        }
        var expected: [[Line]] = []
        for (state, event, p, q) in situations {
            let suitable = lines.filter { $0.suits(state, event, p, q) }
            let rank = suitable.map(\.rank).max()
            expected.append(suitable.filter { $0.rank == rank })
        }
        let clashes = expected.contains { $0.count > 1 }
        let statements = lines.map(\.statement).shuffled(using: &random)
        guard let table = try? Table<Random>(initial: .s0, tolerating: .everything, { statements })
        else {
            // Besides clashes, a table is refused when none of its rows asks for a predicate.
            let unused = lines.allSatisfy { $0.p == nil } || lines.allSatisfy { $0.q == nil }
            #expect(clashes || unused, "\(random)")
            return false
        }
        #expect(!clashes, "\(random)")
        for ((state, event, p, q), line) in zip(situations, expected.map(\.first)) {
            var result = state
            let outcome = table.handle(event, Both(p, q), in: &result)
            #expect(result == line?.target ?? state, "\(random)")
            let commands = line?.command.map { Commands($0) } ?? []
            #expect(outcome == (line == nil ? .unhandled : .handled(commands)), "\(random)")
        }
        return true
    }

    var situations: [(State, Event, P, Q)] {
        State.allCases.flatMap { state in
            Event.allCases.flatMap { event in
                P.allCases.flatMap { p in Q.allCases.map { (state, event, p, $0) } }
            }
        }
    }
}
