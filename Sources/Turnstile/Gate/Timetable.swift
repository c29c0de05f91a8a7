public import StateMachines

/// Says what the weekly schedule asks for.
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
        /// The schedule asks for something else from now on.
        case change(Regime)
    }

    /// What the schedule asks for now.
    public private(set) var regime: Regime
    /// When it may next ask for something else.
    public private(set) var deadline: Instant?
    private var base: Regime
    private var schedule: [ScheduleEntry]
    /// When the week began, by the clock on the wall, at the time it was last looked at.
    private var weekBegan: Instant?

    /// A timetable that has not seen the clock yet.
    public init(policy: Policy) {
        regime = policy.regime
        base = policy.regime
        schedule = policy.schedule
    }

    /// Takes the schedule of a new policy; ``regime`` is what it asks for now.
    mutating func adopt(_ policy: Policy, at time: Instant) {
        base = policy.regime
        schedule = policy.schedule
        look(at: time)
    }

    /// Follows the clock, from one change of the schedule to the next.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        let before = regime
        switch event {
        case .clockRead(let weekTime, let time):
            weekBegan = time - .seconds(weekTime.second)
            look(at: time)
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            look(at: now)
        }
        return regime == before ? .handled : .handled(.change(regime))
    }

    /// Moves every instant that the state holds.
    mutating func shiftInstants(by duration: Duration) {
        weekBegan = weekBegan.map { $0 + duration }
        deadline = deadline.map { $0 + duration }
    }

    /// Looks up what the schedule asks for now and when that ends.
    private mutating func look(at now: Instant) {
        guard let began = weekBegan else {
            regime = base
            deadline = nil
            return
        }
        let seconds = Int((now - began).components.seconds)
        let time = WeekTime(second: seconds)
        // Whole weeks are left out, so that all weeks are alike.
        let thisWeekBegan = began + .seconds(seconds - time.second)
        weekBegan = thisWeekBegan
        regime = schedule.regime(at: time, base: base)
        deadline = schedule.secondsToNextChange(after: time).map {
            thisWeekBegan + .seconds(time.second + $0)
        }
    }
}
