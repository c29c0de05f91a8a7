internal import SimulatedHardware
internal import StateMachines
internal import Turnstile

/// A viewer of a gate: what they see, the keys that they have pressed, and the resulting actions.
struct Viewer: Hashable, Sendable {
    /// The main part of the screen.
    enum Panel: Hashable, Sendable {
        case gate
        /// All lamps, and the log in the rest.
        case lamps
        /// The log alone.
        case log
    }

    /// Nil while no gate answers.
    private(set) var model: ViewModel?
    var log = LogBook()
    private(set) var chronicle = Chronicle()
    /// A message about the last key.
    private(set) var note: String?
    private(set) var panel = Panel.gate
    /// Whether the help is shown.
    private(set) var isHelping = false
    private var mechanic = Mechanic()
    /// Whether the gate may still refuse the last key's action.
    private var awaitsAnswer = false

    /// When a delayed action is due; nil for never.
    var due: Instant? { model.flatMap { mechanic.due($0.report) } }

    /// Takes a new moment of the gate. The first one clears the note.
    mutating func update(_ model: ViewModel?) {
        if self.model == nil, model != nil { note = nil }
        self.model = model
    }

    mutating func append(_ record: Record) {
        chronicle.count(record)
        guard awaitsAnswer, let objection = record.objection else { return }
        note = objection
        awaitsAnswer = false
    }

    /// Says why a key's action is refused.
    mutating func say(_ note: String) { self.note = note }

    /// The delayed action that is due.
    mutating func takeDue(at now: Instant) -> Action? {
        guard let model, mechanic.turnsKey(model.report, at: now) else { return nil }
        return .simulate([.contactPressed(.serviceKey)])
    }

    /// Takes a key, with so many rows of log; nil if it only affects the view.
    mutating func press(_ key: Key, rows: Int, at now: Instant) -> Action? {
        (note, awaitsAnswer) = (nil, false)
        if key == .interrupt { return .quit }
        if log.isTyping {
            log.type(key)
            return nil
        }
        if case .pasted = key {
            note = "pasted text is ignored"
            return nil
        }
        if isHelping {
            isHelping = false
            return key == .character("q") ? .quit : nil
        }
        switch key {
        case .up: log.scroll(by: 1, rows: rows)
        case .down: log.scroll(by: -1, rows: rows)
        case .pageUp: log.scroll(by: max(1, rows - 1), rows: rows)
        case .pageDown: log.scroll(by: -max(1, rows - 1), rows: rows)
        case .home: log.scroll(by: LogBook.capacity * 2, rows: rows)
        case .end: log.goToEnd()
        case .escape: log.clear()
        case .tab: turnPanel()
        case .right where isReplayed: return .step(.nextEvent)
        case .left where isReplayed: return .step(.previousEvent)
        case .right: return simulate([.armPushed(.entry)], at: now)
        case .left: return simulate([.armPushed(.exit)], at: now)
        case .character(let character): return press(character, at: now)
        case .pasted, .enter, .backspace, .interrupt, .suspend: break
        }
        return nil
    }

    private mutating func press(_ character: Character, at now: Instant) -> Action? {
        if character == "q" { return .quit }
        if isReplayed, let stride = Self.strides[character] { return .step(stride) }
        if character == "?" {
            isHelping = true
        } else if character == "/" {
            log.beginFilter()
        } else if character == "!" {
            log.raiseLeast()
        } else if let model, let keyboard = Keyboard(model) {
            switch keyboard.stroke(character, levels: model.levels) {
            case .events(let events): return simulate(events, at: now)
            case .notWired(let line): note = "no \(line.name) is wired at this gate"
            case .nothing: note = "'\(character)' is no key: ? shows all"
            }
        } else {
            note = noKeys ?? "'\(character)' is no key: ? shows all"
        }
        return nil
    }

    private mutating func simulate(_ events: [World.Event], at now: Instant) -> Action? {
        guard let model, model.simulation != nil else {
            note = noKeys
            return nil
        }
        if events.contains(.everythingRepaired) {
            note = "repaired: the service key is turned once the causes are gone"
            if model.report.equipment.inputs[.serviceKey] { mechanic.repair(at: now) }
        }
        note = note ?? events.lazy.compactMap { model.objection(to: $0) }.first
        awaitsAnswer = true
        return .simulate(events)
    }

    /// The keys that step through a recording, besides the arrows.
    static let strides: [Character: Stride] = [
        " ": .nextEvent, "b": .previousEvent, "n": .nextRecord, "p": .previousRecord,
    ]

    private var isReplayed: Bool { model?.replayed != nil }

    /// Clears log and counts; panel and filter stay.
    mutating func forget() {
        log.removeAll()
        chronicle = Chronicle()
    }

    /// Why keys cannot act on the gate; nil if they can.
    private var noKeys: String? {
        guard let model else { return "no gate answers" }
        if isReplayed { return "this is over: arrows, n and p go through it" }
        return model.simulation == nil ? "the gate is real: keys move nothing" : nil
    }

    private mutating func turnPanel() {
        switch panel {
        case .gate: panel = .lamps
        case .lamps: panel = .log
        case .log: panel = .gate
        }
    }
}
