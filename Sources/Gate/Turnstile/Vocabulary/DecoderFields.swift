// The states of a turnstile's decoders.

import StateMachines

extension CoinDecoder.State: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "coin_line" }
    /// One of each name.
    public static let forms: [CoinDecoder.State] = [
        .idle, .pulse(since: .zero, .blank), .gap(until: .zero, .blank), .stuck,
    ]

    /// Since when, or until when, and the train.
    public func visit(_ fields: inout some FieldVisitor) -> CoinDecoder.State {
        switch self {
        case .idle: fields.named("idle", self)
        case .pulse(let since, let train):
            fields.named(
                "pulse", .pulse(since: fields.instant(.since, since), fields.inline(train)))
        case .gap(let until, let train):
            fields.named("gap", .gap(until: fields.instant(.until, until), fields.inline(train)))
        case .stuck: fields.named("stuck", self)
        }
    }
}

extension CoinDecoder.Train: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "train" }
    /// One of no pulses.
    public static let blank = CoinDecoder.Train(reception: .refused)

    /// The pulses that may be one coin's.
    public func visit(_ fields: inout some FieldVisitor) -> CoinDecoder.Train {
        let counted = fields.count(.pulses, counted, in: 0...Int64(Self.longest))
        let reception = fields.field(.reception, reception)
        let isProvisional = fields.field(.isProvisional, isProvisional)
        return CoinDecoder.Train(
            counted: counted, reception: reception, isProvisional: isProvisional,
            wasTold: fields.field(.wasTold, wasTold), isLost: fields.field(.isLost, isLost))
    }
}

extension CoinDecoder.Reception: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "reception" }

    /// The name: `unlocked`.
    public var name: String {
        switch self {
        case .refused: "refused"
        case .early: "early"
        case .locked: "locked"
        case .unlocked: "unlocked"
        }
    }
}

extension CoinDecoder.Noise: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "noise" }
    /// One of each name.
    public static let forms: [CoinDecoder.Noise] = [
        .none, .some(pulses: 1, until: .zero), .burst(pulses: 1, until: .zero),
    ]

    /// How many pulses, and until when.
    public func visit(_ fields: inout some FieldVisitor) -> CoinDecoder.Noise {
        switch self {
        case .none: return fields.named("none", self)
        case .some(let pulses, let until):
            let pulses = fields.tally(.pulses, pulses)
            return fields.named("some", .some(pulses: pulses, until: fields.instant(.until, until)))
        case .burst(let pulses, let until):
            let pulses = fields.tally(.pulses, pulses)
            return fields.named(
                "burst", .burst(pulses: pulses, until: fields.instant(.until, until)))
        }
    }
}

extension RotorDecoder.Sensors: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "sensors" }
    /// Neither is active.
    public static var blank: RotorDecoder.Sensors { .home }

    /// Which of them are active.
    public func visit(_ fields: inout some FieldVisitor) -> RotorDecoder.Sensors {
        let a = fields.field(.sensorA, a)
        return RotorDecoder.Sensors(a: a, b: fields.field(.sensorB, b))
    }
}

extension RotorDecoder.State: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "rotor_place" }
    /// One of each name.
    public static let forms: [RotorDecoder.State] = [
        .home, .turning(.entry, quarters: 1), .lost,
    ]

    /// Which way, and how far.
    public func visit(_ fields: inout some FieldVisitor) -> RotorDecoder.State {
        switch self {
        case .home: return fields.named("home", self)
        case .turning(let direction, let quarters):
            let direction = fields.direction(direction)
            let quarters = fields.count(.quarters, quarters, in: 1...3)
            return fields.named("turning", .turning(direction, quarters: quarters))
        case .lost: return fields.named("lost", self)
        }
    }
}

extension RotorFilter.State: Named {
    static var title: String { "rotor_change" }
    static let forms: [RotorFilter.State] = [
        .settled, .changing(.home, until: .zero), .doubtful(.home, since: .zero, until: .zero),
    ]

    func visit(_ fields: inout some FieldVisitor) -> RotorFilter.State {
        switch self {
        case .settled: return fields.named("settled", self)
        case .changing(let shown, let until):
            let shown = fields.field(.shown, shown)
            return fields.named("changing", .changing(shown, until: fields.instant(.until, until)))
        case .doubtful(let shown, let since, let until):
            let (shown, since) = (fields.field(.shown, shown), fields.instant(.since, since))
            return fields.named(
                "doubtful", .doubtful(shown, since: since, until: fields.instant(.until, until)))
        }
    }
}
