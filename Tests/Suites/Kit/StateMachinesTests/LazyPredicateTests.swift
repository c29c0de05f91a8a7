import StateMachines
import Testing

/// Predicates that are looked at only where a row asks for them.
@Suite struct LazyPredicateTests {
    /// A predicate of ten values, as many of them as there are types for `Which`.
    struct Dial<Which: Sendable>: Predicate {
        let ordinal: Int
        init(ordinal: Int) { self.ordinal = ordinal }
        static var allCases: [Dial] { (0..<10).map(Dial.init) }
    }
    enum A {}
    enum B {}
    enum C {}
    enum D {}
    enum E {}
    enum F {}
    enum G {}
    enum H {}
    typealias Four<X: Sendable, Y: Sendable, Z: Sendable, W: Sendable> =
        Both<Both<Dial<X>, Dial<Y>>, Both<Dial<Z>, Dial<W>>>

    /// A hundred million combinations, three times.
    enum Safe: TableSyntax {
        enum State: UInt8, Enumerated { case shut, open, blocked }
        enum Event: UInt8, Enumerated { case turned, closed }
        enum Command { case click, alarm }
        typealias Predicates = Lazily<Both<Four<A, B, C, D>, Four<E, F, G, H>>>

        static func rows() -> [Define<Self>] {
            [
                define(.shut) {
                    matching(Dial<A>(ordinal: 4), and: Dial<H>(ordinal: 7)).when(.turned)
                        .then(.open).commands(.click)
                    matching(
                        Dial<A>(ordinal: 1), and: Dial<B>(ordinal: 2), Dial<C>(ordinal: 3),
                        Dial<D>(ordinal: 4), Dial<E>(ordinal: 5), Dial<F>(ordinal: 6)
                    ).when(.turned).then(.blocked).commands(.alarm, .alarm)
                    when(.turned).ignored("not the numbers")
                    when(.closed).ignored("shut already")
                },
                define(.open) {
                    when(.closed).then(.shut).commands(.click)
                    matching(Dial<G>(ordinal: 9)).when(.turned).then(.blocked)
                    when(.turned).ignored("open")
                },
                final(.blocked),
            ]
        }
    }

    private static func dials(_ numbers: [Int]) -> Safe.Predicates {
        Lazily(
            Both(
                Both(
                    Both(Dial(ordinal: numbers[0]), Dial(ordinal: numbers[1])),
                    Both(Dial(ordinal: numbers[2]), Dial(ordinal: numbers[3]))),
                Both(
                    Both(Dial(ordinal: numbers[4]), Dial(ordinal: numbers[5])),
                    Both(Dial(ordinal: numbers[6]), Dial(ordinal: numbers[7])))))
    }

    @Test func `a table may have more predicates than their product has room for`() throws {
        var safe = TableMachine(
            try Table(initial: .shut) { Safe.rows() },
            predicates: Self.dials([4, 0, 0, 0, 0, 0, 0, 6]))
        #expect(safe.handle(.turned) == .ignored("not the numbers"))
        safe.predicates = Self.dials([4, 0, 0, 0, 0, 0, 0, 7])
        #expect(safe.handle(.turned) == .handled(.click))
        #expect(safe.state == .open)
        #expect(safe.handle(.turned) == .ignored("open"))
        #expect(safe.handle(.closed) == .handled(.click))
        safe.predicates = Self.dials([1, 2, 3, 4, 5, 6, 0, 7])
        #expect(safe.handle(.turned) == .handled([.alarm, .alarm]))
        #expect(safe.state == .blocked)
    }

    @Test func `what asks for no lazy predicate is one look-up as ever`() throws {
        let table = try Table<Safe>(initial: .shut) { Safe.rows() }
        var state = Safe.State.open
        #expect(table.move(.closed, Self.dials([0, 0, 0, 0, 0, 0, 0, 0]), in: &state).isComplete)
        #expect(state == .shut)
        #expect(!table.move(.turned, Self.dials([0, 0, 0, 0, 0, 0, 0, 0]), in: &state).isComplete)
    }

