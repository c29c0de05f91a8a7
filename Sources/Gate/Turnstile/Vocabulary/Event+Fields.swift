import StateMachines

extension Event: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "event" }
    /// One of each name.
    public static let forms: [Event] = Kind.forms.map { Event($0, at: .zero) }
    /// The event's name, which never changes: `changed`.
    public var name: String { kind.name }

    /// The event's fields: its time, and those of its kind.
    public func visit(_ fields: inout some FieldVisitor) -> Event {
        let time = fields.instant(.time, time)
        return Event(fields.inline(kind), at: time)
    }
}

extension Event.Kind: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "event_kind" }

    /// One of each name.
    public static let forms: [Event.Kind] = [
        .started(InputLevels()), .changed(.fire, isActive: false), .edgesLost(InputLevels()),
        .timePassed, .lineFailed(.input(.fire), .unreadable), .lineRecovered(.input(.fire)),
        .onTimeWarning(.lockEntry), .outputCut(.lockEntry), .clockRead(WeekTime(second: 0)),
        .clockStepped(by: .zero), .requested(.grant(.entry), by: .schedule), .durable,
        .storageFailed, .ledgerOpened(.blank), .stopped,
    ]

    /// The fields of the kind.
    public func visit(_ fields: inout some FieldVisitor) -> Event.Kind {
        switch self {
        case .started(let levels):
            return fields.named("started", .started(fields.inputs(.active, levels)))
        case .changed(let input, let isActive):
            let input = fields.field(.line, input)
            let isActive = fields.field(.isActive, isActive)
            return fields.named("changed", .changed(input, isActive: isActive))
        case .edgesLost(let levels):
            return fields.named("edges_lost", .edgesLost(fields.inputs(.active, levels)))
        case .timePassed: return fields.named("time_passed", self)
        case .lineFailed(let line, let failure):
            let line = fields.field(.line, line)
            return fields.named("line_failed", .lineFailed(line, fields.field(.failure, failure)))
        case .lineRecovered(let line):
            return fields.named("line_recovered", .lineRecovered(fields.field(.line, line)))
        case .onTimeWarning(let output):
            return fields.named("on_time_warning", .onTimeWarning(fields.field(.line, output)))
        case .outputCut(let output):
            return fields.named("output_cut", .outputCut(fields.field(.line, output)))
        case .clockRead(let time):
            return fields.named("clock_read", .clockRead(fields.weekTime(time)))
        case .clockStepped(let step):
            let step = fields.exactDuration(.step, step)
            return fields.named("clock_stepped", .clockStepped(by: step))
        case .requested(let request, let requester):
            let request = fields.inline(request, as: .request)
            let requester = fields.inline(requester, as: .requester)
            return fields.named("requested", .requested(request, by: requester))
        case .durable: return fields.named("stored", self)
        case .storageFailed: return fields.named("storage_failed", self)
        case .ledgerOpened(let balances):
            return fields.named("ledger_opened", .ledgerOpened(fields.field(.balances, balances)))
        case .stopped: return fields.named("stopped", self)
        }
    }
}
