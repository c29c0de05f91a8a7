import StateMachines
public import Turnstile

// The names and fields of each machine's events, and a sample of each. The names are published and
// never change.

extension OutputDrive.Event {
    static let forms: [OutputDrive.Event] = [
        .took(false, for: .zero, at: .zero), .refused(false), .lookBegan, .read(nil), .lookEnded,
        .timePassed(.zero),
    ]

    func visit(_ fields: inout some FieldVisitor) -> OutputDrive.Event {
        switch self {
        case .took(let level, let cause, let time):
            let level = fields.field(.isEnergised, level)
            let cause = fields.instant(.cause, cause)
            let time = fields.instant(.time, time)
            return fields.named("output_took", .took(level, for: cause, at: time))
        case .refused(let level):
            return fields.named("output_refused", .refused(fields.field(.isEnergised, level)))
        case .lookBegan: return fields.named("output_look_began", self)
        case .read(let level):
            return fields.named("output_read", .read(fields.optional(.isEnergised, level)))
        case .lookEnded: return fields.named("output_look_ended", self)
        case .timePassed(let time):
            return fields.named("output_time_passed", .timePassed(fields.instant(.time, time)))
        }
    }
}

extension LockDrive.Event {
    static let forms: [LockDrive.Event] = [
        .energise(at: .zero, pull: .zero), .deEnergise, .looked(at: .zero, .noPower, pull: .zero),
        .timePassed(.zero, isPulled: false),
    ]

    func visit(_ fields: inout some FieldVisitor) -> LockDrive.Event {
        switch self {
        case .energise(let time, let pull):
            let time = fields.instant(.time, time)
            let pull = fields.exactDuration(.pull, pull)
            return fields.named("lock_to_be_energised", .energise(at: time, pull: pull))
        case .deEnergise: return fields.named("lock_to_be_de_energised", self)
        case .looked(let time, let finding, let pull):
            let time = fields.instant(.time, time)
            let finding = fields.field(.finding, finding)
            let pull = fields.exactDuration(.pull, pull)
            return fields.named("lock_looked_at", .looked(at: time, finding, pull: pull))
        case .timePassed(let time, let isPulled):
            let time = fields.instant(.time, time)
            let isPulled = fields.field(.isPulled, isPulled)
            return fields.named("lock_time_passed", .timePassed(time, isPulled: isPulled))
        }
    }
}

extension LockDrive.Finding: Word {
    public static var list: String { "lock_finding" }
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
    static let forms: [LineWatch.Event] = [
        .started(at: .zero), .failed(.input(.fire), .unreadable), .lookBegan(at: .zero),
        .found(.input(.fire), .unreadable, ""), .inputsRead(InputLevels(), heard: InputLevels()),
        .lookEnded(heard: InputLevels(), taken: InputLevels()), .recoveryTold,
    ]

    func visit(_ fields: inout some FieldVisitor) -> LineWatch.Event {
        switch self {
        case .started(let time):
            return fields.named("lines_started", .started(at: fields.instant(.time, time)))
        case .failed(let line, let failure):
            let line = fields.field(.line, line)
            return fields.named("lines_failed", .failed(line, fields.field(.failure, failure)))
        case .lookBegan(let time):
            return fields.named("lines_look_began", .lookBegan(at: fields.instant(.time, time)))
        case .found(let line, let failure, let text):
            let line = fields.field(.line, line)
            let failure = fields.field(.failure, failure)
            let text = fields.field(.detail, text)
            return fields.named("lines_found", .found(line, failure, text))
        case .inputsRead(let levels, let heard):
            let levels = fields.inputs(.active, levels)
            let heard = fields.inputs(.heard, heard)
            return fields.named("lines_inputs_read", .inputsRead(levels, heard: heard))
        case .lookEnded(let heard, let taken):
            let heard = fields.inputs(.heard, heard)
            let taken = fields.inputs(.taken, taken)
            return fields.named("lines_look_ended", .lookEnded(heard: heard, taken: taken))
        case .recoveryTold: return fields.named("lines_recovery_told", self)
        }
    }
}

extension SignsOfLife.Event {
    static let forms: [SignsOfLife.Event] = [
        .looked(nil, .other, at: .zero), .situationChanged(.other, at: .zero),
    ]

    func visit(_ fields: inout some FieldVisitor) -> SignsOfLife.Event {
        switch self {
        case .looked(let problem, let situation, let time):
            let problem = fields.optional(.detail, problem)
            let situation = fields.field(.situation, situation)
            let time = fields.instant(.time, time)
            return fields.named("signs_of_life_looked_at", .looked(problem, situation, at: time))
        case .situationChanged(let situation, let time):
            let situation = fields.field(.situation, situation)
            let time = fields.instant(.time, time)
            return fields.named(
                "signs_of_life_situation_changed", .situationChanged(situation, at: time))
        }
    }
}

extension WatchdogPolicy.Situation: Word {
    public static var list: String { "situation" }
}

extension StoreWatch.Event {
    static let forms: [StoreWatch.Event] = [
        .opening(at: .zero), .asked(at: .zero), .answersTaken, .durable, .opened(at: .zero),
        .failed(""), .looked(at: .zero),
    ]

    func visit(_ fields: inout some FieldVisitor) -> StoreWatch.Event {
        switch self {
        case .opening(let time):
            fields.named("store_opening", .opening(at: fields.instant(.time, time)))
        case .asked(let time):
            fields.named("store_asked", .asked(at: fields.instant(.time, time)))
        case .answersTaken: fields.named("store_answers_taken", self)
        case .durable: fields.named("store_stored", self)
        case .opened(let time):
            fields.named("store_opened", .opened(at: fields.instant(.time, time)))
        case .failed(let reason):
            fields.named("store_failed", .failed(fields.field(.detail, reason)))
        case .looked(let time):
            fields.named("store_looked_at", .looked(at: fields.instant(.time, time)))
        }
    }
}

extension RetentionWatch.Event {
    static let forms: [RetentionWatch.Event] = [
        .began, .happened(RetainedState()), .looked(nil),
    ]

    func visit(_ fields: inout some FieldVisitor) -> RetentionWatch.Event {
        switch self {
        case .began: fields.named("retention_began", self)
        case .happened(let state):
            fields.named("retention_happened", .happened(fields.field(.retained, state)))
        case .looked(let problem):
            fields.named("retention_looked_at", .looked(fields.optional(.detail, problem)))
        }
    }
}

extension Snapshots.Event {
    static let forms: [Snapshots.Event] = [
        .started(at: .zero), .recorded(.started), .intervalChanged(.zero, at: .zero),
        .looked(at: .zero), .stopped,
    ]

    func visit(_ fields: inout some FieldVisitor) -> Snapshots.Event {
        switch self {
        case .started(let time):
            return fields.named("registers_started", .started(at: fields.instant(.time, time)))
        case .recorded(let record):
            return fields.named("registers_recorded", .recorded(fields.field(.record, record)))
        case .intervalChanged(let interval, let time):
            let interval = fields.exactDuration(.interval, interval)
            let time = fields.instant(.time, time)
            return fields.named("registers_interval_changed", .intervalChanged(interval, at: time))
        case .looked(let time):
            return fields.named("registers_looked_at", .looked(at: fields.instant(.time, time)))
        case .stopped: return fields.named("registers_stopped", self)
        }
    }
}
