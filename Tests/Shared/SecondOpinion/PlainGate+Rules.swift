import StateMachines
import Turnstile

// The policy and the schedule, which change while nobody is served.
extension PlainGate {
    private static let day = 24 * 60 * 60
    private static let week = 7 * day

    /// The clock is read before anything is driven: the first rules are no change.
    mutating func begin(_ time: WeekTime, _ now: Instant) {
        readClock(time, now)
        regime = wanted
    }

    mutating func readClock(_ time: WeekTime, _ now: Instant) {
        var jump = clockSetBy
        if let clock {
            // What nobody told of is a change of the zone, and the nearest that it can be.
            let exact = Duration.seconds(time.second - clock.shows) - (now - clock.at) - jump
            var rest = Int(exact.components.seconds) % Self.week
            if rest > Self.week / 2 { rest -= Self.week }
            if rest < -Self.week / 2 { rest += Self.week }
            jump += .seconds(rest)
        }
        clock = (time.second, now)
        clockSetBy = .zero
        jumpRules(by: jump, now)
        endRules(now)
        planSchedule()
    }

    /// The clock is set, by so much; what it shows is read next.
    mutating func setClock(by step: Duration) {
        let times = modes.values.map(\.timeOfDay) + [enforcement?.timeOfDay]
        if times.contains(where: { $0 != nil }) { clockSetBy += step }
    }

    /// The clock shows another time from now on: what ends at one that it left out is over. That it
    /// shows another day is nothing to that.
    private mutating func jumpRules(by jump: Duration, _ now: Instant) {
        let day = Duration.seconds(Self.day)
        let days = Int(jump.components.seconds) / Self.day
        var left = jump - day * days
        if left + .seconds(60) > day { left -= day }
        changeEnds { until, _ in until - left }
        lookAtClock(now)
    }

    /// What ends by the clock ends when that shows its time next, or has begun to show it a little
    /// before it was expected to.
    mutating func lookAtClock(_ now: Instant) {
        let gate = self
        changeEnds { until, time in
            guard until > now, let next = gate.nextTime(time, now) else { return until }
            let isShown = next - until + .seconds(60) > .seconds(Self.day)
            return isShown ? now : next
        }
    }

    private mutating func changeEnds(_ end: (Instant, TimeOfDay) -> Instant) {
        for way in Direction.allCases {
            guard let until = modes[way]?.until, let time = modes[way]?.timeOfDay else { continue }
            modes[way]?.until = end(until, time)
        }
        guard let until = enforcement?.until, let time = enforcement?.timeOfDay else { return }
        enforcement?.until = end(until, time)
    }

    /// When the clock shows this next; nil while nobody has read it.
    func nextTime(_ time: TimeOfDay, _ now: Instant) -> Instant? {
        guard let clock else { return nil }
        let ago = Int((now - clock.at).wholeNanoseconds / 1_000_000_000)
        let wait = (time.minute * 60 - (clock.shows + ago) % Self.day + Self.day - 1) % Self.day + 1
        return clock.at + .seconds(ago + wait)
    }

    /// The schedule says something else from now on.
    mutating func passTimeOfSchedule(_ now: Instant) {
        guard let old = clock else { return }
        let passed = Int((now - old.at).wholeNanoseconds / 1_000_000_000)
        clock = ((old.shows + passed) % Self.week, old.at + .seconds(passed))
        planSchedule()
    }

    private mutating func planSchedule() {
        guard let clock else { return }
        var next: Int?
        for entry in policy.schedule {
            for (start, end) in Self.spans(entry) {
                for moment in [start, end] {
                    let distance = (moment - clock.shows + 2 * Self.week - 1) % Self.week + 1
                    next = min(next ?? distance, distance)
                }
            }
        }
        scheduleChangesAt = next.map { clock.at + .seconds($0) }
    }

    /// When an entry begins and ends, in seconds of the week; an end may be in the next one.
    private static func spans(_ entry: ScheduleEntry) -> [(start: Int, end: Int)] {
        Weekday.allCases.filter { entry.days.contains($0) }.map { weekday in
            let midnight = weekday.rawValue * day
            let end = midnight + entry.to * 60
            let start = midnight + entry.from * 60
            return (start, end > start ? end : end + day)
        }
    }

