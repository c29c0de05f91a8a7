import StateMachines
public import Turnstile

// The names and fields of what each machine hears. The names are published and never change.

extension OutputDrive.Event {
    /// One of each name.
    static let forms: [OutputDrive.Event] = [
        .took(false, for: .zero, at: .zero), .refused(false), .lookBegan, .read(nil), .lookEnded,
        .timePassed(.zero),
    ]

    /// The name: `output_took`.
    var name: String {
        switch self {
        case .took: "output_took"
        case .refused: "output_refused"
        case .lookBegan: "output_look_began"
        case .read: "output_read"
        case .lookEnded: "output_look_ended"
        case .timePassed: "output_time_passed"
        }
    }

    /// The fields of what happened to an output.
    func visit(_ fields: inout some FieldVisitor) -> OutputDrive.Event {
        switch self {
        case .lookBegan, .lookEnded: self
        case .took(let level, let cause, let time):
            .took(
                fields.field(.isEnergised, level), for: fields.instant(.cause, cause),
                at: fields.instant(.time, time))
        case .refused(let level): .refused(fields.field(.isEnergised, level))
        case .read(let level): .read(fields.optional(.isEnergised, level))
        case .timePassed(let time): .timePassed(fields.instant(.time, time))
        }
    }
}

extension LockDrive.Event {
    /// One of each name.
    static let forms: [LockDrive.Event] = [
        .energise(at: .zero, pull: .zero), .deEnergise, .looked(at: .zero, .noPower, pull: .zero),
        .timePassed(.zero, isPulled: false),
    ]

    /// The name: `lock_looked_at`.
    var name: String {
        switch self {
        case .energise: "lock_to_be_energised"
        case .deEnergise: "lock_to_be_de_energised"
        case .looked: "lock_looked_at"
        case .timePassed: "lock_time_passed"
        }
    }

    /// The fields of what happened to a lock.
    func visit(_ fields: inout some FieldVisitor) -> LockDrive.Event {
        switch self {
        case .deEnergise: self
        case .energise(let time, let pull):
            .energise(
                at: fields.instant(.time, time), pull: fields.exactDuration(.pull, pull))
        case .looked(let time, let finding, let pull):
            .looked(
                at: fields.instant(.time, time), fields.field(.finding, finding),
                pull: fields.exactDuration(.pull, pull))
        case .timePassed(let time, let isPulled):
            .timePassed(
                fields.instant(.time, time), isPulled: fields.field(.isPulled, isPulled))
        }
    }
}

extension LockDrive.Finding: Word {
    /// What the list is called.
    public static var list: String { "lock_finding" }
    /// All that a look may find.
    public static let words: [LockDrive.Finding] = [
        .noPower, .held(hasMoved: nil), .held(hasMoved: true), .held(hasMoved: false),
    ]

    /// The name, which never changes: `not_moved`.
    public var name: String {
        switch self {
        case .noPower: "no_power"
        case .held(nil): "held"
        case .held(true): "moved"
        case .held(false): "not_moved"
        }
    }
}

extension LineWatch.Event {
    /// One of each name.
    static let forms: [LineWatch.Event] = [
        .started(at: .zero), .failed(.input(.fire), .unreadable), .lookBegan(at: .zero),
        .found(.input(.fire), .unreadable, ""), .inputsRead(InputLevels(), heard: InputLevels()),
        .lookEnded(heard: InputLevels(), taken: InputLevels()), .recoveryTold,
    ]

    /// The name: `lines_look_began`.
    var name: String {
        switch self {
        case .started: "lines_started"
        case .failed: "lines_failed"
        case .lookBegan: "lines_look_began"
        case .found: "lines_found"
        case .inputsRead: "lines_inputs_read"
        case .lookEnded: "lines_look_ended"
        case .recoveryTold: "lines_recovery_told"
        }
    }

    /// The fields of what happened to the lines.
    func visit(_ fields: inout some FieldVisitor) -> LineWatch.Event {
        switch self {
        case .recoveryTold: self
        case .started(let time): .started(at: fields.instant(.time, time))
        case .failed(let line, let failure):
            .failed(fields.field(.line, line), fields.field(.failure, failure))
        case .lookBegan(let time): .lookBegan(at: fields.instant(.time, time))
        case .found(let line, let failure, let text):
            .found(
                fields.field(.line, line), fields.field(.failure, failure),
                fields.field(.detail, text))
        case .inputsRead(let levels, let heard):
            .inputsRead(fields.inputs(.active, levels), heard: fields.inputs(.heard, heard))
        case .lookEnded(let heard, let taken):
            .lookEnded(heard: fields.inputs(.heard, heard), taken: fields.inputs(.taken, taken))
        }
    }
}

