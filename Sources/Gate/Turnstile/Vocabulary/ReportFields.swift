// The report of a gate.

import StateMachines

extension StatusReport: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "status_report" }
    /// The report of a gate that has not started.
    public static let blank: StatusReport = {
        var report = Turnstile(policy: .blank).report()
        report.outputs = []
        return report
    }()

    /// All that the gate is doing, and why.
    public func visit(_ fields: inout some FieldVisitor) -> StatusReport {
        var report = self
        report.status = fields.field(.status, status)
        report.standing = fields.field(.standing, standing)
        report.entry = fields.field(.entry, entry)
        report.exit = fields.field(.exit, exit)
        report.enforcement = fields.field(.enforcement, enforcement)
        report.credit = fields.amount(.credit, credit)
        report.price = fields.amount(.price, price)
        report.held = fields.count(.held, held)
        report.mostHeld = fields.count(.maxStored, mostHeld)
        report.coinRefusal = fields.optional(.refusal, coinRefusal)
        report.serviceRequester = fields.optional(.serviceRequester, serviceRequester)
        report.policyRequester = fields.optional(.policyRequester, policyRequester)
        report.faults = fields.field(.faults, faults)
        report.alarms = fields.field(.alarms, alarms)
        report.equipment = fields.field(.equipment, equipment)
        report.inputs = InputLevels(
            fields.field(.active, Input.ordered.filter { inputs[$0] }))
        report.outputs = fields.field(.outputs, outputs)
        report.due = fields.field(.due, due)
        report.isCountAwaited = fields.field(.countAwaited, isCountAwaited, before: false)
        return report
    }
}

extension Gate.Standing: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "standing" }
    /// One of each name.
    public static let forms: [Gate.Standing] = [
        .emergency, .stopped, .service, .outOfService(.external), .inService,
    ]

    /// The fault for which it is out of service.
    public func visit(_ fields: inout some FieldVisitor) -> Gate.Standing {
        switch self {
        case .emergency: fields.named("emergency", self)
        case .stopped: fields.named("stopped", self)
        case .service: fields.named("service", self)
        case .outOfService(let fault):
            fields.named("out_of_service", .outOfService(fields.inline(fault)))
        case .inService: fields.named("in_service", self)
        }
    }
}

extension StatusReport.Way: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "way" }
    /// A way without a passenger.
    public static let blank = StatusReport.blank.entry

    /// The mode, the passenger, and the queue.
    public func visit(_ fields: inout some FieldVisitor) -> StatusReport.Way {
        var way = self
        way.mode = fields.field(.mode, mode)
        way.isReleased = fields.field(.isReleased, isReleased)
        way.grant = fields.optional(.authorisation, grant)
        way.isPassing = fields.field(.isPassing, isPassing)
        way.waitingByContact = fields.count(.waitingByContact, waitingByContact)
        way.waitingByPerson = fields.count(.waitingByPerson, waitingByPerson)
        return way
    }
}

extension StatusReport.InForce: FieldConvertible, Composite where Value: Word {
    /// The name of the type in the vocabulary: `mode_in_force`.
    public static var title: String { "\(Value.list)_in_force" }
    /// The first of the list.
    public static var blank: StatusReport.InForce<Value> {
        StatusReport.InForce(value: Value.words[0], term: nil, next: nil)
    }

    /// The value in force, the request, and the next value.
    public func visit(_ fields: inout some FieldVisitor) -> StatusReport.InForce<Value> {
        let value = fields.field(.value, value)
        let term = fields.optional(.term, term)
        return .init(value: value, term: term, next: fields.optional(.next, next))
    }
}

extension StatusReport.Raised: FieldConvertible, Composite where Value: Raisable {
    /// The name of the type in the vocabulary: `raised_fault`.
    public static var title: String { "raised_\(Value.title)" }
    /// Some of them.
    public static var blank: StatusReport.Raised<Value> {
        StatusReport.Raised(value: Value.some, since: nil, end: .cause)
    }

    /// The fault or alarm, its beginning, and what ends it.
    public func visit(_ fields: inout some FieldVisitor) -> StatusReport.Raised<Value> {
        let value = value.visit(raised: &fields)
        let since = fields.optional(.since, since)
        return .init(value: value, since: since, end: fields.inline(end, as: .end))
    }
}

/// A fault or an alarm.
public protocol Raisable: Hashable, Sendable {
    /// The name of the type in the vocabulary.
    static var title: String { get }
    /// One of them.
    static var some: Self { get }
    /// Its fields.
    func visit(raised fields: inout some FieldVisitor) -> Self
}

extension Fault: Raisable {
    /// Some fault.
    public static var some: Fault { .external }
    /// Its fields.
    public func visit(raised fields: inout some FieldVisitor) -> Fault { fields.inline(self) }
}

extension Alarm: Raisable {
    /// The name of the type in the vocabulary.
    public static var title: String { "alarm" }
    /// Some alarm.
    public static var some: Alarm { .forcedPassage }
    /// Its fields.
    public func visit(raised fields: inout some FieldVisitor) -> Alarm { fields.alarm(self) }
}

extension StatusReport.End: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "end" }
    /// One of each name.
    public static let forms: [StatusReport.End] = [.cause, .causeThenKey, .key, .at(.zero)]

    /// When it ends.
    public func visit(_ fields: inout some FieldVisitor) -> StatusReport.End {
        switch self {
        case .cause: fields.named("cause", self)
        case .causeThenKey: fields.named("cause_then_key", self)
        case .key: fields.named("key", self)
        case .at(let time): fields.named("time", .at(fields.instant(.until, time)))
        }
    }
}

extension Equipment: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "equipment" }
    /// Nothing.
    public static let blank = Equipment(inputs: InputLevels(), outputs: OutputSet())

    /// The wired lines.
    public func visit(_ fields: inout some FieldVisitor) -> Equipment {
        let wired = fields.field(.inputs, Input.ordered.filter { inputs[$0] })
        let driven = fields.field(.outputs, Output.ordered.filter { outputs[$0] })
        return Equipment(inputs: wired, outputs: driven)
    }
}

extension StatusReport.OutputReport: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "output_report" }
    /// Some output.
    public static let blank = StatusReport.OutputReport(
        output: .lockEntry, isOn: false, fault: nil)

    /// The output's level, and its meaning.
    public func visit(_ fields: inout some FieldVisitor) -> StatusReport.OutputReport {
        var report = StatusReport.OutputReport(
            output: fields.field(.output, output), isOn: fields.field(.isOn, isOn))
        report.fault = fields.optional(.fault, fault)
        report.isEnergised = fields.optional(.isEnergised, isEnergised)
        let told = fields.optional(.isReleased, report.isReleased)
        if let told, told != report.isReleased { fields.reject(.isReleased) }
        return report
    }
}

extension StatusReport.Due: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "due" }
    /// Something.
    public static let blank = StatusReport.Due(time: .zero, reason: .service)

    /// When, and why.
    public func visit(_ fields: inout some FieldVisitor) -> StatusReport.Due {
        let time = fields.instant(.time, time)
        return .init(time: time, reason: fields.field(.reason, reason))
    }
}

extension StatusReport.Reason: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "due_reason" }
}
