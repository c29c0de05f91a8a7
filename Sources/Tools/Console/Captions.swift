// What screens and tables call things: in a few words, for people.

public import Turnstile

extension Status.State {
    /// What the gate is doing in a few words, and the colour of its lamp.
    public var caption: (words: String, style: Style) {
        switch self {
        case .starting: ("starting", .faint)
        case .locked: ("locked", .plain)
        case .free: ("free", .green)
        case .released(.entry): ("released for one person to come in", .green)
        case .released(.exit): ("released for one person to go out", .green)
        case .passing(.entry): ("somebody is coming in", .green)
        case .passing(.exit): ("somebody is going out", .green)
        case .stopped: ("stopped: closed both ways", .yellow)
        case .service: ("service mode", .yellow)
        case .testing(let output): ("service mode: testing \(output.name)", .yellow)
        case .outOfService(let fault): ("out of service: \(fault.caption)", .red)
        case .emergency: ("emergency: open to all", .red)
        case .awaitingReset: ("open until the emergency reset", .yellow)
        case .awaitingClearLane: ("open until the lane is clear", .yellow)
        }
    }
}

extension Status {
    /// What the gate is doing in a few words, with the way that cannot be held open for all.
    public var caption: (words: String, style: Style) {
        let caption = state.caption
        guard case .cannotHoldOpen? = limitation, let limitation else { return caption }
        return (
            state == .emergency ? "emergency: \(limitation)" : "\(caption.words): \(limitation)",
            caption.style
        )
    }
}

extension Output {
    /// What it means that the output is on, or off: a lock that is energised may be locked or
    /// open. It is nil where there is nothing to say but that current flows.
    public func meaning(isOn: Bool) -> String? {
        switch self {
        case .lockEntry, .lockExit: isOn ? "open" : "locked"
        case .dropArm: isOn ? "dropped" : "up"
        case .alarm, .buzzer: isOn ? "sounds" : "silent"
        case .lampGo, .lampStop: isOn ? "lit" : "dark"
        case .coinEnable: isOn ? "accepting coins" : "refusing coins"
        case .ready: isOn ? "serves people" : "out of service"
        case .coinReject, .countPulse, .coinMeter, .lockEntryHold, .lockExitHold: nil
        }
    }

    /// What its level means, in a word or two at all times.
    public func word(isOn: Bool) -> String { meaning(isOn: isOn) ?? (isOn ? "on" : "off") }
}

extension Input {
    /// What it means that the input is active, or not; nil where its name says so.
    public func meaning(isActive: Bool) -> String? {
        switch self {
        case .fire: isActive ? "open" : "closed"
        case .lockFeedback, .lockFeedbackExit: isActive ? "open" : "locked"
        case .home: isActive ? "at rest" : "turned"
        case .beamA, .beamB: isActive ? "interrupted" : "free"
        case .vaultDoor, .cabinetTamper: isActive ? "open" : "closed"
        case .vaultPresent: isActive ? "in its place" : "missing"
        case .serviceKey, .emergencyResetKey: isActive ? "turned" : "at rest"
        case .stop: isActive ? "closed both ways" : "at rest"
        case .coinPulse, .coinPulse2, .coinPulse3, .coinJam, .rotorA, .rotorB, .releaseEntry,
            .releaseExit, .externalFault, .powerLow, .vaultFull:
            nil
        }
    }
}

extension Input {
    /// What its level means, in a word or two at all times.
    public func word(isActive: Bool) -> String {
        if let meaning = meaning(isActive: isActive) { return meaning }
        switch self {
        case .coinPulse, .coinPulse2, .coinPulse3: return isActive ? "pulse" : "no coin"
        case .coinJam: return isActive ? "jammed" : "free"
        case .rotorA, .rotorB: return isActive ? "covered" : "clear"
        case .releaseEntry, .releaseExit: return isActive ? "pressed" : "at rest"
        case .externalFault: return isActive ? "fault" : "no fault"
        case .powerLow: return isActive ? "low" : "good"
        case .vaultFull: return isActive ? "full" : "has room"
        case .fire, .stop, .serviceKey, .emergencyResetKey, .beamA, .beamB, .home, .vaultDoor,
            .vaultPresent, .cabinetTamper, .lockFeedback, .lockFeedbackExit:
            return isActive ? "active" : "at rest"
        }
    }
}

extension Alarm {
    /// The alarm in words, with its code.
    public var caption: String { "\(code) " + String(name.map { $0 == "_" ? " " : $0 }) }
}

extension Fault {
    /// The fault in words, with its code and its line.
    public var caption: String {
        let words = "\(code) " + String(name.map { $0 == "_" ? " " : $0 })
        return line.map { "\(words), \($0)" } ?? words
    }
}
