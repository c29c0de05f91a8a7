public import Turnstile

extension JournalEntry {
    /// The entry of `record`.
    ///
    /// - Parameters:
    ///   - record: What the machine wants written down.
    ///   - state: The name of the gate's state after the event.
    ///   - credit: The credit after the event, in minor units of the currency.
    ///   - commands: What the event led to; the records among them are left out.
    public init(
        _ record: Record, state: String, credit: Int, commands: [Command] = []
    ) {
        self.init(record.kind, record.sentence, record.details)
        fields.append(Field(.state, state))
        fields.append(Field(.credit, "\(credit)"))
        commands.forEach { command in
            if let name = command.name { fields.append(Field(.command, name)) }
        }
    }

    /// An entry of this kind, with the fields that tell it from others of its kind.
    init(_ kind: EntryKind, _ message: String, _ details: [Field]) {
        self.init(
            messageID: kind.id, priority: kind.priority, message: message,
            fields: [Field(.event, kind.event)] + details)
    }
}

extension Command {
    /// The command's name in the journal, such as `release_entry`; a record has none.
    fileprivate var name: String? {
        switch self {
        case .release(let direction): "release_\(direction.rawValue)"
        case .lock(let direction): "lock_\(direction.rawValue)"
        case .dropArm: "drop_arm"
        case .holdArm: "hold_arm"
        case .acceptCoins: "accept_coins"
        case .inhibitCoins: "inhibit_coins"
        case .switchOn(let output): "switch_on_\(output.name)"
        case .switchOff(let output): "switch_off_\(output.name)"
        case .record, .store: nil
        }
    }
}

extension Record {
    /// The name of the record's kind, which never changes: `coin_accepted`.
    public var kindName: String { kind.event }

    /// What the record says, for programs, besides its kind.
    public var details: [JournalEntry.Field] {
        switch self {
        case .started, .stopped, .policyChanged, .policyDeferred, .scheduleDeferred, .inService,
            .stopBegan, .stopEnded, .emergencyStarted, .emergencyLoopClosed, .emergencyReset,
            .serviceStarted, .serviceEnded, .selfTestFinished, .selfTestAborted, .vaultOpened,
            .vaultClosed, .vaultRemoved, .vaultReplaced, .emergencyRecovered, .stateUnknown,
            .rotorNoise:
            []
        case .modeChanged(let direction, let mode): [direction.field, .init(.mode, mode.rawValue)]
        case .enforcementChanged(let enforcement): [.init(.enforcement, enforcement.rawValue)]
        case .clockAdjusted(let step): [.init(.duration, "\(step.wholeMicroseconds)")]
        case .coinCounted(let coin), .coinAccepted(let coin), .coinLate(let coin),
            .coinInhibited(let coin), .coinRejected(let coin):
            [.init(.value, "\(coin.value)"), .init(.pulses, "\(coin.pulses)")]
                + coin.acceptor.fields
        case .coinUnknown(let acceptor, let pulses), .noiseOver(let acceptor, let pulses):
            [.init(.pulses, "\(pulses)")] + acceptor.fields
        case .coinNoise(let acceptor, let width):
            [.init(.duration, "\(width.wholeMicroseconds)")] + acceptor.fields
        case .creditUsed(let value), .creditReturned(let value), .creditRecovered(let value),
            .creditForfeited(let value), .creditExpired(let value):
            [.init(.value, "\(value)")]
        case .released(let direction, let authorisation): [direction.field] + authorisation.fields
        case .stored(let direction), .authorisationDropped(let direction),
            .passageStarted(let direction), .passageBackedOut(let direction),
            .waitTimedOut(let direction):
            [direction.field]
        case .storedDropped(let count): [.init(.count, "\(count)")]
        case .passageCompleted(let direction, let kind), .passageLost(let direction, let kind),
            .passageRecovered(let direction, let kind):
            [direction.field, .init(.kind, kind.rawValue)]
        case .coinsRefused(let refusal): [.init(.refusal, refusal.name)]
        case .deferred(let input): [.init(.line, input.name)]
        case .refused(let input, let refusal):
            [.init(.line, input.name), .init(.refusal, refusal.rawValue)]
        case .alarmRaised(let alarm), .alarmCleared(let alarm), .alarmRecovered(let alarm):
            [.init(.alarm, alarm.name), .init(.code, alarm.code)]
        case .faultRaised(let fault), .faultCleared(let fault), .faultRecovered(let fault),
            .outOfService(let fault):
            fault.fields
        case .selfTestFailed(let output), .onTimeWarning(let output):
            [.init(.line, output.name)]
        }
    }
}

extension Direction {
    fileprivate var field: JournalEntry.Field { .init(.direction, rawValue) }
}

extension Acceptor {
    fileprivate var fields: [JournalEntry.Field] {
        [.init(.acceptor, "\(rawValue)"), .init(.line, line.name)]
    }
}

extension Authorisation {
    fileprivate var fields: [JournalEntry.Field] {
        switch self {
        case .credit(let fare): [.init(.authorisation, "credit"), .init(.value, "\(fare)")]
        case .contact: [.init(.authorisation, "contact")]
        case .free: [.init(.authorisation, "free")]
        }
    }
}

extension Fault {
    fileprivate var fields: [JournalEntry.Field] {
        [.init(.fault, name), .init(.code, code)] + (line.map { [.init(.line, "\($0)")] } ?? [])
    }
}
