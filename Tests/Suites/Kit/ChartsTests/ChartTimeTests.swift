import Charts
import StateMachines
import Testing

/// Words for small charts with time.
private enum Timed: ChartSyntax {
    enum State: UInt8, Enumerated { case a, a1, a2, b }

    struct Event: TimedEvent, Equatable {
        enum Kind: UInt8, Enumerated { case go, timePassed }
        let kind: Kind
        let instant: Instant
        static let timePassed = Kind.timePassed
    }

    typealias Command = String
    typealias Context = Int

    static func command(for loss: ChartLoss<Event>) -> String? { name(of: loss) }
    static func name(of loss: ChartLoss<Event>) -> String {
        switch loss {
        case .unhandled(let event): "unhandled \(event.kind)"
        case .dropped(let event): "dropped \(event.kind)"
        case .endless: "endless"
        }
    }

    static func started(
        @ChartBuilder<Self> _ parts: () -> [ChartPart<Self>]
    ) throws -> ChartMachine<Self> {
        try Chart(tolerating: .everything, stepLimit: 5, parts)
            .start(context: 3, at: at(0)).machine
    }

    static func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }
}

extension ChartMachine<Timed> {
    fileprivate mutating func go(_ seconds: Int64) -> Outcome<String> {
        handle(Timed.Event(kind: .go, instant: Timed.at(seconds)))
    }

    fileprivate mutating func wait(_ seconds: Int64) -> Outcome<String> {
        handle(Timed.Event(kind: .timePassed, instant: Timed.at(seconds)))
    }
}

@Suite struct ChartTimeTests {
    private typealias T = Timed

    @Test func `a chart that has ended waits for nothing`() throws {
        var machine = try T.started {
            T.initial(.a)
            T.after(.seconds(10)).then(.a)
            T.state(.a) { T.when(.go).then(.b) }
            T.final(.b)
        }
        #expect(machine.deadline == T.at(10))
        _ = machine.go(5)
        #expect(machine.hasEnded && machine.deadline == nil)
        let late = T.Event(kind: .timePassed, instant: T.at(10))
        #expect(machine.undecidedRegions(of: late).isEmpty)
    }

    @Test func `no region is undecided about the time`() throws {
        let machine = try T.started {
            T.initial(.a)
            T.state(.a) { T.when(.go).then(.b) }
            T.state(.b) { T.after(.seconds(4)).then(.a) }
        }
        let passed = T.Event(kind: .timePassed, instant: T.at(1))
        #expect(machine.undecidedRegions(of: passed).isEmpty)
    }

    @Test func `a state round others goes on waiting while those change`() throws {
        var machine = try T.started {
            T.initial(.a)
            T.state(.a) {
                T.after(.seconds(10)).then(.b)
                T.state(.a1) { T.when(.go).then(.a2) }
                T.initial(.a1)
                T.state(.a2) { T.after(.seconds(4)).then(.a1) }
            }
            T.state(.b) { T.when(.go).then(.a) }
        }
        #expect(machine.deadline == T.at(10))
        _ = machine.go(5)
        #expect(machine.deadline == T.at(9))
        #expect(machine.wait(9) == .handled)
        #expect(machine.deadline == T.at(10))
        _ = machine.go(9)
        #expect(machine.wait(10) == .handled)
        #expect(machine.isIn(.b))
        #expect(machine.deadline == nil)
    }

    @Test func `of rows that wait equally long the first that holds is taken`() throws {
        var machine = try T.started {
            T.state(.a) {
                T.onEntry().update { sum, _ in sum += 1 }
                T.after(.seconds(1)).condition { $0.context == 0 }.commands("never")
                T.after(.seconds(1)).commands { ["at \($0.now.nanoseconds)"] }
                T.after(.seconds(1)).commands("hidden")
                T.after { .seconds($0.context) }.commands("computed")
                T.after(.seconds(-1)).commands("at once")
            }
        }
        #expect(machine.deadline == .zero)
        #expect(
            machine.wait(5) == .handled(["at once", "at 1000000000", "computed"]))
        #expect(machine.wait(6) == .ignored("no timeout is due"))
    }

    @Test func `a timeout whose row does not hold is gone`() throws {
        var machine = try T.started {
            T.state(.a) { T.after(.seconds(1)).condition { _ in false }.then(.a) }
        }
        #expect(machine.wait(2) == .handled)
        #expect(machine.deadline == nil)
        #expect(machine.go(3) == .unhandled)
    }

    @Test func `an event that only fires timeouts is reported`() throws {
        var machine = try T.started {
            T.initial(.a)
            T.state(.a) { T.after(.seconds(1)).then(.b).commands("late") }
            T.final(.b)
        }
        var other = machine
        #expect(machine.go(1) == .handled(["late", "dropped go"]))
        #expect(other.wait(1) == .handled("late"))
        var third = try T.started { T.state(.a) { T.after(.seconds(1)).commands("once") } }
        #expect(third.go(1) == .handled(["once", "unhandled go"]))
    }

    @Test func `timeouts in circles end at the limit, and go on later`() throws {
        var machine = try T.started { T.state(.a) { T.after(.seconds(1)).then(.a) } }
        #expect(machine.wait(20) == .handled("endless"))
        #expect(machine.deadline == T.at(6))
        #expect(machine.wait(20) == .handled("endless"))
        #expect(machine.deadline == T.at(11))
        #expect(machine.listens == [.timePassed])
    }
}
