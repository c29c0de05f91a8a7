public import SimulatedHardware
internal import Turnstile

/// What a key asks for.
public enum Action: Hashable, Sendable {
    /// These things happen to the simulated gate, in this order.
    case simulate([World.Event])
    /// Another step of a gate that is replayed is to be shown.
    case step(Stride)
    /// Closes the view: the service of a gate in this process stops.
    case quit
}

public enum Stride: Hashable, Sendable {
    case nextEvent, previousEvent
    case nextRecord, previousRecord
}

/// Some keys that belong together, and what each of them does.
struct Binding: Hashable, Sendable {
    var meaning: String
    /// The keys in the order in which they are explained.
    var keys: [Character]
    /// What happens in the world for each of them.
    var events: [[World.Event]]
    /// The line without which they do nothing.
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
    /// Nothing, since this line is not wired.
    case notWired(Line)
    /// Nothing: it has no meaning.
    case nothing
}

/// The keys of a gate; only wired lines have one.
struct Keyboard: Hashable, Sendable {
    /// The coins on the keys 1, 2 and so on.
    var coins: [Coin]
    var equipment: Equipment
    /// How long the mechanic's key is held for service mode.
    var serviceHold: Duration

    /// The keys in the order in which they are explained, while the inputs carry `levels`.
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
    /// The keys of the gate that is shown; nil where it is a real one.
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
                // The contact of the key must be quiet, too, before it counts.
                let held = World.Event.contactPressed(input, for: serviceHold + .seconds(1))
                return Binding(
                    meaning, [key: [.contactPressed(input)], Character(other): [held]], line: line)
            }
        }
    }

    /// Keys, buttons, doors and the vault as they are where all is well: it is put in last.
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

    /// What breaks, and the repair of it all.
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
