// The states of a gate's regions.

import StateMachines

extension Lane.State: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "lane_phase" }
    /// One of each name.
    public static let forms: [Lane.State] = [
        .locked, .released(.blank, until: .zero), .released(.blank, until: nil),
        .suspended(.blank), .passing(.blank), .recovering(.blank),
    ]

    /// The lane's state, with its passenger.
    public func visit(_ fields: inout some FieldVisitor) -> Lane.State {
        switch self {
        case .locked: return fields.named("locked", self)
        // While a person comes the other way.
        case .released(let grant, until: nil):
            return fields.named("opposed", .released(fields.inline(grant), until: nil))
        case .released(let grant, let until?):
            let grant = fields.inline(grant)
            return fields.named("released", .released(grant, until: fields.instant(.until, until)))
        case .suspended(let grant):
            return fields.named("suspended", .suspended(fields.inline(grant)))
        case .passing(let passage): return fields.named("passing", .passing(fields.inline(passage)))
        case .recovering(let passage):
            return fields.named("recovering", .recovering(fields.inline(passage)))
        }
    }
}

extension Lane.Grant: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "grant" }
    /// Some grant.
    public static let blank = Lane.Grant(.entry, by: .free)

    /// The direction and the source.
    public func visit(_ fields: inout some FieldVisitor) -> Lane.Grant {
        let direction = fields.direction(direction)
        let authorisation = fields.inline(authorisation, as: .authorisation)
        // A refund was a price.
        if case .credit(let fare) = authorisation, !(0...Policy.highestPrice).contains(fare) {
            fields.reject(.value)
        }
        return Lane.Grant(direction, by: authorisation)
    }
}

extension Lane.Passage: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "lane_passage" }
    /// Some passage.
    public static let blank = Lane.Passage(grant: .blank)

    /// The source of its authorisation, and its progress.
    public func visit(_ fields: inout some FieldVisitor) -> Lane.Passage {
        var passage = Lane.Passage(grant: fields.inline(grant))
        passage.isLost = fields.field(.isLost, isLost)
        passage.isPastMiddle = fields.field(.isPastMiddle, isPastMiddle)
        passage.isRelocked = fields.field(.isRelocked, isRelocked)
        return passage
    }
}

extension Lane.TailgatingWindow: Composite {
    static var title: String { "tailgating_window" }
    static let blank = Lane.TailgatingWindow(direction: .entry, until: .zero)

    func visit(_ fields: inout some FieldVisitor) -> Lane.TailgatingWindow {
        let direction = fields.direction(direction)
        return .init(direction: direction, until: fields.instant(.until, until))
    }
}

extension Emergency.State: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "emergency_phase" }
}

extension CommitBarrier.State: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "commit_phase" }
}

extension ServiceMode.State: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "service_phase" }
    /// One of each name.
    public static let forms: [ServiceMode.State] = [
        .off, .turned(until: .zero), .awaitingIdle, .testing(.lockEntry, until: .zero), .on,
        .leaving,
    ]

    /// The tested output, and until when.
    public func visit(_ fields: inout some FieldVisitor) -> ServiceMode.State {
        switch self {
        case .off: return fields.named("off", self)
        case .turned(let until):
            return fields.named("key_turned", .turned(until: fields.instant(.until, until)))
        case .awaitingIdle: return fields.named("awaiting_idle", self)
        case .testing(let output, let until):
            let output = fields.field(.output, output)
            return fields.named("testing", .testing(output, until: fields.instant(.until, until)))
        case .on: return fields.named("on", self)
        case .leaving: return fields.named("leaving", self)
        }
    }
}

extension OnDelay.State: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "delay_phase" }
    /// One of each name.
    public static let forms: [OnDelay.State] = [.absent, .noticed(until: .zero), .reported]

    /// When it counts.
    public func visit(_ fields: inout some FieldVisitor) -> OnDelay.State {
        switch self {
        case .absent: fields.named("in_order", self)
        case .noticed(let until):
            fields.named("noticed", .noticed(until: fields.instant(.until, until)))
        case .reported: fields.named("reported", self)
        }
    }
}

extension Pulser.State: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "pulser_phase" }
    /// One of each name.
    public static let forms: [Pulser.State] = [.idle, .pulse(until: .zero), .pause(until: .zero)]

    /// When it is over.
    public func visit(_ fields: inout some FieldVisitor) -> Pulser.State {
        switch self {
        case .idle: fields.named("idle", self)
        case .pulse(let until): fields.named("pulse", .pulse(until: fields.instant(.until, until)))
        case .pause(let until): fields.named("pause", .pause(until: fields.instant(.until, until)))
        }
    }
}

extension AlarmPanel.Lasting: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "lasting" }
    /// One of each name.
    public static let forms: [AlarmPanel.Lasting] = [.until(.zero), .whileItLasts, .latched]

    /// When it ends.
    public func visit(_ fields: inout some FieldVisitor) -> AlarmPanel.Lasting {
        switch self {
        case .until(let end): fields.named("time", .until(fields.instant(.until, end)))
        case .whileItLasts: fields.named("cause", self)
        case .latched: fields.named("key", self)
        }
    }
}

/// A fault by its ``Fault/identifier``.
struct FaultIdentifier: Word {
    var fault: Fault

    static var list: String { "fault_identifier" }
    static let words = Fault.all.map { FaultIdentifier(fault: $0) }
    var name: String { fault.identifier }
}

extension FieldVisitor {
    /// Some faults, by their identifiers.
    mutating func faults(_ name: FieldName, _ faults: FaultSet) -> FaultSet {
        let named = field(name, faults.all.map { FaultIdentifier(fault: $0) })
        return named.reduce(into: []) { $0[$1.fault] = true }
    }
}
