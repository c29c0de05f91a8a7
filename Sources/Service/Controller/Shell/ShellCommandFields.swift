public import Journal
public import Turnstile

// The names and fields of each machine's commands, and a sample of each. The names are published
// and never change.

extension OutputDrive.Command {
    static let forms: [OutputDrive.Command] = [
        .drive(false), .report(.unreadable), .note(.unreadable), .warn, .cut,
    ]

    func visit(_ fields: inout some FieldVisitor) -> OutputDrive.Command {
        switch self {
        case .drive(let level):
            fields.named("drive_output", .drive(fields.field(.isEnergised, level)))
        case .report(let failure):
            fields.named("report_output", .report(fields.field(.failure, failure)))
        case .note(let failure):
            fields.named("note_output", .note(fields.field(.failure, failure)))
        case .warn: fields.named("warn_of_output", self)
        case .cut: fields.named("cut_output", self)
        }
    }
}

extension LockDrive.Command {
    static let forms: [LockDrive.Command] = [.pull(false), .hold(false)]

    func visit(_ fields: inout some FieldVisitor) -> LockDrive.Command {
        switch self {
        case .pull(let level): fields.named("pull_lock", .pull(fields.field(.isEnergised, level)))
        case .hold(let level): fields.named("hold_lock", .hold(fields.field(.isEnergised, level)))
        }
    }
}

extension LineWatch.Command {
    static let forms: [LineWatch.Command] = [
        .report(.input(.fire), .unreadable), .reportRecovered(.input(.fire)),
        .reportLoss(InputLevels()), .giveUp, .assess(nil),
    ]

    func visit(_ fields: inout some FieldVisitor) -> LineWatch.Command {
        switch self {
        case .report(let line, let failure):
            let line = fields.field(.line, line)
            return fields.named("report_line", .report(line, fields.field(.failure, failure)))
        case .reportRecovered(let line):
            let line = fields.field(.line, line)
            return fields.named("report_line_recovered", .reportRecovered(line))
        case .reportLoss(let levels):
            return fields.named("report_edges_lost", .reportLoss(fields.inputs(.active, levels)))
        case .giveUp: return fields.named("give_up_lines", self)
        case .assess(let problem):
            return fields.named("assess_lines", .assess(fields.optional(.detail, problem)))
        }
    }
}

extension SignsOfLife.Command {
    static let forms: [SignsOfLife.Command] = [.feed, .remember, .note("")]

    func visit(_ fields: inout some FieldVisitor) -> SignsOfLife.Command {
        switch self {
        case .feed: fields.named("give_sign_of_life", self)
        case .remember: fields.named("remember_withheld", self)
        case .note(let problem):
            fields.named("note_withheld", .note(fields.field(.detail, problem)))
        }
    }
}

extension StoreWatch.Command {
    static let forms: [StoreWatch.Command] = [.reportDurable, .reportFailure, .note("")]

    func visit(_ fields: inout some FieldVisitor) -> StoreWatch.Command {
        switch self {
        case .reportDurable: fields.named("report_stored", self)
        case .reportFailure: fields.named("report_storage_failed", self)
        case .note(let reason):
            fields.named("note_store_failed", .note(fields.field(.detail, reason)))
        }
    }
}

extension RetentionWatch.Command {
    static let forms: [RetentionWatch.Command] = [.keep(RetainedState()), .note("")]

    func visit(_ fields: inout some FieldVisitor) -> RetentionWatch.Command {
        switch self {
        case .keep(let state): fields.named("keep_state", .keep(fields.field(.retained, state)))
        case .note(let problem):
            fields.named("note_state_not_kept", .note(fields.field(.detail, problem)))
        }
    }
}

extension Snapshots.Command {
    static let forms: [Snapshots.Command] = [.write(.interval), .count]

    func visit(_ fields: inout some FieldVisitor) -> Snapshots.Command {
        switch self {
        case .write(let occasion):
            fields.named("write_registers", .write(fields.field(.occasion, occasion)))
        case .count: fields.named("count_record", self)
        }
    }
}

extension SnapshotOccasion: Word {
    public static var list: String { "snapshot_occasion" }
}

extension ClockWatch.Command {
    static let forms: [ClockWatch.Command] = [
        .reportStep(by: .zero), .report(WeekTime(second: 0)),
    ]

    func visit(_ fields: inout some FieldVisitor) -> ClockWatch.Command {
        switch self {
        case .reportStep(let step):
            fields.named("report_clock_step", .reportStep(by: fields.exactDuration(.step, step)))
        case .report(let time): fields.named("report_clock", .report(fields.weekTime(time)))
        }
    }
}
