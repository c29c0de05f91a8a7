import StateMachines

/// The duty cycle of a lock that cannot be held open, in an emergency.
public struct EmergencyDuty: Hashable, Sendable {
    /// The on-time, limited by the lock's longest; nil for the longest.
    public var on: Duration?
    /// The off-time; nil for the lock's longest on-time.
    public var off: Duration?

    /// A cycle of `on` and `off`.
    public init(on: Duration? = nil, off: Duration? = nil) {
        self.on = on
        self.off = off
    }
}

/// Cycles a lock that cannot be held open in an emergency, and pauses it between releases in a row,
/// so that it is not cut before an emergency. For other locks it only times the rest after a cut.
struct LockDuty: Hashable, Sendable {
    /// Where the lock is in its duty cycle.
    enum State: Hashable, Sendable {
        case ready
        /// On in an emergency, until then.
        case open(until: Instant)
        /// Off after its longest on-time, until then; outside an emergency a fault keeps it off
        /// for longer.
        case resting(until: Instant)
        /// Off until then, before the next release.
        case pausing(until: Instant)
    }

    private(set) var state = State.ready
    /// Since when it is on without a break; nil while off, and if `longest` is nil.
    private var onSince: Instant?
    /// The longest on-time without a break; nil if unlimited.
    let longest: Duration?
    private let on, off: Duration

    /// The shortest on-time and off-time, whatever is configured.
    private static let leastTime: Duration = .milliseconds(100)
    /// Cycles that are overdue by more are skipped: the process did not run meanwhile.
    private static let longestDelay: Duration = .seconds(3600)

    /// The rest of a lock without `max_on` after a cut in an emergency.
    private static let usualRest: Duration = .seconds(60)

    init(longest: Duration?, duty: EmergencyDuty?) {
        self.longest = longest
        let usual = longest ?? Self.usualRest
        on = max(min(duty?.on ?? usual, usual), Self.leastTime)
        off = max(duty?.off ?? usual, Self.leastTime)
    }

    @inline(__always) var canHoldOpen: Bool { longest == nil }

    @inline(__always) var isResting: Bool { if case .resting = state { true } else { false } }

    @inline(__always) var isPausing: Bool { if case .pausing = state { true } else { false } }

    @inline(__always) var deadline: Instant? {
        switch state {
        case .ready: nil
        case .open(let until), .resting(let until), .pausing(let until): until
        }
    }

    mutating func follow(isOn: Bool, at time: Instant) {
        guard longest != nil else { return }
        onSince = isOn ? onSince ?? time : nil
        // A rest from the last emergency must not delay the next one.
        if isOn, isResting { state = .ready }
    }

    /// A new emergency opens the lock at once, unless it rests.
    @inline(__always) mutating func follow(isEmergency: Bool, at time: Instant) {
        guard let longest else { return }
        switch state {
        case .ready where isEmergency, .pausing where isEmergency:
            let end = onSince.map { $0 + longest } ?? time
            state = .open(until: end > time ? min(end, time + on) : time + on)
        case .open where !isEmergency: state = .ready
        case .ready, .open, .resting, .pausing: break
        }
    }

    /// After a cut the lock rests; one that can be held open, only in an emergency.
    mutating func cut(at time: Instant, isEmergency: Bool) {
        guard longest != nil || isEmergency else { return }
        state = .resting(until: time + off)
    }

    mutating func repair() { if isResting { state = .ready } }

    /// Skips cycles that are more than an hour overdue.
    mutating func skipOverdue(before time: Instant) {
        guard let deadline, deadline < time - Self.longestDelay else { return }
        switch state {
        case .ready: break
        case .open: state = .open(until: time)
        case .resting: state = .resting(until: time)
        case .pausing: state = .pausing(until: time)
        }
    }

    mutating func passTime(_ now: Instant) {
        guard let deadline, deadline <= now else { return }
        switch state {
        case .open: state = .resting(until: now + off)
        case .ready, .resting, .pausing: state = .ready
        }
    }

    /// Whether it can be on for `length` more within half its longest on-time.
    func canStayOn(for length: Duration, at time: Instant) -> Bool {
        guard let longest else { return true }
        let spent = onSince.map { time - $0 } ?? .zero
        return spent + length <= longest / 2
    }

    /// Whether it can be released for a wait of this length; if not, it pauses first.
    mutating func mayRelease(for wait: Duration, pause: Duration, at time: Instant) -> Bool {
        if isPausing { return false }
        guard onSince != nil, !canStayOn(for: wait, at: time) else { return true }
        state = .pausing(until: time + pause)
        return false
    }

    mutating func shiftInstants(by duration: Duration) {
        onSince = onSince.map { $0 + duration }
        switch state {
        case .ready: break
        case .open(let until): state = .open(until: until + duration)
        case .resting(let until): state = .resting(until: until + duration)
        case .pausing(let until): state = .pausing(until: until + duration)
        }
    }
}

struct LockDuties: PerDirection, Hashable, Sendable {
    var entry: LockDuty
    var exit: LockDuty

    init(_ gate: Installation, _ duties: [Output: EmergencyDuty]) {
        entry = LockDuty(longest: gate.longestOpen(.entry), duty: duties[.lockEntry])
        exit = LockDuty(longest: gate.longestOpen(.exit), duty: duties[.lockExit])
    }

    @inline(__always) var deadline: Instant? { .earliest(entry.deadline, exit.deadline) }

    @inline(__always) var areUnlimited: Bool { entry.canHoldOpen && exit.canHoldOpen }

    /// Skips cycles that are more than an hour overdue.
    mutating func skipOverdue(before time: Instant) {
        entry.skipOverdue(before: time)
        exit.skipOverdue(before: time)
    }

    mutating func follow(_ on: OutputSet, at time: Instant) {
        entry.follow(isOn: on[.lockEntry], at: time)
        exit.follow(isOn: on[.lockExit], at: time)
    }

    @inline(__always) mutating func follow(isEmergency: Bool, at time: Instant) {
        entry.follow(isEmergency: isEmergency, at: time)
        exit.follow(isEmergency: isEmergency, at: time)
    }

    mutating func passTime(_ now: Instant) {
        entry.passTime(now)
        exit.passTime(now)
    }

    mutating func shiftInstants(by duration: Duration) {
        entry.shiftInstants(by: duration)
        exit.shiftInstants(by: duration)
    }
}

extension LockDuty.State: Named {
    static var title: String { "lock_duty_phase" }
    static let forms: [LockDuty.State] = [
        .ready, .open(until: .zero), .resting(until: .zero), .pausing(until: .zero),
    ]

    func visit(_ fields: inout some FieldVisitor) -> LockDuty.State {
        switch self {
        case .ready: fields.named("ready", self)
        case .open(let until): fields.named("open", .open(until: fields.instant(.until, until)))
        case .resting(let until):
            fields.named("resting", .resting(until: fields.instant(.until, until)))
        case .pausing(let until):
            fields.named("pausing", .pausing(until: fields.instant(.until, until)))
        }
    }
}

extension LockDuty: Composite {
    static var title: String { "lock_duty" }
    static var blank: LockDuty { LockDuty(longest: nil, duty: nil) }

    /// The state, and since when it is on; its times are the installation's.
    func visit(_ fields: inout some FieldVisitor) -> LockDuty {
        var lock = self
        lock.state = fields.inline(state, as: .phase)
        lock.onSince = fields.optional(.onSince, onSince)
        return lock
    }
}
