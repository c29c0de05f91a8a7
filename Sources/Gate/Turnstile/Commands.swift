/// A command of a turnstile.
public enum Command: Hashable, Sendable {
    /// Let people pass this way.
    case release(Direction)
    /// Lock this way.
    case lock(Direction)
    /// Let the arm drop.
    case dropArm
    /// Hold the arm up.
    case holdArm
    /// Have the acceptors take coins.
    case acceptCoins
    /// Have the acceptors give coins back.
    case inhibitCoins
    /// Switch on a siren, a lamp, a counter or the like.
    case switchOn(Output)
    /// Switch it off.
    case switchOff(Output)
    /// Write this down.
    case record(Record)
    /// Send the requester their answer.
    case answer(Answer)
    /// Make all that was recorded until now durable, and say ``Event/Kind/stored``. Said again
    /// before the answer it asks for one answer, to the last.
    case store
}

extension Command {
    /// The command that turns `output` on, or off: see ``Output``.
    public init(_ output: Output, isOn: Bool) {
        self =
            switch output.device {
            case .lock(let direction): isOn ? .release(direction) : .lock(direction)
            case .arm: isOn ? .dropArm : .holdArm
            case .acceptors: isOn ? .acceptCoins : .inhibitCoins
            case .hold, .other: isOn ? .switchOn(output) : .switchOff(output)
            }
    }

    /// The output of the command, and whether it turns it on; nil for a command that only records
    /// or reports.
    public var target: (output: Output, isOn: Bool)? {
        switch self {
        case .release(let direction): (direction.lock, true)
        case .lock(let direction): (direction.lock, false)
        case .dropArm: (.dropArm, true)
        case .holdArm: (.dropArm, false)
        case .acceptCoins: (.coinEnable, true)
        case .inhibitCoins: (.coinEnable, false)
        case .switchOn(let output): (output, true)
        case .switchOff(let output): (output, false)
        case .record, .answer, .store: nil
        }
    }
}
