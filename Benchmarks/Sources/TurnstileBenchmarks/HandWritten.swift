import StateMachines
import Turnstile

/// A turnstile as somebody would write it who needs nothing but coins and one way in: a nested
/// switch, without faults, emergencies, alarms, records or policies. What it leaves out is what
/// the ratio to it pays for.
struct HandWritten {
    enum State {
        case locked
        case released(until: Instant)
        case passing(quarters: Int)
    }

    var state = State.locked
    var credit = 0
    private var pulses = 0
    private var pulseSince = Instant.zero
    private var quietAt: Instant?
    private var a = false
    private var b = false

    mutating func handle(_ event: Event, _ emit: (Command) -> Void) {
        if let quietAt, quietAt <= event.time { endTrain(quietAt, emit) }
        if case .released(let until) = state, until <= event.time { relock(emit) }
        switch event.kind {
        case .changed(.coinPulse, isActive: true):
            pulseSince = event.time
            quietAt = nil
        case .changed(.coinPulse, isActive: false):
            let width = event.time - pulseSince
            if width >= .milliseconds(25) && width <= .milliseconds(100) { pulses += 1 }
            quietAt = event.time + .milliseconds(200)
        case .changed(.rotorA, let isActive):
            a = isActive
            turned(emit)
        case .changed(.rotorB, let isActive):
            b = isActive
            turned(emit)
        default: break
        }
    }

    private mutating func endTrain(_ time: Instant, _ emit: (Command) -> Void) {
        credit += pulses * 50
        pulses = 0
        quietAt = nil
        guard case .locked = state, credit >= 250 else { return }
        credit -= 250
        state = .released(until: time + .seconds(5))
        emit(.set(.lockEntry, isOn: true))
        emit(.set(.coinEnable, isOn: false))
    }

    private mutating func relock(_ emit: (Command) -> Void) {
        state = .locked
        emit(.set(.lockEntry, isOn: false))
        emit(.set(.coinEnable, isOn: true))
    }

    private mutating func turned(_ emit: (Command) -> Void) {
        switch state {
        case .locked: break
        case .released:
            if a && !b { state = .passing(quarters: 1) }
        case .passing(let quarters):
            switch (quarters, a, b) {
            case (1, true, true):
                state = .passing(quarters: 2)
                emit(.set(.lockEntry, isOn: false))
            case (2, false, true): state = .passing(quarters: 3)
            case (3, false, false):
                state = .locked
                emit(.set(.coinEnable, isOn: true))
            default: break
            }
        }
    }
}
