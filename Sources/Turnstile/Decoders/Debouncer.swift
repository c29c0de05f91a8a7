public import StateMachines

/// Waits until a contact has kept its level for a while, where the line's bank does not.
///
/// A level counts once it has lasted for ``duration``; a shorter one was a bounce. It is then
/// reported with the time at which it counted, as the kernel's own debouncer does.
public struct Debouncer: StateMachine, Hashable, Sendable {
    /// What may happen to a debouncer.
    public enum Event: Hashable, Sendable {
        /// The line changed.
        case changed(isActive: Bool, at: Instant)
        /// Time passed.
        case timePassed(Instant)
    }

    /// What a debouncer says.
    public enum Command: Hashable, Sendable {
        /// The contact is active, or is not, since this instant.
        case settle(isActive: Bool, at: Instant)
    }

    /// How long a level must last; zero lets every edge through.
    public let duration: Duration
    /// The level that counts.
    public private(set) var isActive: Bool
    /// When the other level, which the line carries now, will count.
    public private(set) var deadline: Instant?

    /// A debouncer of a contact that has been settled for long.
    public init(duration: Duration, isActive: Bool = false) {
        self.duration = duration
        self.isActive = isActive
    }

    /// Lets a level through when it has lasted.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .changed(let level, let time):
            guard level != isActive else {
                guard deadline != nil else { return .ignored("the level counts already") }
                deadline = nil
                return .handled
            }
            guard duration > .zero else { return settle(at: time) }
            if deadline == nil { deadline = time + duration }
            return .handled
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            return settle(at: deadline)
        }
    }

    /// Has the other level count then, or not at all for nil.
    mutating func wait(until time: Instant?) { deadline = time }

    /// Moves every instant that the state holds.
    mutating func shiftInstants(by duration: Duration) {
        deadline = deadline.map { $0 + duration }
    }

    private mutating func settle(at time: Instant) -> Outcome<Command> {
        isActive.toggle()
        deadline = nil
        return .handled(.settle(isActive: isActive, at: time))
    }
}
