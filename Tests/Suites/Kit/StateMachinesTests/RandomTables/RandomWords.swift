import StateMachines

/// The words of random tables, over states and events of all sorts.
protocol RandomWords: TableSyntax, SendableMetatype
where State: Equatable, State.Kind == Place, Event.Kind == Happening, Command == Int {
    static func state(_ kind: Place, noting: Int) -> State
    static func event(_ kind: Happening) -> Event
    static func predicates(_ p: P, _ q: Q) -> Predicates

    static func define(
        _ state: Place, _ body: WrittenTable.Statement, adopting adopts: [SuperState<Self>],
        rows: [RowNode<Self>]?
    ) -> Define<Self>
    static func final(_ state: Place, onEntry: [Int], line: UInt) -> Define<Self>
    static func when(_ events: [Happening], line: UInt) -> When<Self>
    static func when(_ events: [Happening], after start: Matching<Self>) -> When<Self>
}

// By their kinds.
extension RandomWords {
    static func final(_ state: Place, onEntry: [Int], line: UInt) -> Define<Self> {
        final(state, onEntry: onEntry, file: #fileID, line: line)
    }

    static func define(
        _ state: Place, _ body: WrittenTable.Statement, adopting adopts: [SuperState<Self>],
        rows: [RowNode<Self>]?
    ) -> Define<Self> {
        let (entry, exit, line) = (body.onEntry, body.onExit, body.line)
        guard let rows else {
            switch adopts.count {
            case 0: return Define(state, onEntry: entry, onExit: exit, line: line)
            case 1:
                return Define(state, adopts: adopts[0], onEntry: entry, onExit: exit, line: line)
            default:
                return Define(
                    state, adopts: adopts[0], adopts[1], onEntry: entry, onExit: exit, line: line)
            }
        }
        let written = { rows }
        switch adopts.count {
        case 0: return Define(state, onEntry: entry, onExit: exit, line: line, written)
        case 1:
            return Define(
                state, adopts: adopts[0], onEntry: entry, onExit: exit, line: line, written)
        default:
            return Define(
                state, adopts: adopts[0], adopts[1], onEntry: entry, onExit: exit, line: line,
                written)
        }
    }

    static func when(_ events: [Happening], line: UInt) -> When<Self> {
        switch events.count {
        case 1: When(events[0], line: line)
        case 2: When(events[0], or: events[1], line: line)
        default: When(events[0], or: events[1], events[2], line: line)
        }
    }

    static func when(_ events: [Happening], after start: Matching<Self>) -> When<Self> {
        switch events.count {
        case 1: start.when(events[0])
        case 2: start.when(events[0], or: events[1])
        default: start.when(events[0], or: events[1], events[2])
        }
    }
}

extension RandomWords where State == Place {
    static func state(_ kind: Place, noting: Int) -> Place { kind }
}

extension RandomWords where Event == Happening {
    static func event(_ kind: Happening) -> Happening { kind }
}

extension RandomWords where Predicates == Both<P, Q> {
    static func predicates(_ p: P, _ q: Q) -> Predicates { Both(p, q) }
}

enum PlainWords: RandomWords {
    typealias State = Place
    typealias Event = Happening
    typealias Command = Int
    typealias Predicates = Both<P, Q>
}

/// A state with a payload.
struct Noted: Kinded, Equatable, Sendable {
    let kind: Place
    let note: Int
}

enum PayloadWords: RandomWords {
    typealias State = Noted
    typealias Event = Happening
    typealias Command = Int
    typealias Predicates = Both<P, Q>
    static func state(_ kind: Place, noting: Int) -> Noted { Noted(kind: kind, note: noting) }
}

/// Both predicates are lazy.
enum LazyWords: RandomWords {
    typealias State = Place
    typealias Event = Happening
    typealias Command = Int
    typealias Predicates = Lazily<Both<P, Q>>
    static func predicates(_ p: P, _ q: Q) -> Predicates { Lazily(Both(p, q)) }
}

/// One predicate is lazy.
enum HalfLazyWords: RandomWords {
    typealias State = Noted
    typealias Event = Happening
    typealias Command = Int
    typealias Predicates = Both<Lazily<P>, Q>
    static func state(_ kind: Place, noting: Int) -> Noted { Noted(kind: kind, note: noting) }
    static func predicates(_ p: P, _ q: Q) -> Predicates { Both(Lazily(p), q) }
}

/// States and events are named by value, of which each kind has one.
enum ValueWords: RandomWords {
    struct State: Valued {
        typealias Kind = Place
        let kind: Place
    }
    struct Event: Valued {
        typealias Kind = Happening
        let kind: Happening
    }
    typealias Command = Int
    typealias Predicates = Both<P, Q>

    static func state(_ kind: Place, noting: Int) -> State { State(kind: kind) }
    static func event(_ kind: Happening) -> Event { Event(kind: kind) }

    static func final(_ state: Place, onEntry: [Int], line: UInt) -> Define<Self> {
        finalValue(State(kind: state), onEntry: onEntry, line: line)
    }

    static func define(
        _ state: Place, _ body: WrittenTable.Statement, adopting adopts: [SuperState<Self>],
        rows: [RowNode<Self>]?
    ) -> Define<Self> {
        let (value, entry, exit, line) = (
            State(kind: state), body.onEntry, body.onExit, body.line
        )
        guard let rows else {
            switch adopts.count {
            case 0: return defineValue(value, onEntry: entry, onExit: exit, line: line)
            case 1:
                return defineValue(
                    value, adopts: adopts[0], onEntry: entry, onExit: exit, line: line)
            default:
                return defineValue(
                    value, adopts: adopts[0], adopts[1], onEntry: entry, onExit: exit,
                    line: line)
            }
        }
        let written = { rows }
        switch adopts.count {
        case 0: return defineValue(value, onEntry: entry, onExit: exit, line: line, written)
        case 1:
            return defineValue(
                value, adopts: adopts[0], onEntry: entry, onExit: exit, line: line, written)
        default:
            return defineValue(
                value, adopts: adopts[0], adopts[1], onEntry: entry, onExit: exit,
                line: line, written)
        }
    }

    static func when(_ events: [Happening], line: UInt) -> When<Self> {
        let events = events.map(Event.init)
        return switch events.count {
        case 1: whenValue(events[0], line: line)
        case 2: whenValue(events[0], or: events[1], line: line)
        default: whenValue(events[0], or: events[1], events[2], line: line)
        }
    }

    static func when(_ events: [Happening], after start: Matching<Self>) -> When<Self> {
        let events = events.map(Event.init)
        return switch events.count {
        case 1: start.whenValue(events[0])
        case 2: start.whenValue(events[0], or: events[1])
        default: start.whenValue(events[0], or: events[1], events[2])
        }
    }
}
