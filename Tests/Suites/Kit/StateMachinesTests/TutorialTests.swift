import Exploration
import StateMachines
import Testing

/// The code of the tutorial, compiled and run. ``DocumentTests`` sees to it that it has no other.
enum Tutorial {
    enum Turnstile: StateMachine, Hashable {
        case locked
        case unlocked

        enum Event { case coin, pass }
        enum Command { case unlock, lock, thank, alarm }

        mutating func handle(_ event: Event) -> Outcome<Command> {
            switch (self, event) {
            case (.locked, .coin):
                self = .unlocked
                return .handled(.unlock)
            case (.locked, .pass): return .handled(.alarm)
            case (.unlocked, .coin): return .handled(.thank)
            case (.unlocked, .pass):
                self = .locked
                return .handled(.lock)
            }
        }
    }

    enum Gate: Statechart, SelectiveMachine, TimedMachine, Hashable {
        case functioning(Turnstile)
        case broken(was: Turnstile)

        enum Event: UInt8, Enumerated { case coin, pass, failure, repair }
        enum Position { case functioning, broken }

        var position: Position {
            switch self {
            case .functioning: .functioning
            case .broken: .broken
            }
        }

        var entryCommands: Commands<Turnstile.Command> {
            switch self {
            case .functioning: []
            case .broken: [.alarm]
            }
        }

        var exitCommands: Commands<Turnstile.Command> { [] }

        mutating func react(to event: Event) -> Transition<Turnstile.Command> {
            switch (self, event) {
            case (.functioning(let turnstile), .failure): enter(.broken(was: turnstile))
            case (.functioning(let turnstile), .coin):
                forward(.coin, to: turnstile, in: Self.functioning)
            case (.functioning(let turnstile), .pass):
                forward(.pass, to: turnstile, in: Self.functioning)
            case (.functioning, .repair): .ignored("nothing is broken")
            case (.broken(let turnstile), .repair): enter(.functioning(turnstile))
            case (.broken, .coin), (.broken, .pass), (.broken, .failure): .unhandled
            }
        }

        var deadline: Instant? { nil }

        var listens: KindSet<Event> { permittedEvents }
    }

    struct Counter: StateMachine, Hashable {
        var coins = 0

        mutating func handle(_ event: Gate.Event) -> Outcome<Turnstile.Command> {
            guard event == .coin else { return .ignored("not a coin") }
            coins = min(coins + 1, 3)
            return .handled
        }
    }

    struct Audited: StateMachine, Hashable {
        var regions = Regions(Gate.functioning(.locked), Counter())

        mutating func handle(_ event: Gate.Event) -> Outcome<Turnstile.Command> {
            if event == .coin && regions.first.position == .broken {
                return .ignored("the gate is broken")
            }
            return regions.handle(event)
        }
    }

    enum Rows: TableSyntax {
        enum State: UInt8, Enumerated { case locked, unlocked, alarming }
        enum Event: UInt8, Enumerated { case coin, pass, reset }
        enum Command { case unlock, lock, thank, alarmOn, alarmOff }
        enum Enforcement: UInt8, Predicate { case weak, strong }
        typealias Predicates = Enforcement

        static func table() throws -> Table<Self> {
            try Table(initial: .locked) {
                let resettable = superState { when(.reset).then(.locked) }

                define(.locked, adopts: resettable, onEntry: [.lock]) {
                    when(.coin).then(.unlocked)
                    when(.pass) {
                        matching(Enforcement.weak).then(.locked).commands(.thank)
                        matching(Enforcement.strong).then(.alarming)
                    }
                }
                define(.unlocked, adopts: resettable, onEntry: [.unlock]) {
                    when(.coin).then().commands(.thank)
                    when(.pass).then(.locked)
                }
                define(.alarming, adopts: resettable, onEntry: [.alarmOn], onExit: [.alarmOff]) {
                    when(.coin, or: .pass).ignored("the alarm sounds")
                }
            }
        }
    }
}

extension Tutorial {
    enum Slot: TableSyntax {
        typealias State = String
        enum Event: Valued { case coin(Int), lever }
        typealias Command = String

        static func table() throws -> Table<Self> {
            try Table(initial: "idle") {
                let honest = superState { when(.any).ignored("not taken") }

                defineValue("idle", adopts: honest) {
                    whenValue(.coin(20)).then("half paid")
                    whenValue(.coin(50), or: .coin(100)).then("paid").commands("unlock")
                }
                defineValue("half paid", adopts: honest) {
                    whenValue(.coin(20), or: .coin(50)).then("paid").commands("unlock")
                }
                defineValue("paid", adopts: honest, onExit: ["lock"]) {
                    whenValue(.lever).then("idle")
                }
            }
        }
    }

    enum Hotel: TableSyntax {
        enum State: UInt8, Enumerated { case shut, open }
        enum Event: UInt8, Enumerated { case card, shut }
        enum Command { case unlock, lock }
        enum Floor: UInt8, Predicate { case ground, first, second, third }
        enum Hour: UInt8, Predicate { case day, night }
        enum Card: UInt8, Predicate { case guest, staff, none }
        typealias Predicates = Lazily<Both<Floor, Both<Hour, Card>>>

        static func table() throws -> Table<Self> {
            let shut = define(.shut) {
                matching(Card.staff).when(.card).then(.open)
                matching(Card.guest, and: Floor.third).when(.card).then(.open)
                when(.card).ignored("not here")
                when(.shut).ignored("shut already")
            }
            let open = define(.open, onEntry: [.unlock], onExit: [.lock]) {
                matching(Hour.day).when(.card).then().reentering()
                matching(Hour.night).when(.card).ignored("open already")
                when(.shut).then(.shut)
            }
            return try Table(initial: .shut) {
                shut
                open
            }
        }
    }
}

