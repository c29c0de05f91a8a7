internal import StateMachines

/// What makes one input line active: a switch, a sensor or a transistor. A mechanical one bounces.
struct Contact: Hashable, Sendable {
    /// Whether the line is active now, bounces included.
    private(set) var isActive = false
    private var comesToRestActive = false
    private var togglesLeft = 0
    private var togglesAt: Instant?
    private var releasesAt: Instant?

    /// When the contact next moves by itself.
    var deadline: Instant? { Instant.earliest(togglesAt, releasesAt) }

    /// Moves the contact; it leaves its new level a few times before it rests there. A contact
    /// that is there already stays there, and a hand that pressed it holds it.
    mutating func move(
        to active: Bool, at now: Instant, bounces: Bool = true, _ physics: Physics,
        _ randomness: inout Randomness
    ) {
        releasesAt = nil
        guard active != comesToRestActive else { return }
        comesToRestActive = active
        isActive = active
        togglesLeft = 0
        togglesAt = nil
        guard bounces, physics.bounce > .zero, physics.maximumBounces > 0 else { return }
        togglesLeft = 2 * Int.random(in: 0...physics.maximumBounces, using: &randomness)
        scheduleToggle(after: now, physics, &randomness)
    }

    /// Makes the contact active for `duration`, as a hand does with a key or a button.
    mutating func press(
        for duration: Duration, at now: Instant, _ physics: Physics,
        _ randomness: inout Randomness
    ) {
        move(to: true, at: now, physics, &randomness)
        releasesAt = now + duration
    }

    /// Makes the contact's own moves that are due at `now`.
    mutating func advance(
        to now: Instant, _ physics: Physics, _ randomness: inout Randomness
    ) {
        if let due = togglesAt, due <= now {
            isActive.toggle()
            togglesLeft -= 1
            scheduleToggle(after: now, physics, &randomness)
        }
        if let due = releasesAt, due <= now {
            move(to: false, at: now, physics, &randomness)
        }
    }

    private mutating func scheduleToggle(
        after now: Instant, _ physics: Physics, _ randomness: inout Randomness
    ) {
        guard togglesLeft > 0 else {
            togglesAt = nil
            return
        }
        // So that the longest sequence still ends within `bounce`.
        let longest = physics.bounce.wholeNanoseconds / Int64(2 * physics.maximumBounces)
        let pause = Int64.random(in: 1...max(1, longest), using: &randomness)
        togglesAt = Instant(nanoseconds: now.nanoseconds + pause)
    }
}
