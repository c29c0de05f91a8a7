public import SimulatedHardware
internal import Turnstile

/// What somebody at the keyboard wants.
public enum Action: Hashable, Sendable {
    /// These things happen to the simulated gate, in this order.
    case simulate([World.Event])
    /// The service stops.
    case quit
}

/// One item of the help: keys, and what they do.
struct KeyHelp: Hashable, Sendable {
    var keys: String
    var meaning: String

    init(_ keys: String, _ meaning: String) {
        self.keys = keys
        self.meaning = meaning
    }
}

/// Which key does what.
struct Keyboard: Hashable, Sendable {
    /// The values of the coins on the keys 1, 2 and so on, in minor units of the currency.
    var coins: [Int]

    /// The keys in the order in which they are explained.
    var help: [KeyHelp] {
        let numbers = coins.indices.map { "\($0 + 1)" }.joined(separator: " ")
        let values = coins.map { "\($0)" }.joined(separator: " ")
        return [
            KeyHelp(numbers, "coin \(values)"), KeyHelp("e x", "walk in, out"),
            KeyHelp("b", "step back"), KeyHelp("v V", "force in, out"),
            KeyHelp("a", "attendant"), KeyHelp("f", "fire"), KeyHelp("z", "emergency reset"),
            KeyHelp("d", "fault"), KeyHelp("j", "coin jam"), KeyHelp("s", "dead sensor"),
            KeyHelp("n", "dead lock"), KeyHelp("l", "lost edges"), KeyHelp("r", "repair"),
            KeyHelp("q", "quit"),
        ]
    }

    /// What `key` does while the inputs carry `levels`; nil for a key that does nothing.
    func action(for key: Key, levels: InputLevels) -> Action? {
        switch key {
        case .interrupt: .quit
        case .right: .simulate([.armPushed(.entry)])
        case .left: .simulate([.armPushed(.exit)])
        case .up, .down, .escape: nil
        case .character("q"): .quit
        case .character(let character): events(for: character, levels).map { .simulate($0) }
        }
    }

    private func events(for character: Character, _ levels: InputLevels) -> [World.Event]? {
        switch character {
        case "e": [.armPushed(.entry)]
        case "x": [.armPushed(.exit)]
        case "b": [.steppedBack()]
        case "v": [.armForced(.entry)]
        case "V": [.armForced(.exit)]
        case "a": [.contactPressed(.releaseEntry)]
        case "f": [.contactMoved(.fire, isActive: !levels[.fire])]
        case "z": [.contactPressed(.emergencyResetKey)]
        case "d": [.contactMoved(.externalFault, isActive: !levels[.externalFault])]
        case "j": [.defectAppeared(.stuckActive(.coinPulse))]
        case "s": [.defectAppeared(.brokenWire(.rotorA))]
        case "n": [.defectAppeared(.stuckOutput(.lockEntry))]
        case "l": [.queueOverflowed(edges: 2)]
        case "r":
            [
                .everythingRepaired, .contactMoved(.externalFault, isActive: false),
                .contactPressed(.serviceKey),
            ]
        default: coin(character).map { [.coinInserted(value: $0)] }
        }
    }

    private func coin(_ character: Character) -> Int? {
        guard character.isASCII, let number = character.wholeNumberValue else { return nil }
        return coins.indices.contains(number - 1) ? coins[number - 1] : nil
    }
}
