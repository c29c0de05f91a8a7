public import StateMachines

/// Says what the weekly schedule asks for, and what people asked to have in its place.
///
/// The clock on the wall is told now and then and monotonic time carries it on between: what is
/// kept is the instant at which the week began. Until the clock was read for the first time the
/// policy's own regime applies.
public struct Timetable: StateMachine, Hashable, Sendable {
    /// What may happen to a timetable.
    public enum Event: Hashable, Sendable {
        /// The clock on the wall shows this.
        case clockRead(WeekTime, at: Instant)
        /// Time passed.
        case timePassed(Instant)
    }

    /// What a timetable says.
    public enum Command: Hashable, Sendable {
        /// Something else is asked for from now on.
        case change(Regime)
        /// This one waited for this until its time was over.
        case reportOverdue(Request.Kind, by: Requester)
    }

    /// What is asked for now.
    public private(set) var regime: Regime
    /// When something else may be asked for next.
    public private(set) var deadline: Instant?
    /// What people asked for.
    public private(set) var terms = Terms()
    /// What the schedule asks for now.
    private var scheduled: Regime
    private var scheduleDeadline: Instant?
    private var base: Regime
    private var schedule: [ScheduleEntry]
    /// When the week began, by the clock on the wall, at the time it was last looked at.
    private var weekBegan: Instant?

    /// A timetable that has not seen the clock yet.
    public init(policy: Policy) {
        regime = policy.regime
        scheduled = policy.regime
        base = policy.regime
        schedule = policy.schedule
    }

    /// Takes the schedule of a new policy; ``regime`` is what it asks for now.
    mutating func adopt(_ policy: Policy, at time: Instant) {
        base = policy.regime
        schedule = policy.schedule
        lookUpSchedule(at: time)
        combine()
    }

    /// Follows the clock, from one change of the schedule to the next.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .clockRead(let weekTime, let time):
            let began = time - .seconds(weekTime.second)
            let skipped = weekBegan.map { WeekTime.difference(of: $0 - began) } ?? 0
            weekBegan = began
            followClock(skipped: skipped, at: time)
            return lookUp(at: time)
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            return lookUp(at: now)
        }
    }

    /// Has what ends by the clock on the wall end when that shows its time next, or now where the
    /// clock has skipped it: it was set, or put forward or back, by so many seconds.
    private mutating func followClock(skipped: Int, at now: Instant) {
        // Two readings differ by a second at most; no clock is put forward by less than minutes.
        guard abs(skipped) > 1 else { return }
        let isSkipped = Duration.seconds(skipped % 86_400)
        let read = self
        terms.followClock { clock, end in
            isSkipped > .zero && isSkipped >= end - now ? now : read.next(clock, after: now)
        }
    }

    /// When the clock on the wall shows this next; nil while nobody knows what it shows.
    func next(_ clock: TimeOfDay, after now: Instant) -> Instant? {
        guard let weekBegan else { return nil }
        let second = Int((now - weekBegan).components.seconds)
        let shown = second - second % 86_400 + clock.minute * 60
        return weekBegan + .seconds(shown > second ? shown : shown + 86_400)
    }

    mutating func shiftInstants(by duration: Duration) {
        weekBegan = weekBegan.map { $0 + duration }
        scheduleDeadline = scheduleDeadline.map { $0 + duration }
        deadline = deadline.map { $0 + duration }
        terms.shift(by: duration)
    }

    /// Looks up what is asked for now, and when that ends.
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

    /// Looks up what the schedule asks for now and when that ends.
    private mutating func lookUpSchedule(at now: Instant) {
        guard let began = weekBegan else {
            scheduled = base
            scheduleDeadline = nil
            return
        }
        let seconds = Int((now - began).components.seconds)
        let time = WeekTime(second: seconds)
        // Whole weeks are left out, so that all weeks are alike.
        let thisWeekBegan = began + .seconds(seconds - time.second)
        weekBegan = thisWeekBegan
        scheduled = schedule.regime(at: time, base: base)
        scheduleDeadline = schedule.secondsToNextChange(after: time).map {
            thisWeekBegan + .seconds(time.second + $0)
        }
    }
}

// What people ask for.
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
        let read = self
        self.terms.followClock { clock, end in
            end <= time ? end : read.next(clock, after: time) ?? end
        }
        return lookUp(at: time)
    }

    /// Takes `regime` for what is in force now, and hands over who waited for what is so. Who
    /// asked for the schedule's again has it.
    mutating func confirm(_ regime: Regime, notify: (Request.Kind, Requester) -> Void) {
        terms.confirm(regime, ordinary: scheduled, notify: notify)
    }

    /// What of the schedule is not in force, by the name of the request for it; nil for nothing.
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
    /// What it is called.
    public static var title: String { "timetable" }
    /// One that has not seen the clock.
    public static var blank: Timetable { Timetable(policy: .blank) }

    /// What is asked for, until when, and where in the week that is; the schedule is the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> Timetable {
        var timetable = self
        timetable.terms.entry = fields.optional(.modeEntry, terms.entry)
        timetable.terms.exit = fields.optional(.modeExit, terms.exit)
        timetable.terms.enforcement = fields.optional(.enforcementTerm, terms.enforcement)
        timetable.scheduled = fields.field(.scheduled, scheduled)
        timetable.scheduleDeadline = fields.optional(.scheduleDeadline, scheduleDeadline)
        timetable.weekBegan = fields.optional(.weekBegan, weekBegan)
        timetable.combine()
        // It may still be that of a term that is no longer needed.
        timetable.deadline = fields.optional(.until, deadline)
        return timetable
    }
}
