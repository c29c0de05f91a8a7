// A gate for the check that the kit compiles in Embedded Swift: a statechart with a machine inside
// a state.
import StateMachines

enum Event: UInt8, Enumerated { case coin, pass, reset, fail, repair }
enum Command: UInt8, Sendable { case unlock, lock, alarmOn, alarmOff, callMechanic }

/// What works while nothing is wrong.
enum Functioning: StateMachine, Equatable {
    case locked, unlocked

    mutating func handle(_ event: Event) -> Outcome<Command> {
        switch (self, event) {
        case (.locked, .coin):
            self = .unlocked
            return .handled(.unlock)
        case (.unlocked, .pass):
            self = .locked
            return .handled(.lock)
        case (.locked, .pass): return .handled(.alarmOn)
        case (.unlocked, .coin): return .ignored("paid already")
        case (_, .reset), (_, .fail), (_, .repair): return .unhandled
        }
    }
}

/// The gate, with that machine inside.
enum Gate: Statechart, TimedMachine {
    case functioning(Functioning)
    case broken(was: Functioning)

    enum Position: Equatable { case functioning, broken }

    var position: Position {
        switch self {
        case .functioning: .functioning
        case .broken: .broken
        }
    }
    var entryCommands: Commands<Command> {
        switch self {
        case .functioning: Commands()
        case .broken: Commands(.callMechanic)
        }
    }
    var deadline: Instant? { nil }
    var exitCommands: Commands<Command> { Commands() }
    mutating func react(to event: Event) -> Transition<Command> {
        switch (self, event) {
        case (.functioning(let inner), .fail): enter(.broken(was: inner))
        case (.functioning(let inner), _): forward(event, to: inner, in: Self.functioning)
        case (.broken(let inner), .repair): enter(.functioning(inner))
        case (.broken, _): .ignored("out of order")
        }
    }
}

/// Lets a gate handle an event that a board gives, and adds its commands up.
@_cdecl("run_gate")
public func runGate(_ event: UInt8) -> Int {
    guard let event = Event(rawValue: event) else { return -1 }
    var gate = Gate.functioning(.locked)
    var sum = 0
    gate.handle(event).commands.forEach { sum += Int($0.rawValue) }
    return sum + (gate.permits(.coin) ? 1 : 0)
}
