public import SimulatedHardware
internal import Turnstile

extension World.Event {
    /// The words from which ``Move/event(_:wired:)`` makes this event; nil if it has no words.
    public var words: String? {
        switch self {
        case .coinInserted(let value, let acceptor): "coin \(value) \(acceptor.rawValue)"
        case .coinFished(let pulses, let acceptor): "fish \(pulses) \(acceptor.rawValue)"
        case .acceptorStruck(let acceptor): "strike \(acceptor.rawValue)"
        case .armPushed(let direction, _): "push \(direction.name)"
        case .armForced(let direction, _): "force \(direction.name)"
        case .tailgated(let direction, _): "tailgate \(direction.name)"
        case .armLetGo: "let-go"
        case .stoodStill: "stand"
        case .steppedBack: "back-out"
        case .armRaised: "raise-arm"
        case .sensorsDisturbed(let isActive, let duration):
            "disturb \(isActive ? "on" : "off") \(duration.wholeMicroseconds / 1_000)ms"
        case .contactMoved(let input, let isActive):
            "contact \(input.name) \(isActive ? "on" : "off")"
        case .contactPressed(let input, let duration):
            "press \(input.name) \(duration.wholeMicroseconds / 1_000)ms"
        case .defectAppeared(let defect): "fault \(defect.words.part) \(defect.words.kind)"
        case .defectRepaired(let defect): "repair \(defect.words.part) \(defect.words.kind)"
        case .everythingRepaired: "repair"
        case .queueOverflowed(let edges): "lose \(edges)"
        case .edgeMissed(let input): "miss \(input.name)"
        case .timePassed, .outputDriven: nil
        }
    }
}
