import StateMachines
import Testing

/// What external, internal and local transitions leave and enter. Numbers are those of the cases in
/// the W3C's implementation report on SCXML.
@Suite struct TransitionTests {
    /// A wheel with a motor, inside a mill with a lamp.
    enum Mill: Statechart, TimedMachine, Hashable {
        case working(Wheel)
        case off

        enum Event: CaseIterable { case pushed, switched, reset, restarted, noted }
        enum Command: Hashable { case motorOn, motorOff, lampOn, lampOff, push, reset, note }
        enum Position { case working, off }

        enum Wheel: EntryExitMachine, Hashable {
            case still, turning
            var entryCommands: Commands<Command> { self == .turning ? [.motorOn] : [] }
            var exitCommands: Commands<Command> { self == .turning ? [.motorOff] : [] }
            mutating func handle(_ event: Event) -> Outcome<Command> {
                guard self == .still, event == .pushed else { return .ignored("it turns") }
                self = .turning
                return .handled([.push, .motorOn])
            }
        }

        var deadline: Instant? { nil }
        var position: Position { self == .off ? .off : .working }
        var entryCommands: Commands<Command> {
            switch self {
            case .working(let wheel): [.lampOn] + wheel.entryCommands
            case .off: []
            }
        }
        var exitCommands: Commands<Command> {
            switch self {
            case .working(let wheel): wheel.exitCommands + [.lampOff]
            case .off: []
            }
        }
        mutating func react(to event: Event) -> Transition<Command> {
            switch (self, event) {
            case (.working(let wheel), .pushed): forward(.pushed, to: wheel, in: Self.working)
            case (.working(let wheel), .reset):
                replace(wheel, by: .still, in: Self.working, doing: [.reset])
            case (.working, .restarted): enter(.working(.turning))
            case (.working, .noted): .internal(.note)
            case (.working, .switched): enter(.off)
            case (.off, .switched): enter(.working(.still))
            case (.off, .pushed), (.off, .reset), (.off, .restarted), (.off, .noted): .unhandled
            }
        }
    }

    @Test func `a machine inside that is put back is left first: a local transition, 505`() {
        var mill = Mill.working(.turning)
        #expect(mill.handle(.reset) == .handled([.motorOff, .reset]))
        #expect(mill == .working(.still))
    }

    @Test func `a forwarded event leaves and enters nothing but what is inside, once`() {
        var mill = Mill.working(.still)
        #expect(mill.handle(.pushed) == .handled([.push, .motorOn]))
        #expect(mill.handle(.pushed) == .ignored("it turns"))
    }

    @Test func `an external transition to the same state leaves and enters all, 504, 506, 533`() {
        var mill = Mill.working(.turning)
        #expect(mill.handle(.restarted) == .handled([.motorOff, .lampOff, .lampOn, .motorOn]))
        #expect(mill == .working(.turning))
    }

    @Test func `an internal transition leaves and enters nothing, 503`() {
        var mill = Mill.working(.turning)
        #expect(mill.handle(.noted) == .handled(.note))
    }

    /// Says of a change of state that it is internal.
    enum Careless: Statechart {
        case one, two
        var position: Self { self }
        var entryCommands: Commands<Never> { [] }
        var exitCommands: Commands<Never> { [] }
        mutating func react(to event: Bool) -> Transition<Never> {
            self = .two
            return .internal
        }
    }

    @Test func `an internal transition that changes the state is a mistake`() async {
        await #expect(processExitsWith: .failure) {
            var careless = Careless.one
            _ = careless.handle(true)
        }
    }

    /// Notes when it is left and entered.
    struct Leaf: Statechart, Hashable {
        let name: String
        var number = 1
        var position: Int { number }
        var entryCommands: Commands<String> { ["enter \(name)\(number)"] }
        var exitCommands: Commands<String> { ["leave \(name)\(number)"] }
        mutating func react(to event: Bool) -> Transition<String> {
            number += 1
            return .external("move \(name)")
        }
    }

    @Test func `regions are entered in their order and left in the opposite one, 404, 406`() {
        let regions = Regions(Leaf(name: "a"), Regions(Leaf(name: "b"), Leaf(name: "c")))
        #expect(regions.entryCommands == ["enter a1", "enter b1", "enter c1"])
        #expect(regions.exitCommands == ["leave c1", "leave b1", "leave a1"])
    }

    /// Two leaves in one vocabulary.
    struct Leaves: Adapter, EntryExitMachine {
        var base = Product(Leaf(name: "a"), Leaf(name: "b"))
        static func route(_ event: Bool) -> Routed<Bool, Bool>? { .both(event, event) }
        static func translate(_ command: Either<String, String>) -> String {
            switch command {
            case .first(let command), .second(let command): command
            }
        }
    }

    @Test func `parts in other words are entered and left likewise`() {
        #expect(Leaves().entryCommands == ["enter a1", "enter b1"])
        #expect(Leaves().exitCommands == ["leave b1", "leave a1"])
    }
}
