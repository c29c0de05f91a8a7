import StateMachines

enum Enforcement: UInt8, Predicate { case weak, strong }
enum Reward: UInt8, Predicate { case positive, negative, none }

/// A turnstile whose rows depend on two predicates, written by hand.
struct HandWrittenWithPredicates {
    var state = State.locked

    @inline(__always)
    mutating func handle(
        _ event: Event, _ enforcement: Enforcement, _ reward: Reward
    ) -> Command? {
        switch state {
        case .locked:
            switch event {
            case .coin:
                state = .unlocked
                return .unlock
            case .pass:
                switch enforcement {
                case .weak: return .thank
                case .strong:
                    state = .alarming
                    return .alarmOn
                }
            case .reset, .fail, .repair: return nil
            }
        case .unlocked:
            switch event {
            case .coin:
                switch reward {
                case .positive: return .thank
                case .negative: return .callMechanic
                case .none: return nil
                }
            case .pass:
                state = .locked
                return .lock
            case .reset, .fail, .repair: return nil
            }
        case .alarming:
            switch event {
            case .reset:
                state = .locked
                return .alarmOff
            case .coin, .pass, .fail, .repair: return nil
            }
        case .broken: return nil
        }
    }
}

/// The same as a table.
enum PredicateRows: TableSyntax {
    typealias State = KitBenchmarks.State
    typealias Event = KitBenchmarks.Event
    typealias Command = KitBenchmarks.Command
    typealias Predicates = Both<Enforcement, Reward>

    static func table() throws -> Table<Self> {
        // The hand-written one has a state that nothing is decided in.
        try Table(initial: .locked, tolerating: .undefinedStates) {
            define(.locked) {
                when(.coin).then(.unlocked).commands(.unlock)
                when(.pass) {
                    matching(Enforcement.weak).then(.locked).commands(.thank)
                    matching(Enforcement.strong).then(.alarming).commands(.alarmOn)
                }
                when(.reset, or: .fail, .repair).ignored("not here")
            }
            define(.unlocked) {
                when(.coin) {
                    matching(Reward.positive).then(.unlocked).commands(.thank)
                    matching(Reward.negative).then(.unlocked).commands(.callMechanic)
                    matching(Reward.none).ignored("no reward")
                }
                when(.pass).then(.locked).commands(.lock)
                when(.reset, or: .fail, .repair).ignored("not here")
            }
            define(.alarming) {
                when(.reset).then(.locked).commands(.alarmOff)
                when(.coin, or: .pass, .fail, .repair).ignored("not here")
            }
        }
    }
}
