// What the regions of a gate are doing. Their states are named in Gate+States.swift.

import StateMachines

extension Lane.State: Named {
    /// What it is called.
    public static var title: String { "lane_phase" }
    /// One of each name.
    public static let forms: [Lane.State] = [
        .locked, .released(.blank, until: .zero), .released(.blank, until: nil),
        .suspended(.blank), .passing(.blank), .recovering(.blank),
    ]

    /// Who may pass, or does.
    public func visit(_ fields: inout some FieldVisitor) -> Lane.State {
        switch self {
        case .locked: self
        case .released(let grant, until: nil): .released(fields.inline(grant), until: nil)
        case .released(let grant, let until?):
            .released(fields.inline(grant), until: fields.instant(.until, until))
        case .suspended(let grant): .suspended(fields.inline(grant))
        case .passing(let passage): .passing(fields.inline(passage))
        case .recovering(let passage): .recovering(fields.inline(passage))
        }
    }
}

extension Lane.Grant: Composite {
    /// What they are called.
    public static var title: String { "grant" }
    /// Some grant.
    public static let blank = Lane.Grant(.entry, by: .free)

    /// Which way, and by what.
    public func visit(_ fields: inout some FieldVisitor) -> Lane.Grant {
        let direction = fields.direction(direction)
        let authorisation = fields.inline(authorisation, as: .authorisation)
        // What is given back was a price.
        if case .credit(let fare) = authorisation, !(0...Policy.highestPrice).contains(fare) {
            fields.reject(.value)
        }
        return Lane.Grant(direction, by: authorisation)
    }
}

extension Lane.Passage: Composite {
    /// What they are called.
    public static var title: String { "lane_passage" }
    /// Some passage.
    public static let blank = Lane.Passage(grant: .blank)

    /// What it was granted by, and how far it is.
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
    /// What the list is called.
    public static var list: String { "emergency_phase" }
}

extension CommitBarrier.State: Word {
    /// What the list is called.
    public static var list: String { "commit_phase" }
}

extension ServiceMode.State: Named {
    /// What it is called.
    public static var title: String { "service_phase" }
    /// One of each name.
    public static let forms: [ServiceMode.State] = [
        .off, .turned(until: .zero), .awaitingIdle, .testing(.lockEntry, until: .zero), .on,
        .leaving,
    ]

    /// What is tested, and until when.
    public func visit(_ fields: inout some FieldVisitor) -> ServiceMode.State {
        switch self {
        case .off, .awaitingIdle, .on, .leaving: self
        case .turned(let until): .turned(until: fields.instant(.until, until))
        case .testing(let output, let until):
            .testing(fields.field(.output, output), until: fields.instant(.until, until))
        }
    }
}

extension OnDelay.State: Named {
    /// What it is called.
    public static var title: String { "delay_phase" }
    /// One of each name.
    public static let forms: [OnDelay.State] = [.absent, .noticed(until: .zero), .reported]

    /// When it counts.
    public func visit(_ fields: inout some FieldVisitor) -> OnDelay.State {
        switch self {
        case .absent, .reported: self
        case .noticed(let until): .noticed(until: fields.instant(.until, until))
        }
    }
}

extension Pulser.State: Named {
    /// What it is called.
    public static var title: String { "pulser_phase" }
    /// One of each name.
    public static let forms: [Pulser.State] = [.idle, .pulse(until: .zero), .pause(until: .zero)]

    /// The name: `pause`.
    public var name: String {
        switch self {
        case .idle: "idle"
        case .pulse: "pulse"
        case .pause: "pause"
        }
    }

    /// When it is over.
    public func visit(_ fields: inout some FieldVisitor) -> Pulser.State {
        switch self {
        case .idle: self
        case .pulse(let until): .pulse(until: fields.instant(.until, until))
        case .pause(let until): .pause(until: fields.instant(.until, until))
        }
    }
}

extension AlarmPanel.Lasting: Named {
    /// What it is called.
    public static var title: String { "lasting" }
    /// One of each name.
    public static let forms: [AlarmPanel.Lasting] = [.until(.zero), .whileItLasts, .latched]

    /// The name: `latched`.
    public var name: String {
        switch self {
        case .until: "time"
        case .whileItLasts: "cause"
        case .latched: "key"
        }
    }

    /// When it ends.
    public func visit(_ fields: inout some FieldVisitor) -> AlarmPanel.Lasting {
        switch self {
        case .until(let end): .until(fields.instant(.until, end))
        case .whileItLasts, .latched: self
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
