public import Turnstile

extension JournalEntry {
    /// The entry of `record`.
    ///
    /// - Parameters:
    ///   - record: What the machine wants written down.
    ///   - state: The name of the gate's state after the event.
    ///   - credit: The credit after the event, in minor units of the currency.
    ///   - commands: What the event led to; those that drive no output are left out.
    public init(
        _ record: Record, state: String, credit: Int, commands: [Command] = []
    ) {
        let (kind, sentence) = record.entry
        self.init(kind, sentence, record.fields.journalFields)
        fields.append(Field(.state, state))
        fields.append(Field(.credit, "\(credit)"))
        // A record has an entry of its own, an answer goes to its requester, and readers of the
        // journal do not need the ledger's.
        for command in commands {
            if case .set = command { fields.append(Field(.command, command.name)) }
        }
    }

    /// An entry of this kind, with the fields that distinguish it.
    init(_ kind: EntryKind, _ message: String, _ details: [Field]) {
        self.init(
            messageID: kind.id, priority: kind.priority, message: message,
            fields: [Field(.event, kind.event)] + details)
    }
}

extension Fields {
    /// The journal's fields; those of a record are never nested.
    var journalFields: [JournalEntry.Field] {
        all.compactMap { field in field.value.line.map { .init(field.name, $0) } }
    }
}
