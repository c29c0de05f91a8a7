import StateMachines

/// What is to be said about an event, gathered while its parts handle it.
struct Log {
    /// The records, in order.
    private var records = Commands<Record>()
    /// Why the first part that was asked ignored the event.
    private var reason: Reason?
    /// Whether any part took the event.
    private(set) var isChanged = false

    mutating func record(_ record: Record) {
        records.append(record)
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

    /// Hands over the answer to the event: what is to be driven, as the difference between what
    /// was driven before it and what is driven after it, then the records.
    func tell(
        from before: Gate.Drive?, to after: Gate.Drive?, perform: (Command) -> Void
    ) -> Verdict {
        var isSilent = records.isEmpty
        if before != after, let after {
            after.tell(since: before, perform: perform)
            isSilent = false
        }
        if isSilent, !isChanged, let reason { return .ignored(reason) }
        records.forEach { perform(.record($0)) }
        return .handled
    }
}

extension Gate.Drive {
    /// What leads here: people first, then what tells of them, then coins.
    fileprivate func tell(since before: Gate.Drive?, perform: (Command) -> Void) {
        if before?.isReleased != isReleased { perform(isReleased ? .release : .lock) }
        if before?.soundsAlarm != soundsAlarm {
            perform(soundsAlarm ? .soundAlarm : .silenceAlarm)
        }
        if before?.acceptsCoins != acceptsCoins {
            perform(acceptsCoins ? .acceptCoins : .inhibitCoins)
        }
    }
}