    /// Who may pass now, by policy and schedule.
    var wanted: Regime {
        var wanted = scheduled
        if let mode = modes[.entry]?.value { wanted.entry = mode }
        if let mode = modes[.exit]?.value { wanted.exit = mode }
        if let value = enforcement?.value { wanted.enforcement = value }
        return wanted
    }

    var scheduled: Regime {
        guard let clock else { return policy.regime }
        var regime = policy.regime
        for entry in policy.schedule {
            let applies = Self.spans(entry).contains { start, end in
                start <= clock.shows && clock.shows < end
                    || start <= clock.shows + Self.week && clock.shows + Self.week < end
            }
            guard applies else { continue }
            if let mode = entry.entry { regime.entry = mode }
            if let mode = entry.exit { regime.exit = mode }
            if let enforcement = entry.enforcement { regime.enforcement = enforcement }
        }
        return regime
    }

    mutating func changeRules(_ now: Instant) {
        var asker = Requester.schedule
        if let policy = newPolicy, isIdle {
            newPolicy = nil
            asker = newPolicyRequester
            let isOther = self.policy.contactStuckAfter != policy.contactStuckAfter
            self.policy = policy
            if isOther { countHeldAnew(now) }
            records.append(.policyChanged(by: newPolicyRequester))
            policySource = newPolicyRequester.person == nil ? nil : newPolicyRequester
            bringClockUp(to: now)
            planSchedule()
        }
        let wanted = wanted
        let asksForMode = Direction.allCases.contains {
            modes[$0] == nil && regime[$0] != wanted[$0]
        }
        let asksForOther = enforcement == nil && regime.enforcement != wanted.enforcement
        let asks = asksForMode || asksForOther
        if asks, !isScheduleDeferred {
            give(asksForMode ? .setMode : .setEnforcement, .schedule, isIdle ? .done : .deferred)
        }
        isScheduleDeferred = asks && !isIdle
        for (request, requester) in serve() { records.append(.done(request, by: requester)) }
        if isIdle, wanted != regime { changeRegime(asker) }
        let terms = [modes[.entry]?.isAwaited, modes[.exit]?.isAwaited, enforcement?.isAwaited]
        wantsChange =
            newPolicy != nil || isScheduleDeferred || self.wanted != regime || terms.contains(true)
    }

    /// What is wanted is in force; `asker` wanted what nobody asked for by name.
    mutating func changeRegime(_ asker: Requester) {
        let wanted = wanted
        for way in Direction.allCases where regime[way] != wanted[way] {
            let requester = modes[way]?.requester ?? asker
            records.append(.modeChanged(way, wanted[way], by: requester))
        }
        if regime.enforcement != wanted.enforcement {
            let requester = enforcement?.requester ?? asker
            records.append(.enforcementChanged(wanted.enforcement, by: requester))
        }
        regime = wanted
        _ = serve()
        dropIdle()
    }

    /// Nobody waits for these ways any longer.
    mutating func dropQueued(_ ways: [Direction] = Direction.allCases) {
        let contacts = ways.reduce(0) { $0 + (stored[$1] ?? 0) }
        if contacts > 0 { records.append(.storedDropped(contacts)) }
        for way in ways { stored[way] = 0 }
        if ways.contains(.entry) { (freshFares, payerBefore) = (0, nil) }
        while let number = people.first(where: { ways.contains($0.direction) })?.number {
            let before = people.count
            people.removeAll { $0.number == number && ways.contains($0.direction) }
            records.append(.storedDropped(before - people.count, grantedBy: number))
        }
    }

    /// Nobody waits to pass a way that nobody need wait for, or that nobody may pass.
    mutating func dropIdle() {
        dropQueued(Direction.allCases.filter { regime[$0] != .controlled })
    }

    /// What the clock shows now: whole seconds, and since when.
    private mutating func bringClockUp(to now: Instant) {
        guard let old = clock else { return }
        let seconds = Int((now - old.at).wholeNanoseconds / 1_000_000_000)
        clock = ((old.shows + seconds) % Self.week, old.at + .seconds(seconds))
    }
}
