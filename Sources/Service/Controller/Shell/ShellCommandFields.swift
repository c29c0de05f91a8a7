public import Journal
public import Turnstile

// The names and fields of what each machine wants done. The names are published and never change.

extension OutputDrive.Command {
    /// One of each name.
    static let forms: [OutputDrive.Command] = [
        .drive(false), .report(.unreadable), .note(.unreadable), .warn, .cut,
    ]

    /// The name: `drive_output`.
    var name: String {
        switch self {
        case .drive: "drive_output"
        case .report: "report_output"
        case .note: "note_output"
        case .warn: "warn_of_output"
        case .cut: "cut_output"
        }
    }

    /// The fields of what is to be done about an output.
    func visit(_ fields: inout some FieldVisitor) -> OutputDrive.Command {
        switch self {
        case .warn, .cut: self
        case .drive(let level): .drive(fields.field(.isEnergised, level))
        case .report(let failure): .report(fields.field(.failure, failure))
        case .note(let failure): .note(fields.field(.failure, failure))
        }
    }
}

extension LockDrive.Command {
    /// One of each name.
    static let forms: [LockDrive.Command] = [.pull(false), .hold(false)]

    /// The name: `pull_lock`.
    var name: String {
        switch self {
        case .pull: "pull_lock"
        case .hold: "hold_lock"
        }
    }

    /// The fields of what a coil is to carry.
    func visit(_ fields: inout some FieldVisitor) -> LockDrive.Command {
        switch self {
        case .pull(let level): .pull(fields.field(.isEnergised, level))
        case .hold(let level): .hold(fields.field(.isEnergised, level))
        }
    }
}

extension LineWatch.Command {
    /// One of each name.
    static let forms: [LineWatch.Command] = [
        .report(.input(.fire), .unreadable), .reportRecovered(.input(.fire)),
        .reportLoss(InputLevels()), .giveUp, .assess(nil),
    ]

    /// The name: `report_line`.
    var name: String {
        switch self {
        case .report: "report_line"
        case .reportRecovered: "report_line_recovered"
        case .reportLoss: "report_edges_lost"
        case .giveUp: "give_up_lines"
        case .assess: "assess_lines"
        }
    }

    /// The fields of what is to be done about the lines.
    func visit(_ fields: inout some FieldVisitor) -> LineWatch.Command {
        switch self {
        case .giveUp: self
        case .report(let line, let failure):
            .report(fields.field(.line, line), fields.field(.failure, failure))
        case .reportRecovered(let line): .reportRecovered(fields.field(.line, line))
        case .reportLoss(let levels): .reportLoss(fields.inputs(.active, levels))
        case .assess(let problem): .assess(fields.optional(.detail, problem))
        }
    }
}

extension SignsOfLife.Command {
    /// One of each name.
    static let forms: [SignsOfLife.Command] = [.feed, .remember, .note("")]

    /// The name: `give_sign_of_life`.
    var name: String {
        switch self {
        case .feed: "give_sign_of_life"
        case .remember: "remember_withheld"
        case .note: "note_withheld"
        }
    }

    /// The fields of what the service manager is to hear.
    func visit(_ fields: inout some FieldVisitor) -> SignsOfLife.Command {
        switch self {
        case .feed, .remember: self
        case .note(let problem): .note(fields.field(.detail, problem))
        }
    }
}

extension StoreWatch.Command {
    /// One of each name.
    static let forms: [StoreWatch.Command] = [.reportStored, .reportFailure, .note("")]

    /// The name: `report_stored`.
    var name: String {
        switch self {
        case .reportStored: "report_stored"
        case .reportFailure: "report_storage_failed"
        case .note: "note_store_failed"
        }
    }

    /// The fields of what is to be done about the store.
    func visit(_ fields: inout some FieldVisitor) -> StoreWatch.Command {
        switch self {
        case .reportStored, .reportFailure: self
        case .note(let reason): .note(fields.field(.detail, reason))
        }
    }
}

extension RetentionWatch.Command {
    /// One of each name.
    static let forms: [RetentionWatch.Command] = [.keep(RetainedState()), .note("")]

    /// The name: `keep_state`.
    var name: String {
        switch self {
        case .keep: "keep_state"
        case .note: "note_state_not_kept"
        }
    }

    /// The fields of what is to be done about what is retained.
    func visit(_ fields: inout some FieldVisitor) -> RetentionWatch.Command {
        switch self {
        case .keep(let state): .keep(fields.field(.retained, state))
        case .note(let problem): .note(fields.field(.detail, problem))
        }
    }
}

extension Snapshots.Command {
    /// One of each name.
    static let forms: [Snapshots.Command] = [.write(.interval), .count]

    /// The name: `write_registers`.
    var name: String {
        switch self {
        case .write: "write_registers"
        case .count: "count_record"
        }
    }

    /// The fields of what is to be done about the registers.
    func visit(_ fields: inout some FieldVisitor) -> Snapshots.Command {
        switch self {
        case .count: self
        case .write(let occasion): .write(fields.field(.occasion, occasion))
        }
    }
}

extension SnapshotOccasion: Word {
    /// What the list is called.
    public static var list: String { "snapshot_occasion" }
}

extension ClockWatch.Command {
    /// One of each name.
    static let forms: [ClockWatch.Command] = [
        .reportStep(by: .zero), .report(WeekTime(second: 0)),
    ]

    /// The name: `report_clock_step`.
    var name: String {
        switch self {
        case .reportStep: "report_clock_step"
        case .report: "report_clock"
        }
    }

    /// The fields of what is to be told of the clock.
    func visit(_ fields: inout some FieldVisitor) -> ClockWatch.Command {
        switch self {
        case .reportStep(let step): .reportStep(by: fields.exactDuration(.step, step))
        case .report(let time):
            .report(
                WeekTime(
                    second: fields.count(
                        .weekSecond, time.second, in: 0...Int64(WeekTime.weekLength - 1))))
        }
    }
}
