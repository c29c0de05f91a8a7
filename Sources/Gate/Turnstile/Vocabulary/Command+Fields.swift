extension Command: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "command" }

    /// One of each name.
    public static let forms: [Command] =
        Output.ordered.filter { $0.commandNames != nil }
        .flatMap { [Command.set($0, isOn: true), .set($0, isOn: false)] }
        + Output.ordered.flatMap { [$0.plainCommand(isOn: true), $0.plainCommand(isOn: false)] }
        + [.record(.started), .answer(.blank), .store]

    /// The command's name, which never changes: `release_entry`.
    public var name: String {
        switch self {
        case .set(let output, let isOn): output.commandNames?[isOn] ?? output.plainName(isOn)
        case .unused(let output, let isOn): output.plainName(isOn)
        case .record: "record"
        case .answer: "answer"
        case .store: "store"
        }
    }

    /// The command's fields.
    public func visit(_ fields: inout some FieldVisitor) -> Command {
        switch self {
        case .set, .store, .unused: self
        case .record(let record): .record(fields.field(.record, record))
        case .answer(let answer): .answer(fields.inline(answer))
        }
    }
}

extension Output {
    /// A command's name that is made of the output's.
    fileprivate func plainName(_ isOn: Bool) -> String {
        isOn ? "switch_on_\(name)" : "switch_off_\(name)"
    }

    /// The command of that name.
    fileprivate func plainCommand(isOn: Bool) -> Command {
        commandNames == nil ? .set(self, isOn: isOn) : .unused(self, isOn: isOn)
    }
}
