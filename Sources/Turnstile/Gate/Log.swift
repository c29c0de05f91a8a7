import StateMachines

/// What is to be said about an event, gathered while its parts handle it.
struct Log {
    /// The records, in order.
    private var records = Commands<Command>()
    /// Why the first part that was asked ignored the event.
    private var reason: Reason?
    /// Whether any part took the event.
    private(set) var isChanged = false

    mutating func record(_ record: Record) {
        records.append(.record(record))
    }

    mutating func ignore(_ reason: Reason) {
        if self.reason == nil { self.reason = reason }
    }

    mutating func change() {
        isChanged = true
    }

    /// The commands of a part's outcome; nil, with the reason noted, when it ignored the event.
    mutating func commands<Part>(of outcome: Outcome<Part>) -> Commands<Part>? {
        switch outcome {
        case .handled(let commands):
            isChanged = true
            return commands
        case .ignored(let reason):
            ignore(reason)
            return nil
        case .unhandled: preconditionFailure("the parts of a turnstile decide every event")
        }
    }

    /// The answer to the event: what is to be driven, as the difference between what was driven
    /// before it and what is driven after it, then the records.
    func outcome(from before: Gate.Drive?, to after: Gate.Drive?) -> Outcome<Command> {
        var commands = Commands<Command>()
        if before != after, let after { after.append(to: &commands, before: before) }
        if commands.isEmpty {
            if records.isEmpty, !isChanged, let reason { return .ignored(reason) }
            return .handled(records)
        }
        commands.append(contentsOf: records)
        return .handled(commands)
    }
}

extension Gate.Drive {
    /// Appends what leads here: people first, then what tells of them, then coins.
    fileprivate func append(to commands: inout Commands<Command>, before: Gate.Drive?) {
        if before?.isReleased != isReleased { commands.append(isReleased ? .release : .lock) }
        if before?.soundsAlarm != soundsAlarm {
            commands.append(soundsAlarm ? .soundAlarm : .silenceAlarm)
        }
        if before?.acceptsCoins != acceptsCoins {
            commands.append(acceptsCoins ? .acceptCoins : .inhibitCoins)
        }
    }
}