extension SignsOfLife.Event {
    /// One of each name.
    static let forms: [SignsOfLife.Event] = [
        .looked(nil, .other, at: .zero), .situationChanged(.other, at: .zero),
    ]

    /// The name: `signs_of_life_looked_at`.
    var name: String {
        switch self {
        case .looked: "signs_of_life_looked_at"
        case .situationChanged: "signs_of_life_situation_changed"
        }
    }

    /// The fields of what happened.
    func visit(_ fields: inout some FieldVisitor) -> SignsOfLife.Event {
        switch self {
        case .looked(let problem, let situation, let time):
            .looked(
                fields.optional(.detail, problem), fields.field(.situation, situation),
                at: fields.instant(.time, time))
        case .situationChanged(let situation, let time):
            .situationChanged(
                fields.field(.situation, situation), at: fields.instant(.time, time))
        }
    }
}

extension WatchdogPolicy.Situation: Word {
    /// What the list is called.
    public static var list: String { "situation" }

    /// The name, which never changes: `occupied`.
    public var name: String {
        switch self {
        case .emergency: "emergency"
        case .occupied: "occupied"
        case .service: "service"
        case .other: "other"
        }
    }
}

extension StoreWatch.Event {
    /// One of each name.
    static let forms: [StoreWatch.Event] = [
        .opening(at: .zero), .asked(at: .zero), .answersTaken, .stored, .opened(at: .zero),
        .failed(""), .looked(at: .zero),
    ]

    /// The name: `store_asked`.
    var name: String {
        switch self {
        case .opening: "store_opening"
        case .asked: "store_asked"
        case .answersTaken: "store_answers_taken"
        case .stored: "store_stored"
        case .opened: "store_opened"
        case .failed: "store_failed"
        case .looked: "store_looked_at"
        }
    }

    /// The fields of what happened to the store.
    func visit(_ fields: inout some FieldVisitor) -> StoreWatch.Event {
        switch self {
        case .answersTaken, .stored: self
        case .opening(let time): .opening(at: fields.instant(.time, time))
        case .asked(let time): .asked(at: fields.instant(.time, time))
        case .opened(let time): .opened(at: fields.instant(.time, time))
        case .failed(let reason): .failed(fields.field(.detail, reason))
        case .looked(let time): .looked(at: fields.instant(.time, time))
        }
    }
}

extension RetentionWatch.Event {
    /// One of each name.
    static let forms: [RetentionWatch.Event] = [
        .began, .happened(RetainedState()), .looked(nil),
    ]

    /// The name: `retention_began`.
    var name: String {
        switch self {
        case .began: "retention_began"
        case .happened: "retention_happened"
        case .looked: "retention_looked_at"
        }
    }

    /// The fields of what happened to what is retained.
    func visit(_ fields: inout some FieldVisitor) -> RetentionWatch.Event {
        switch self {
        case .began: self
        case .happened(let state): .happened(fields.field(.retained, state))
        case .looked(let problem): .looked(fields.optional(.detail, problem))
        }
    }
}

extension Snapshots.Event {
    /// One of each name.
    static let forms: [Snapshots.Event] = [
        .started(at: .zero), .recorded(.started), .intervalChanged(.zero, at: .zero),
        .looked(at: .zero), .stopped,
    ]

    /// The name: `registers_interval_changed`.
    var name: String {
        switch self {
        case .started: "registers_started"
        case .recorded: "registers_recorded"
        case .intervalChanged: "registers_interval_changed"
        case .looked: "registers_looked_at"
        case .stopped: "registers_stopped"
        }
    }

    /// The fields of what happened to the registers.
    func visit(_ fields: inout some FieldVisitor) -> Snapshots.Event {
        switch self {
        case .stopped: self
        case .started(let time): .started(at: fields.instant(.time, time))
        case .recorded(let record): .recorded(fields.field(.record, record))
        case .intervalChanged(let interval, let time):
            .intervalChanged(
                fields.exactDuration(.interval, interval), at: fields.instant(.time, time))
        case .looked(let time): .looked(at: fields.instant(.time, time))
        }
    }
}