@Suite struct TutorialTests {
    typealias Turnstile = Tutorial.Turnstile
    typealias Gate = Tutorial.Gate
    typealias Counter = Tutorial.Counter
    typealias Rows = Tutorial.Rows
    typealias Slot = Tutorial.Slot
    typealias Hotel = Tutorial.Hotel

    @Test func `two states`() {
        var turnstile = Turnstile.locked
        #expect(turnstile.handle(.coin) == .handled(.unlock))
        #expect(turnstile.permits(.pass))
        #expect(turnstile == .unlocked)
    }

    @Test func `a machine in a state`() {
        var gate = Gate.functioning(.unlocked)
        #expect(gate.handle(.failure) == .handled(.alarm))
        #expect(gate.handle(.coin) == .unhandled)
        #expect(gate.listens == [.repair])
        #expect(gate.handle(.repair) == .handled)
        #expect(gate == .functioning(.unlocked))
    }

    @Test func `two regions`() {
        var machine = Regions(Gate.functioning(.locked), Counter())
        #expect(machine.handle(.coin) == .handled(.unlock))
        #expect(machine.second.coins == 1)
    }

    @Test func `more regions, and one that looks at another`() {
        var hall = Regions(Gate.functioning(.locked), Gate.functioning(.unlocked), Counter())
        #expect(hall.handle(.coin) == .handled([.unlock, .thank]))
        let (entry, exit, counter) = hall.parts()
        #expect(entry == exit && counter.coins == 1)

        var audited = Tutorial.Audited()
        #expect(audited.handle(.coin) == .handled(.unlock))
        #expect(audited.handle(.failure) == .handled(.alarm))
        #expect(audited.handle(.coin) == .ignored("the gate is broken"))
        #expect(audited.regions.second.coins == 1)
    }

    @Test func `a table`() throws {
        var machine = TableMachine(try Rows.table(), predicates: .strong)
        #expect(machine.handle(.pass) == .handled(.alarmOn))
        #expect(machine.handle(.reset) == .handled([.alarmOff, .lock]))
        #expect(TableMachine(try Rows.table(), predicates: .weak).entryCommands == [.lock])
        #expect(machine.exitCommands.isEmpty)
        machine.predicates = .weak
        #expect(machine.handle(.pass) == .handled(.thank))
    }

    @Test func `values in a table`() throws {
        var slot = TableMachine(try Slot.table())
        #expect(slot.handle(.coin(20)) == .handled)
        #expect(slot.state == "half paid")
        #expect(slot.handle(.coin(5)) == .ignored("not taken"))
        #expect(slot.handle(.coin(50)) == .handled("unlock"))
        #expect(slot.handle(.lever) == .handled("lock"))
    }

    @Test func `a table in pieces, with many predicates`() throws {
        var door = TableMachine(
            try Hotel.table(), predicates: Lazily(Both(.third, Both(.night, .guest))))
        #expect(door.handle(.card) == .handled(.unlock))
        #expect(door.handle(.card) == .ignored("open already"))
        door.predicates.values.second.first = .day
        #expect(door.handle(.card) == .handled([.lock, .unlock]))
    }

    @Test func `a diagram`() {
        let graph = StateGraph(from: Gate.functioning(.locked))
        let diagram = graph.diagram(state: { state in
            switch state {
            case .functioning(let turnstile): "\(turnstile)"
            case .broken(let turnstile): "broken, was \(turnstile)"
            }
        })
        #expect(Documents.exploring.contains(diagram.mermaid))
    }

    @Test func `what must always hold`() {
        let graph = StateGraph(from: Regions(Gate.functioning(.locked), Counter()))
        #expect(graph.states.count == 14)
        #expect(
            graph.violation(of: { $0.first != .functioning(.unlocked) || $0.second.coins > 0 })
                == nil)
        let gap = graph.undecidedRegions.first { $0.step.event == .coin }
        #expect(gap?.region.path == "first")
        #expect(gap?.step.outcome == .handled)
        let story = graph.violation(of: { $0.second.coins < 2 })
        #expect(story?.map(\.event) == [.coin, .coin])
        #expect(graph.transitionCover().count == 4)
    }
    @Test func `time in the graph`() {
        typealias Latch = Tutorial.Latch
        let start = RelativeTime(Latch.locked, timePassed: Latch.Event.timePassed)
        let graph = StateGraph(from: start) { $0.events([.coin(at: .zero), .pass]) }
        #expect(graph.states.map(\.wait) == [nil, .seconds(5)])
        let diagram = graph.diagram(
            state: { $0.wait == nil ? "locked" : "unlocked" },
            event: { event in
                switch event {
                case .happened(.coin): "coin"
                case .happened, .waited: "\(event)"
                }
            })
        #expect(Documents.exploring.contains(diagram.mermaid))

        let both = Regions(Latch.locked, Latch.unlocked(until: .zero + .seconds(2)))
        let pair = RelativeTime(both, timePassed: Latch.Event.timePassed)
        let ticking = StateGraph(from: pair) {
            $0.events([.coin(at: .zero), .pass], tick: .seconds(1))
        }
        #expect(ticking.isComplete)
    }

    @Test func `ways through a graph`() {
        let graph = StateGraph(from: Gate.functioning(.locked))
        let paths = graph.simplePaths(to: { $0 == .broken(was: .unlocked) }).paths
        #expect(paths.map { $0.map(\.event) } == [[.coin, .failure]])
        #expect(graph.stateCover() == [[.failure], [.coin, .failure]])
        let story = graph.story(of: [.coin, .failure])
        #expect(story.map(\.outcome) == [.handled(.unlock), .handled(.alarm)])
    }
}
