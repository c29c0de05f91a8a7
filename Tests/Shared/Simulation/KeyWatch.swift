import StateMachines
import Turnstile

/// Every turn of a key is answered: what it asks for is done, waits, or is refused with the reason.
struct KeyWatch {
    private var inputs = InputLevels()
    private var service = ServiceMode.State.off

    /// A process begins.
    mutating func begin() {
        inputs = []
        service = .off
    }

    /// Hears what was recorded of an event, after which the gate is this one; returns what is wrong
    /// with it.
    mutating func observe(_ event: Event, _ records: [Record], _ turnstile: Turnstile) -> String? {
        let wasReset = inputs[.emergencyResetKey]
        let stateBefore = service
        inputs = turnstile.inputs
        service = turnstile.gate.service.state
        switch event.kind {
        case .started, .edgesLost, .requested, .stopped: return nil
        default: break
        }
        if inputs[.emergencyResetKey] && !wasReset {
            let isAnswered = records.contains {
                switch $0 {
                case .refused(.resetEmergency, .contact, _), .deferred(.resetEmergency, .contact),
                    .emergencyReset:
                    true
                default: false
                }
            }
            if !isAnswered { return "the reset key was turned, and nothing says what came of it" }
        }
        // The key was held for long enough, or is still turned.
        guard case .turned = stateBefore, inputs[.serviceKey] else { return nil }
        if case .turned = service { return nil }
        let isAnswered = records.contains {
            switch $0 {
            case .refused(.beginService, .contact, _), .deferred(.beginService, .contact),
                .serviceStarted:
                true
            default: false
            }
        }
        return isAnswered ? nil : "the key was held, and nothing says what came of it"
    }
}
