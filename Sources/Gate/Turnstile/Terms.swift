public import StateMachines

/// Requested modes and enforcement, in place of the schedule's and the settings'.
public struct Terms: PerDirection, Hashable, Sendable {
    /// On the way in.
    public var entry: Term<Mode>?
    /// On the way out.
    public var exit: Term<Mode>?
    /// How alarms about passages are raised.
    public var enforcement: Term<Enforcement>?

    /// Nothing.
    public init() {}
}

/// A requested mode or enforcement, and for how long.
public struct Term<Value: Hashable & Sendable>: Hashable, Sendable {
    /// What is to be in force; nil returns to schedule and settings, until that has happened.
    public var value: Value?
    /// Until when; nil until the next request.
    public var until: Instant?
    /// The wall-clock time of day that ends it, if one does.
    public var timeOfDay: TimeOfDay?
    /// Whether it waits until the gate is idle.
    public var isAwaited = false
    /// The requester.
    public var requester: Requester

    /// A term by this requester.
    public init(
        _ value: Value?, until: Instant? = nil, timeOfDay: TimeOfDay? = nil,
        isAwaited: Bool = false,
        by requester: Requester
    ) {
        self.value = value
        self.until = until
        self.timeOfDay = timeOfDay
        self.isAwaited = isAwaited
        self.requester = requester
    }

    /// The longest time that one may last but for good: ten years.
    static var longest: Duration { .seconds(10 * 366 * 86_400) }

    /// Whether it is over by then.
    func isOver(by time: Instant) -> Bool { until.map { $0 <= time } ?? false }

    /// Moves its end, saturating.
    mutating func shift(by duration: Duration) {
        guard let end = until?.nanoseconds else { return }
        let (least, most) = (Duration.nanoseconds(Int64.min), Duration.nanoseconds(Int64.max))
        let change = min(max(duration, least), most).wholeNanoseconds
        let (sum, isTooFar) = end.addingReportingOverflow(change)
        until = Instant(nanoseconds: isTooFar ? (change > 0 ? .max : .min) : sum)
    }
}

/// A value that a term may have.
protocol TermValue: Hashable, Sendable {
    /// The request for it, for a time or for good, and until a time of day.
    static var requests: (ordinary: Request.Kind, untilTime: Request.Kind) { get }
}

extension Mode: TermValue {
    static var requests: (ordinary: Request.Kind, untilTime: Request.Kind) {
        (.setMode, .setModeUntil)
    }
}

extension Enforcement: TermValue {
    static var requests: (ordinary: Request.Kind, untilTime: Request.Kind) {
        (.setEnforcement, .setEnforcementUntil)
    }
}

extension Term where Value: TermValue {
    /// The request that it was asked for by.
    var kind: Request.Kind { timeOfDay == nil ? Value.requests.ordinary : Value.requests.untilTime }
}

extension Terms {
    /// What is in force where schedule and settings say `ordinary`.
    func regime(_ ordinary: Regime) -> Regime {
        Regime(
            entry: entry?.value ?? ordinary.entry, exit: exit?.value ?? ordinary.exit,
            enforcement: enforcement?.value ?? ordinary.enforcement)
    }

    /// When the first of them is over.
    var deadline: Instant? {
        .earliest(.earliest(entry?.until, exit?.until), enforcement?.until)
    }

    /// Whether one of them waits until the gate is idle.
    var isAnyAwaited: Bool {
        entry?.isAwaited ?? false || exit?.isAwaited ?? false || enforcement?.isAwaited ?? false
    }

    /// Drops terms that are over by then, and hands over requesters that still waited for them.
    mutating func end(by time: Instant, notify: (Request.Kind, Requester) -> Void) {
        func end(_ term: inout Term<some TermValue>?) {
            guard let last = term, last.isOver(by: time) else { return }
            term = nil
            if last.isAwaited { notify(last.kind, last.requester) }
        }
        end(&entry)
        end(&exit)
        end(&enforcement)
    }

    /// Whether one of them ends by the clock on the wall.
    var followClock: Bool {
        entry?.timeOfDay != nil || exit?.timeOfDay != nil || enforcement?.timeOfDay != nil
    }

    /// Has each that ends by the clock on the wall end at another instant.
    mutating func moveClockEnds(_ end: (TimeOfDay, _ before: Instant) -> Instant) {
        func move(_ term: inout Term<some Hashable>?) {
            guard let time = term?.timeOfDay, let until = term?.until else { return }
            term?.until = end(time, until)
        }
        move(&entry)
        move(&exit)
        move(&enforcement)
    }

    /// The clock on the wall was set: what ends by it is so much closer, or over where the clock
    /// skipped its time. Whole days do not count, nor does a minute that is missing to one.
    mutating func setClock(by step: Duration) {
        let days = step.components.seconds / 86_400
        var change = step - .seconds(days * 86_400)
        if change > .seconds(86_340) { change -= .seconds(86_400) }
        moveClockEnds { $1 - change }
    }

    /// Confirms that `regime` is in force, and hands over the requesters who waited for it. A term
    /// that asked for the ordinary value is dropped.
    ///
    /// - Parameter ordinary: What schedule and settings say.
    mutating func confirm(
        _ regime: Regime, ordinary: Regime, notify: (Request.Kind, Requester) -> Void
    ) {
        let wanted = self.regime(ordinary)
        func confirm(
            _ term: inout Term<some TermValue>?, _ isInForce: Bool
        ) {
            guard isInForce, let last = term else { return }
            if last.isAwaited { notify(last.kind, last.requester) }
            term?.isAwaited = false
            if last.value == nil { term = nil }
        }
        confirm(&entry, wanted.entry == regime.entry)
        confirm(&exit, wanted.exit == regime.exit)
        confirm(&enforcement, wanted.enforcement == regime.enforcement)
    }

    /// Moves every end.
    mutating func shift(by duration: Duration) {
        entry?.shift(by: duration)
        exit?.shift(by: duration)
        enforcement?.shift(by: duration)
    }
}
