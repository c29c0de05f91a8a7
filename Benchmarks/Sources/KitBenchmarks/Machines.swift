import StateMachines

enum State: UInt8, Enumerated { case locked, unlocked, alarming, broken }
enum Event: UInt8, Enumerated { case coin, pass, reset, fail, repair }
enum Command: UInt8, Sendable { case unlock, lock, thank, alarmOn, alarmOff, callMechanic }

/// What everything else is measured against: a nested switch, written by hand, that returns an
/// optional and can do nothing else.
struct HandWritten {
    var state = State.locked

    @inline(__always)
    mutating func handle(_ event: Event) -> Command? {
        switch state {
        case .locked:
            switch event {
            case .coin:
                state = .unlocked
                return .unlock
            case .pass:
                state = .alarming
                return .alarmOn
            case .reset: return .lock
            case .fail:
                state = .broken
                return .callMechanic
            case .repair: return nil
            }
        case .unlocked:
            switch event {
            case .coin: return .thank
            case .pass, .reset:
                state = .locked
                return .lock
            case .fail:
                state = .broken
                return .callMechanic
            case .repair: return nil
            }
        case .alarming:
            switch event {
            case .coin, .pass: return nil
            case .reset:
                state = .locked
                return .alarmOff
            case .fail:
                state = .broken
                return .callMechanic
            case .repair: return nil
            }
        case .broken:
            switch event {
            case .repair:
                state = .locked
                return .lock
            case .coin, .pass, .reset, .fail: return nil
            }
        }
    }
}

/// The same as a machine of the kit, flat.
struct Flat: StateMachine {
    var state = State.locked

    @inline(__always)
    mutating func handle(_ event: Event) -> Outcome<Command> {
        switch state {
        case .locked:
            switch event {
            case .coin:
                state = .unlocked
                return .handled(.unlock)
            case .pass:
                state = .alarming
                return .handled(.alarmOn)
            case .reset: return .handled(.lock)
            case .fail:
                state = .broken
                return .handled(.callMechanic)
            case .repair: return .unhandled
            }
        case .unlocked:
            switch event {
            case .coin: return .handled(.thank)
            case .pass, .reset:
                state = .locked
                return .handled(.lock)
            case .fail:
                state = .broken
                return .handled(.callMechanic)
            case .repair: return .unhandled
            }
        case .alarming:
            switch event {
            case .coin, .pass: return .ignored("the alarm sounds")
            case .reset:
                state = .locked
                return .handled(.alarmOff)
            case .fail:
                state = .broken
                return .handled(.callMechanic)
            case .repair: return .unhandled
            }
        case .broken:
            switch event {
            case .repair:
                state = .locked
                return .handled(.lock)
            case .coin, .pass, .reset, .fail: return .ignored("out of order")
            }
        }
    }
}

/// The same as a hierarchy: what functions is a machine of its own.
enum Hierarchical: TimedMachine {
    case functioning(Functioning)
    case broken

    enum Functioning: StateMachine {
        case locked, unlocked, alarming

        @inline(__always)
        mutating func handle(_ event: Event) -> Outcome<Command> {
            switch self {
            case .locked:
                switch event {
                case .coin:
                    self = .unlocked
                    return .handled(.unlock)
                case .pass:
                    self = .alarming
                    return .handled(.alarmOn)
                case .reset: return .handled(.lock)
                case .fail, .repair: return .unhandled
                }
            case .unlocked:
                switch event {
                case .coin: return .handled(.thank)
                case .pass, .reset:
                    self = .locked
                    return .handled(.lock)
                case .fail, .repair: return .unhandled
                }
            case .alarming:
                switch event {
                case .coin, .pass: return .ignored("the alarm sounds")
                case .reset:
                    self = .locked
                    return .handled(.alarmOff)
                case .fail, .repair: return .unhandled
                }
            }
        }
    }

    @inline(__always)
    mutating func handle(_ event: Event) -> Outcome<Command> {
        switch self {
        case .functioning(let inner):
            switch event {
            case .fail:
                self = .broken
                return .handled(.callMechanic)
            case .coin, .pass, .reset, .repair:
                return forward(event, to: inner, in: Self.functioning)
            }
        case .broken:
            switch event {
            case .repair:
                self = .functioning(.locked)
                return .handled(.lock)
            case .coin, .pass, .reset, .fail: return .ignored("out of order")
            }
        }
    }

    var deadline: Instant? { nil }
}

/// A layer that is generic over the machine it wraps and adds nothing.
struct Wrapped<Base: StateMachine>: Adapter {
    var base: Base
    static func route(_ event: Base.Event) -> Base.Event? { event }
    static func translate(_ command: Base.Command) -> Base.Command { command }
}

/// The same as a table.
enum Rows: TableSyntax {
    typealias State = KitBenchmarks.State
    typealias Event = KitBenchmarks.Event
    typealias Command = KitBenchmarks.Command

    static func table() throws -> Table<Self> {
        try Table(initial: .locked) {
            let functioning = superState { when(.fail).then(.broken).commands(.callMechanic) }
            define(.locked, adopts: functioning) {
                when(.coin).then(.unlocked).commands(.unlock)
                when(.pass).then(.alarming).commands(.alarmOn)
                when(.reset).then().commands(.lock)
                when(.repair).ignored("nothing is broken")
            }
            define(.unlocked, adopts: functioning) {
                when(.coin).then().commands(.thank)
                when(.pass, or: .reset).then(.locked).commands(.lock)
                when(.repair).ignored("nothing is broken")
            }
            define(.alarming, adopts: functioning) {
                when(.coin, or: .pass).ignored("the alarm sounds")
                when(.reset).then(.locked).commands(.alarmOff)
                when(.repair).ignored("nothing is broken")
            }
            define(.broken) {
                when(.repair).then(.locked).commands(.lock)
                when(.coin, or: .pass, .reset, .fail).ignored("out of order")
            }
        }
    }
}
