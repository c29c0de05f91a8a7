public import StateMachines

/// The regime by the weekly schedule, and by the requests that override it.
///
/// Between readings of the wall clock monotonic time carries it on: it keeps the instant at which
/// the week began. Until the first reading the policy's own regime applies.
public struct Timetable: TimedMachine, Hashable, Sendable {
    /// The events of a timetable.
    public enum Event: Hashable, Sendable {
        /// The wall clock was set; what it shows follows.
        case clockStepped(by: Duration)
        /// The wall clock shows this.
        case clockRead(WeekTime, at: Instant)
        case timePassed(Instant)
    }

    /// The commands of a timetable.
    public enum Command: Hashable, Sendable {
        /// The regime changes.
        case change(Regime)
        /// A pending term passed its end before it came into force.
        case reportOverdue(Request.Kind, by: Requester)
    }

    /// The regime wanted now.
    public private(set) var regime: Regime
    /// When the regime may change next.
    public private(set) var deadline: Instant?
    /// The terms by request, which override the schedule.
    public private(set) var terms = Terms()
    /// The regime by the schedule alone.
    private var scheduled: Regime
    private var scheduleDeadline: Instant?
    private var base: Regime
    private var schedule: [ScheduleEntry]
    /// When the week began, by the last reading of the wall clock.
    private var weekBegan: Instant?
    /// By how much the wall clock was set since; kept while a term ends by it.
    private var step: Duration?

    /// A timetable before the first reading of the clock.
    public init(policy: Policy) {
        regime = policy.regime
        scheduled = policy.regime
        base = policy.regime
        schedule = policy.schedule
    }

    /// Adopts the schedule of a new policy, and updates ``regime``.
    mutating func adopt(_ policy: Policy, at time: Instant) {
        base = policy.regime
        schedule = policy.schedule
        lookUpSchedule(at: time)
        combine()
    }

    /// Follows the clock, from one change of the schedule to the next.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .clockStepped(let step):
            if terms.followClock { self.step = (self.step ?? .zero) + step }
            return .handled
        case .clockRead(let weekTime, let time):
            let began = time - .seconds(weekTime.second)
            // The time of the week does not tell weeks apart, nor the step another offset from UTC.
            let told = step ?? .zero
            let rest = weekBegan.map { WeekTime.difference(of: $0 - began - told) } ?? 0
            terms.setClock(by: told + .seconds(rest))
            (weekBegan, step) = (began, nil)
            alignTerms(at: time)
            return lookUp(at: time)
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            return lookUp(at: now)
        }
    }

    /// A term with a time of day ends when the wall clock shows that next; now, where it has begun
    /// to show it before the end that was expected, since it is read in whole seconds.
    private mutating func alignTerms(at now: Instant) {
        let read = self
        terms.moveClockEnds { clock, end in
            guard end > now, let next = read.next(clock, after: now) else { return end }
            return next - end > .seconds(86_340) ? now : next
        }
    }

    /// When the wall clock next shows this time of day; nil before its first reading.
    func next(_ clock: TimeOfDay, after now: Instant) -> Instant? {
        guard let weekBegan else { return nil }
        let second = Int((now - weekBegan).components.seconds)
        let shown = second - second % 86_400 + clock.minute * 60
        return weekBegan + .seconds(shown > second ? shown : shown + 86_400)
    }

    /// Moves what is due by the wall clock to when `calendar` says that it is, for a report.
    mutating func follow(_ calendar: (Instant) -> Instant) {
        scheduleDeadline = scheduleDeadline.map { calendar($0) }
        terms.moveClockEnds { calendar($1) }
        combine()
    }

    mutating func shiftInstants(by duration: Duration) {
        weekBegan = weekBegan.map { $0 + duration }
        scheduleDeadline = scheduleDeadline.map { $0 + duration }
        deadline = deadline.map { $0 + duration }
        terms.shift(by: duration)
    }

    /// Updates ``regime`` and ``deadline``.
    private mutating func lookUp(at now: Instant) -> Outcome<Command> {
        let before = regime
        var commands: Commands<Command> = []
        lookUpSchedule(at: now)
        terms.end(by: now) { commands.append(.reportOverdue($0, by: $1)) }
        combine()
        if regime != before { commands.append(.change(regime)) }
        return .handled(commands)
    }

    private mutating func combine() {
        regime = terms.regime(scheduled)
        deadline = .earliest(scheduleDeadline, terms.deadline)
    }

    private mutating func lookUpSchedule(at now: Instant) {
        guard let began = weekBegan else {
            scheduled = base
            scheduleDeadline = nil
            return
        }
        let seconds = Int((now - began).components.seconds)
        let time = WeekTime(second: seconds)
        // Without whole weeks: the schedule repeats each week.
        let thisWeekBegan = began + .seconds(seconds - time.second)
        weekBegan = thisWeekBegan
        scheduled = schedule.regime(at: time, base: base)
        scheduleDeadline = schedule.secondsToNextChange(after: time).map {
            thisWeekBegan + .seconds(time.second + $0)
        }
    }
}

// Terms by request.
extension Timetable {
    mutating func set(_ mode: Term<Mode>, of direction: Direction) {
        terms[direction] = mode
        combine()
    }

    mutating func set(_ enforcement: Term<Enforcement>) {
        terms.enforcement = enforcement
        combine()
    }

    mutating func restore(_ terms: Terms, at time: Instant) -> Outcome<Command> {
        self.terms = terms
        alignTerms(at: time)
        return lookUp(at: time)
    }

    /// Notes that `regime` is in force, and notifies of the pending terms that it fulfils. A term
    /// that restores the schedule's value is dropped then.
    mutating func confirm(_ regime: Regime, notify: (Request.Kind, Requester) -> Void) {
        terms.confirm(regime, ordinary: scheduled, notify: notify)
    }

    /// The request that equals the schedule's pending change, while `regime` is in force; nil if no
    /// change is pending.
    func request(where regime: Regime) -> Request.Kind? {
        guard self.regime != regime else { return nil }
        let isMode = Direction.allCases.contains {
            self.regime[$0] != regime[$0] && terms[$0] == nil
        }
        if isMode { return .setMode }
        let isOther = self.regime.enforcement != regime.enforcement
        return isOther && terms.enforcement == nil ? .setEnforcement : nil
    }
}

extension Timetable: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "timetable" }
    /// One before the first reading of the clock.
    public static var blank: Timetable { Timetable(policy: .blank) }

    /// The terms, the deadline, the start of the week and what the clock was set by since; the
    /// schedule is the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> Timetable {
        var timetable = self
        timetable.terms.entry = fields.optional(.modeEntry, terms.entry)
        timetable.terms.exit = fields.optional(.modeExit, terms.exit)
        timetable.terms.enforcement = fields.optional(.enforcementTerm, terms.enforcement)
        timetable.scheduled = fields.field(.scheduled, scheduled)
        timetable.scheduleDeadline = fields.optional(.scheduleDeadline, scheduleDeadline)
        timetable.weekBegan = fields.optional(.weekBegan, weekBegan)
        timetable.step = fields.exactDuration(.step, step)
        timetable.combine()
        // It may still belong to a term that is no longer needed.
        timetable.deadline = fields.optional(.until, deadline)
        return timetable
    }
}
