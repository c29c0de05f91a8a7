import StateMachines

extension Event: Named {
    /// What events are called.
    public static var title: String { "event" }
    /// One of each name.
    public static let forms: [Event] = Kind.forms.map { Event($0, at: .zero) }
    /// The name of what happened, which never changes: `changed`.
    public var name: String { kind.name }

    /// The event's fields: when it happened, and those of its kind.
    public func visit(_ fields: inout some FieldVisitor) -> Event {
        let time = fields.instant(.time, time)
        return Event(fields.inline(kind), at: time)
    }
}

extension Event.Kind: Named {
    /// What the kinds are called.
    public static var title: String { "event_kind" }

    /// One of each name.
    public static let forms: [Event.Kind] = [
        .started(InputLevels()), .changed(.fire, isActive: false), .edgesLost(InputLevels()),
        .timePassed, .lineFailed(.input(.fire), .unreadable), .lineRecovered(.input(.fire)),
        .onTimeWarning(.lockEntry), .outputCut(.lockEntry), .clockRead(WeekTime(second: 0)),
        .clockStepped(by: .zero), .requested(.grant(.entry), by: .schedule), .stored,
        .storageFailed, .ledgerOpened(.blank), .stopped,
    ]

    /// The name, which never changes: `changed`.
    public var name: String {
        switch self {
        case .started: "started"
        case .changed: "changed"
        case .edgesLost: "edges_lost"
        case .timePassed: "time_passed"
        case .lineFailed: "line_failed"
        case .lineRecovered: "line_recovered"
        case .onTimeWarning: "on_time_warning"
        case .outputCut: "output_cut"
        case .clockRead: "clock_read"
        case .clockStepped: "clock_stepped"
        case .requested: "requested"
        case .stored: "stored"
        case .storageFailed: "storage_failed"
        case .ledgerOpened: "ledger_opened"
        case .stopped: "stopped"
        }
    }

    /// The fields of what happened.
    public func visit(_ fields: inout some FieldVisitor) -> Event.Kind {
        switch self {
        case .timePassed, .stored, .storageFailed, .stopped: self
        case .started(let levels): .started(fields.inputs(.active, levels))
        case .changed(let input, let isActive):
            .changed(fields.field(.line, input), isActive: fields.field(.isActive, isActive))
        case .edgesLost(let levels): .edgesLost(fields.inputs(.active, levels))
        case .lineFailed(let line, let failure):
            .lineFailed(fields.field(.line, line), fields.field(.failure, failure))
        case .lineRecovered(let line): .lineRecovered(fields.field(.line, line))
        case .onTimeWarning(let output): .onTimeWarning(fields.field(.line, output))
        case .outputCut(let output): .outputCut(fields.field(.line, output))
        case .clockRead(let time):
            .clockRead(
                WeekTime(
                    second: fields.count(
                        .weekSecond, time.second, in: 0...Int64(WeekTime.weekLength - 1))))
        case .clockStepped(let step): .clockStepped(by: fields.exactDuration(.step, step))
        case .requested(let request, let requester):
            .requested(
                fields.inline(request, as: .request),
                by: fields.inline(requester, as: .requester))
        case .ledgerOpened(let balances): .ledgerOpened(fields.field(.balances, balances))
        }
    }
}
