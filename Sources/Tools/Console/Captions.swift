// Captions for screens and tables: a few words, for people.

public import Turnstile

extension Status.State {
    /// The state in a few words, and the colour of its lamp.
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
    /// The state in a few words, with the direction that cannot be held open in an emergency.
    public var caption: (words: String, style: Style) {
        let caption = state.caption
        guard case .cannotHoldOpen? = limitation, let limitation else { return caption }
        return (
            state == .emergency ? "emergency: \(limitation)" : "\(caption.words): \(limitation)",
            caption.style
        )
    }
}

extension Alarm {
    public var caption: String { "\(code) " + String(name.map { $0 == "_" ? " " : $0 }) }
}

extension Fault {
    public var caption: String {
        let words = "\(code) " + String(name.map { $0 == "_" ? " " : $0 })
        return line.map { "\(words), \($0)" } ?? words
    }
}
