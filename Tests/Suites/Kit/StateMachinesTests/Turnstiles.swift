import Seeds
import StateMachines

/// What may happen to the turnstiles of these tests.
enum TurnstileEvent: Hashable, Sendable, Kinded {
    case coinInserted(value: Int)
    case personPassed
    case machineFailed
    case repairCompleted

    enum Kind: UInt8, Enumerated { case coinInserted, personPassed, machineFailed, repairCompleted }

    var kind: Kind {
        switch self {
        case .coinInserted: .coinInserted
        case .personPassed: .personPassed
        case .machineFailed: .machineFailed
        case .repairCompleted: .repairCompleted
        }
    }
}

enum TurnstileCommand: Hashable, Sendable { case soundAlarm, closeDoors, openDoors }

let fare = 50

/// The turnstile as one flat machine. When repaired it is locked anew, or resumes where it was.
struct FlatTurnstile: StateMachine, Hashable, Sendable {
    indirect enum State: Hashable, Sendable {
        case locked(credit: Int)
        case unlocked
        case broken(was: State)
    }

    var state = State.locked(credit: 0)
    var repairResumes = false

    mutating func handle(_ event: TurnstileEvent) -> Outcome<TurnstileCommand> {
        switch (state, event) {
        case (.locked(let credit), .coinInserted(let value)) where credit + value >= fare:
            state = .unlocked
            return .handled(.openDoors)
        case (.locked(let credit), .coinInserted(let value)):
            state = .locked(credit: credit + value)
            return .handled
        case (.locked, .personPassed):
            return .handled(.soundAlarm)
        case (.unlocked, .personPassed):
            state = .locked(credit: 0)
            return .handled(.closeDoors)
        case (.unlocked, .coinInserted):
            return .ignored("paid already")
        case (.locked, .machineFailed), (.unlocked, .machineFailed):
            state = .broken(was: state)
            return .handled
        case (.broken(let was), .repairCompleted):
            state = repairResumes ? was : .locked(credit: 0)
            return .handled
        case (.locked, .repairCompleted), (.unlocked, .repairCompleted), (.broken, .coinInserted),
            (.broken, .personPassed), (.broken, .machineFailed):
            return .unhandled
        }
    }
}

/// What the turnstile is while nothing is wrong with it: a machine of its own.
enum FunctioningTurnstile: StateMachine, Hashable, Sendable {
    case locked(credit: Int)
    case unlocked

    enum Event: Hashable, Sendable {
        case coinInserted(value: Int)
        case personPassed

        init?(_ event: TurnstileEvent) {
            switch event {
            case .coinInserted(let value): self = .coinInserted(value: value)
            case .personPassed: self = .personPassed
            case .machineFailed, .repairCompleted: return nil
            }
        }
    }

    mutating func handle(_ event: Event) -> Outcome<TurnstileCommand> {
        switch (self, event) {
        case (.locked(let credit), .coinInserted(let value)) where credit + value >= fare:
            self = .unlocked
            return .handled(.openDoors)
        case (.locked(let credit), .coinInserted(let value)):
            self = .locked(credit: credit + value)
            return .handled
        case (.locked, .personPassed):
            return .handled(.soundAlarm)
        case (.unlocked, .personPassed):
            self = .locked(credit: 0)
            return .handled(.closeDoors)
        case (.unlocked, .coinInserted):
            return .ignored("paid already")
        }
    }
}

/// The turnstile with that machine inside a state of it: a drop-in for the flat one.
enum HierarchicalTurnstile: SelectiveMachine, TimedMachine, Hashable, Sendable {
    case functioning(FunctioningTurnstile)
    case broken(was: FunctioningTurnstile)

    mutating func handle(_ event: TurnstileEvent) -> Outcome<TurnstileCommand> {
        switch (self, event) {
        case (.functioning(let inner), .machineFailed):
            self = .broken(was: inner)
            return .handled
        case (.functioning(let inner), _):
            return forward(.init(event), to: inner, in: Self.functioning)
        case (.broken(let inner), .repairCompleted):
            self = .functioning(inner)
            return .handled
        case (.broken, _):
            return .unhandled
        }
    }

    var deadline: Instant? { nil }

    var listens: KindSet<TurnstileEvent.Kind> {
        switch self {
        case .functioning(.locked): [.coinInserted, .personPassed, .machineFailed]
        case .functioning(.unlocked): [.personPassed, .machineFailed]
        case .broken: [.repairCompleted]
        }
    }
}

extension SeededGenerator {
    mutating func turnstileEvent() -> TurnstileEvent {
        switch Int.random(in: 0..<6, using: &self) {
        case 0: .machineFailed
        case 1: .repairCompleted
        case 2, 3: .personPassed
        default: .coinInserted(value: [5, 10, 20, 50].randomElement(using: &self) ?? 5)
        }
    }
}
