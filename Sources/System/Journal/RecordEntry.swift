public import StateMachines
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
        _ record: Record, state: String, credit: Int, commands: Commands<Command> = Commands()
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
    /// The command's name in the journal; a record has none.
    fileprivate var name: String? {
        switch self {
        case .release: "release"
        case .lock: "lock"
        case .acceptCoins: "accept_coins"
        case .inhibitCoins: "inhibit_coins"
        case .soundAlarm: "sound_alarm"
        case .silenceAlarm: "silence_alarm"
        case .record: nil
        }
    }
}

extension Record {
    /// What the record says, for people.
    fileprivate var sentence: String {
        switch self {
        case .started: "in operation"
        case .stopped: "stopped, every output at its safe level"
        case .policyChanged: "the new policy is in force"
        case .policyDeferred: "the new policy waits until the gate is idle"
        case .coinAccepted(let value, let pulses):
            "coin of \(value) credited (\(counted(pulses, "pulse")))"
        case .coinLate(let value, let pulses):
            "coin of \(value) credited (\(counted(pulses, "pulse"))), "
                + "though the acceptor was inhibited"
        case .coinNoise(let width): "pulse of \(width.text) on the coin line is no coin"
        case .creditUsed(let value): "\(value) paid for a passage"
        case .creditReturned(let value): "\(value) not used, credit again"
        case .creditForfeited(let value): "\(value) not used, forfeited"
        case .released(by: .credit(let fare)): "released for one person, who paid \(fare)"
        case .released(by: .contact): "released for one person, by contact"
        case .passageStarted(let direction): "somebody begins to pass (\(direction))"
        case .passageCompleted(let direction): "somebody passed (\(direction))"
        case .passageBackedOut(let direction): "somebody went back (\(direction))"
        case .waitTimedOut: "nobody came"
        case .passageLost(let direction):
            "the end of a passage was not seen (\(direction)); it counts as made"
        case .passageUnauthorised(let direction):
            "somebody passed without an authorisation (\(direction))"
        case .passageInEmergency(let direction):
            "somebody passed during the emergency (\(direction))"
        case .refused(let input, let refusal): "\(input.rawValue) refused: \(refusal.sentence)"
        case .alarmRaised(let alarm): "alarm: \(alarm.sentence)"
        case .alarmCleared(let alarm): "the alarm is over: \(alarm.sentence)"
        case .faultRaised(let fault): "fault: \(fault.sentence)"
        case .faultCleared(let fault): "the fault is gone: \(fault.sentence)"
        case .outOfService(let fault): "out of service: \(fault.sentence)"
        case .inService: "back in service"
        case .emergencyStarted: "emergency: the loop is open, the gate stands open"
        case .emergencyLoopClosed: "the emergency loop is closed; the gate stands open until reset"
        case .emergencyReset: "the emergency is over"
        }
    }

    /// What the record says, for programs.
    fileprivate var details: [JournalEntry.Field] {
        switch self {
        case .started, .stopped, .policyChanged, .policyDeferred, .waitTimedOut, .inService,
            .emergencyStarted, .emergencyLoopClosed, .emergencyReset:
            []
        case .coinAccepted(let value, let pulses), .coinLate(let value, let pulses):
            [.init(.value, "\(value)"), .init(.pulses, "\(pulses)")]
        case .coinNoise(let width):
            [.init(.duration, "\(width.wholeMicroseconds)")]
        case .creditUsed(let value), .creditReturned(let value), .creditForfeited(let value):
            [.init(.value, "\(value)")]
        case .released(by: .credit(let fare)):
            [.init(.authorisation, "credit"), .init(.value, "\(fare)")]
        case .released(by: .contact):
            [.init(.authorisation, "contact")]
        case .passageStarted(let direction), .passageCompleted(let direction),
            .passageBackedOut(let direction), .passageLost(let direction),
            .passageUnauthorised(let direction), .passageInEmergency(let direction):
            [.init(.direction, direction.rawValue)]
        case .refused(let input, let refusal):
            [.init(.line, input.rawValue), .init(.refusal, refusal.rawValue)]
        case .alarmRaised(let alarm), .alarmCleared(let alarm):
            [.init(.alarm, alarm.rawValue)]
        case .faultRaised(let fault), .faultCleared(let fault), .outOfService(let fault):
            [.init(.fault, fault.name)] + (fault.line.map { [.init(.line, "\($0)")] } ?? [])
        }
    }
}

extension Refusal {
    /// The refusal in a few words.
    fileprivate var sentence: String {
        switch self {
        case .alreadyReleased: "the gate is released for somebody already"
        case .outOfService: "the gate is out of service"
        case .emergency: "the gate stands open in an emergency"
        case .loopOpen: "the emergency loop is still open"
        case .causePresent: "the cause of the fault is still there"
        }
    }
}

extension Alarm {
    /// The alarm in a few words.
    fileprivate var sentence: String {
        switch self {
        case .forcedPassage: "the rotor of the locked gate was forced"
        case .reversePassage: "somebody came through the wrong way"
        case .passageDelayed: "somebody has stood in the gate for too long"
        }
    }
}

extension Fault {
    /// The fault in a few words.
    fileprivate var sentence: String {
        switch self {
        case .external: "the machine reports a fault of its own"
        case .illegalRotorTransition: "the rotor's sensors contradict each other"
        case .coinLineStuck: "the coin line is stuck"
        case .edgesLost: "edges of the input lines were lost"
        case .energisedTooLong(let output):
            "\(output.rawValue) was energised for its maximum on-time"
        case .line(let line, .unreadable): "the line \(line) cannot be read"
        case .line(let line, .undrivable): "the line \(line) cannot be driven"
        case .line(let line, .mismatch): "the line \(line) does not carry what it was driven to"
        }
    }
}
