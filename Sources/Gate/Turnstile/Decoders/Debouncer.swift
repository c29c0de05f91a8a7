public import StateMachines

/// Waits until a contact has kept its level for a while, where the line's bank does not.
///
/// A level counts once it has lasted for ``duration``; a shorter one was a bounce. It is then
/// reported with the time at which it counted, as the kernel's own debouncer does.
///
/// A normally closed loop that chatters is broken and does not bounce. With ``rest`` it counts as
/// inactive once it was so for that long without a break; until then its active times add up.
public struct Debouncer: TimedMachine, Hashable, Sendable {
    /// The events of a debouncer.
    public enum Event: Hashable, Sendable {
        /// The line changed.
        case changed(isActive: Bool, at: Instant)
        /// Time passed.
        case timePassed(Instant)
    }

    /// The commands of a debouncer.
    public enum Command: Hashable, Sendable {
        /// The contact is active, or is not, since this instant.
        case settle(isActive: Bool, at: Instant)
    }

    /// How long a level must last; zero lets every edge through.
    public let duration: Duration
    /// How long the contact must stay inactive, where longer; nil: a bounce resets the active time.
    public let rest: Duration?
    /// The level that counts.
    public private(set) var isActive: Bool
    /// When the other level, which the line carries now, will count.
    public private(set) var deadline: Instant?
    /// The last activation that was too short to count, until ``rest`` is over.
    private(set) var shortOpening: ShortOpening?

    /// An activation that was too short to count.
    struct ShortOpening: Hashable, Sendable {
        /// For how much longer it would have had to last.
        var missing: Duration
        /// When its time no longer adds to the next one.
        var expires: Instant
    }

    /// A debouncer of a contact that has been settled for long.
    public init(duration: Duration, rest: Duration? = nil, isActive: Bool = false) {
        self.duration = duration
        self.rest = rest
        self.isActive = isActive
    }

    /// Whether an activation waits to count, or was too short less than ``rest`` ago.
    func isChattering(at time: Instant) -> Bool {
        !isActive && (deadline != nil || shortOpening.map { time < $0.expires } ?? false)
    }

    /// Lets a level through when it has lasted.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .changed(let level, let time):
            guard level != isActive else {
                guard let due = deadline else { return .ignored("the level counts already") }
                deadline = nil
                if let rest, !isActive {
                    shortOpening = ShortOpening(missing: due - time, expires: time + rest)
                }
                return .handled
            }
            guard duration > .zero else { return settle(at: time) }
            guard deadline == nil else { return .handled }
            let missing = shortOpening.flatMap { time < $0.expires ? $0.missing : nil }
            deadline = time + (isActive ? max(rest ?? .zero, duration) : missing ?? duration)
            shortOpening = nil
            return .handled
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            return settle(at: deadline)
        }
    }

    /// Has the other level count then, or not at all for nil.
    mutating func wait(until time: Instant?, after shortOpening: ShortOpening?) {
        deadline = time
        self.shortOpening = time == nil ? shortOpening : nil
    }

    mutating func shiftInstants(by duration: Duration) {
        deadline = deadline.map { $0 + duration }
        if let opening = shortOpening { shortOpening?.expires = opening.expires + duration }
    }

    private mutating func settle(at time: Instant) -> Outcome<Command> {
        isActive.toggle()
        deadline = nil
        return .handled(.settle(isActive: isActive, at: time))
    }
}