    @Test func `lazy predicates are judged for all their combinations`() {
        let found = Safe.mistakes(initial: .shut, tolerating: []) {
            Safe.define(.shut) {
                Safe.matching(Dial<A>(ordinal: 4)).when(.turned).then(.open)
                Safe.matching(Dial<H>(ordinal: 7)).when(.turned).then(.shut)
                Safe.matching(Dial<A>(ordinal: 5), or: Dial(ordinal: 4)).when(.closed).then(.open)
                Safe.matching(Dial<A>(ordinal: 5)).when(.closed).then(.open)
            }
            Safe.final(.open)
            Safe.final(.blocked)
        }
        let messages = Set(found.map(\.message))
        let expected = [
            "shut, turned: neither row is the more specific, and both can hold",
            "shut, closed: a second row leads to open", "nothing leads to blocked",
        ]
        #expect(messages.isSuperset(of: expected), "\(messages)")
        // As an example those that the rows ask for, and no other.
        let open = messages.filter { $0.contains("not decided") }
        #expect(open.count == 2)
        #expect(open.allSatisfy { $0.split(separator: ",").count <= 3 }, "\(open)")
    }

    @Test func `rows that tell too many combinations apart are refused`() {
        let found = Safe.mistakes(initial: .shut) {
            Safe.define(.shut) {
                (0..<9).map { number in
                    Safe.matching(
                        Dial<A>(ordinal: number), and: Dial<B>(ordinal: number),
                        Dial<C>(ordinal: number), Dial<D>(ordinal: number),
                        Dial<E>(ordinal: number), Dial<F>(ordinal: number),
                        Dial<G>(ordinal: number), Dial<H>(ordinal: number)
                    ).when(.turned).then(.open)
                }
            }
        }
        #expect(found.kinds == [.unsuitableType])
        #expect(
            found.first?.message
                == "shut, turned: the rows tell more than 1048576 combinations of predicates apart")
    }

    @Test func `the same predicates are too many for cells`() {
        enum Dense: TableSyntax {
            typealias State = Safe.State
            typealias Event = Safe.Event
            typealias Command = Safe.Command
            typealias Predicates = Both<Four<A, B, C, D>, Four<E, F, G, H>>
        }
        let found = Dense.mistakes(initial: .shut) {
            Dense.define(.shut) { Dense.when(.turned).then(.open) }
        }
        #expect(found.kinds == [.unsuitableType])
    }

    /// One of two predicates is lazy.
    enum Half: TableSyntax {
        enum State: UInt8, Enumerated { case off, on }
        enum Event: UInt8, Enumerated { case pressed, released }
        enum Command { case hum, glow }
        enum Mode: UInt8, Predicate { case day, night }
        enum Power: UInt8, Predicate { case mains, battery }
        typealias Predicates = Both<Mode, Lazily<Power>>

        static func table() throws -> Table<Self> {
            try Table(initial: .off) {
                define(.off) {
                    matching(Mode.day).when(.pressed).then(.on).commands(.hum)
                    matching(Mode.night, and: Power.mains).when(.pressed).then(.on).commands(.glow)
                    matching(Mode.night, and: Power.battery).when(.pressed).ignored("dark")
                    when(.released).ignored("off")
                }
                define(.on) {
                    matching(Mode.night).when(.released).then(.off).commands(.glow)
                    matching(Mode.day).when(.released).then(.off)
                    when(.pressed).ignored("on")
                }
            }
        }
    }

    @Test func `lazy predicates stand beside others`() throws {
        var machine = TableMachine(
            try Half.table(), predicates: Both(.night, Lazily(.battery)))
        #expect(machine.handle(.pressed) == .ignored("dark"))
        machine.predicates.second.values = .mains
        #expect(machine.handle(.pressed) == .handled(.glow))
        #expect(machine.table.move(.released, machine.predicates, in: &machine.state).isComplete)
        machine.predicates.first = .day
        #expect(machine.handle(.pressed) == .handled(.hum))
    }
}
