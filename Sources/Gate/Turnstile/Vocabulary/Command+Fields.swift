extension Command: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "command" }

    /// One of each name.
    public static let forms: [Command] =
        Direction.allCases.flatMap { [.release($0), .lock($0)] }
        + [.dropArm, .holdArm, .acceptCoins, .inhibitCoins]
        + Output.ordered.flatMap { [.switchOn($0), .switchOff($0)] }
        + [.record(.started), .answer(.blank), .store]

    /// The command's name, which never changes: `release_entry`.
    public var name: String {
        switch self {
        case .release(let direction): "release_\(direction.name)"
        case .lock(let direction): "lock_\(direction.name)"
        case .dropArm: "drop_arm"
        case .holdArm: "hold_arm"
        case .acceptCoins: "accept_coins"
        case .inhibitCoins: "inhibit_coins"
        case .switchOn(let output): "switch_on_\(output.name)"
        case .switchOff(let output): "switch_off_\(output.name)"
        case .record: "record"
        case .answer: "answer"
        case .store: "store"
        }
    }

    /// The command's fields.
    public func visit(_ fields: inout some FieldVisitor) -> Command {
        switch self {
        case .release, .lock, .dropArm, .holdArm, .acceptCoins, .inhibitCoins, .switchOn,
            .switchOff, .store:
            self
        case .record(let record): .record(fields.field(.record, record))
        case .answer(let answer): .answer(fields.inline(answer))
        }
    }
}
