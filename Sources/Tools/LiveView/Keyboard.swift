public import SimulatedHardware
internal import Turnstile

/// What a key asks for.
public enum Action: Hashable, Sendable {
    /// These happen to the simulated gate, in this order.
    case simulate([World.Event])
    /// Show another step of a replay.
    case step(Stride)
    /// Closes the view: the service of a gate in this process stops.
    case quit
}

public enum Stride: Hashable, Sendable {
    case nextEvent, previousEvent
    case nextRecord, previousRecord
}

/// A group of keys, and the effect of each.
struct Binding: Hashable, Sendable {
    var meaning: String
    /// In the order of the help.
    var keys: [Character]
    /// For each key.
    var events: [[World.Event]]
    /// The line that must be wired.
    var line: Line?

    init(_ meaning: String, _ keys: KeyValuePairs<Character, [World.Event]>, line: Line? = nil) {
        self.meaning = meaning
        self.keys = keys.map(\.key)
        events = keys.map(\.value)
        self.line = line
    }
}

enum Stroke: Hashable, Sendable {
    case events([World.Event])
    case notWired(Line)
    /// The key has no meaning.
    case nothing
}

/// The keys of a gate; only wired lines have one.
struct Keyboard: Hashable, Sendable {
    /// The coins of the keys 1, 2 and so on.
    var coins: [Coin]
    var equipment: Equipment
    /// How long the mechanic's key is held for service mode.
    var serviceHold: Duration

    /// The keys in the order of the help, while the inputs carry `levels`.
    func bindings(_ levels: InputLevels = []) -> [Binding] {
        all(levels).filter { $0.line.map(has) ?? true }
    }

    /// What this key does while the inputs carry `levels`.
    func stroke(_ key: Character, levels: InputLevels) -> Stroke {
        for binding in all(levels) {
            guard let index = binding.keys.firstIndex(of: key) else { continue }
            if let line = binding.line, !has(line) { return .notWired(line) }
            return .events(binding.events[index])
        }
        return .nothing
    }

    private func all(_ levels: InputLevels) -> [Binding] {
        coinBindings + people
            + [.attendant, .emergency, .keeper].flatMap { contacts($0, levels) } + troubles(levels)
    }

    private func has(_ line: Line) -> Bool {
        switch line {
        case .input(let input): equipment.inputs[input]
        case .output(let output): equipment.outputs[output]
        }
    }
}

extension Keyboard {
    /// The keys of a simulated gate; nil for a real one.
    init?(_ model: ViewModel) {
        guard let simulation = model.simulation else { return nil }
        self.init(
            coins: simulation.coins, equipment: model.report.equipment,
            serviceHold: simulation.serviceHold)
    }

    /// Coins, slot by slot.
    private var coinBindings: [Binding] {
        let hands = Array(zip("123456789", coins))
        return Acceptor.allCases.map { acceptor in
            let slot = hands.filter { $0.1.acceptor == acceptor }
            let values = slot.map { "\($0.1.value)" }.joined(separator: " ")
            let place = acceptor == .first ? "coin" : "slot \(acceptor.rawValue):"
            var binding = Binding("\(place) \(values)", [:], line: .input(acceptor.line))
            binding.keys = slot.map(\.0)
            binding.events = slot.map { [.coinInserted(value: $0.1.value, into: acceptor)] }
            return binding
        }.filter { !$0.keys.isEmpty }
    }

    private var people: [Binding] {
        [
            Binding("walk in, out", ["e": [.armPushed(.entry)], "x": [.armPushed(.exit)]]),
            Binding("tailgate", ["t": [.tailgated(.entry)], "T": [.tailgated(.exit)]]),
            Binding("force", ["v": [.armForced(.entry)], "V": [.armForced(.exit)]]),
            Binding("step back", ["b": [.steppedBack()]]),
            Binding("stand", ["w": [.stoodStill]]),
            Binding("raise arm", ["u": [.armRaised]], line: .output(.dropArm)),
            Binding("fish", ["y": [.coinFished(pulses: 2)]], line: .input(.coinPulse)),
        ]
    }

    private func contacts(_ hand: ContactKey.Hand, _ levels: InputLevels) -> [Binding] {
        Input.allCases.compactMap { input in
            guard let entry = input.entry.key, entry.hand == hand else { return nil }
            let (meaning, key, line) = (entry.caption, Character(entry.key), Line.input(input))
            switch entry.gesture {
            case .turned:
                let turned = World.Event.contactMoved(input, isActive: !levels[input])
                return Binding(meaning, [key: [turned]], line: line)
            case .pressed:
                return Binding(meaning, [key: [.contactPressed(input)]], line: line)
            case .pressedOrHeld(let other):
                // Held longer than needed, since the contact is debounced.
                let held = World.Event.contactPressed(input, for: serviceHold + .seconds(1))
                return Binding(
                    meaning, [key: [.contactPressed(input)], Character(other): [held]], line: line)
            }
        }
    }

    /// Keys, buttons, doors and the vault at rest; the vault is put in last.
    private var repairs: [World.Event] {
        let moved = Input.allCases.filter { input in
            guard equipment.inputs[input], let key = input.entry.key else { return false }
            return key.gesture == .turned && (key.hand == .keeper || key.hand == .trouble)
        }
        return [false, true].flatMap { isActive in
            moved.filter { $0.entry.isActiveAtRest == isActive }
                .map { .contactMoved($0, isActive: isActive) }
        }
    }

    /// Defects, and the repair of all.
    private func troubles(_ levels: InputLevels) -> [Binding] {
        func broken(_ meaning: String, _ key: Character, _ line: Line, _ it: Defect) -> Binding {
            Binding(meaning, [key: [.defectAppeared(it)]], line: line)
        }
        let sensor: Input = equipment.inputs[.beamA] ? .beamA : .rotorA
        return contacts(.trouble, levels) + [
            broken("coin jam", "j", .input(.coinJam), .jammedAcceptor(.first)),
            broken("stuck coin", "J", .input(.coinPulse), .stuckActive(.coinPulse)),
            broken("dead sensor", "m", .input(sensor), .brokenWire(sensor)),
            broken("dead lock", "n", .output(.lockEntry), .stuckOutput(.lockEntry)),
            broken("jammed bolt", "N", .output(.lockEntry), .jammedBolt(.entry)),
            broken("bent arm", "h", .input(.home), .bentArm),
            Binding("lost edges", ["l": [.queueOverflowed(edges: 2)]]),
            Binding("repair", ["r": [.everythingRepaired, .armRaised] + repairs]),
        ]
    }
}
