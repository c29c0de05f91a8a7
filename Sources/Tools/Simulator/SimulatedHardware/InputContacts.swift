internal import StateMachines
internal import Turnstile

/// The source of an input line: a switch, a sensor or a transistor. A mechanical one bounces.
private struct Contact: Hashable, Sendable {
    /// Whether the line is active now, bounces included.
    var isActive = false
    var comesToRestActive = false
    var togglesLeft = 0
    var togglesAt: Instant?
    var releasesAt: Instant?

    var deadline: Instant? { Instant.earliest(togglesAt, releasesAt) }

    /// Moves the contact, which bounces a few times before it rests. A contact that is there
    /// already stays there; one that was pressed is now held.
    mutating func move(
        to active: Bool, at now: Instant, bounces: Bool, _ measures: Measures,
        _ randomness: inout SplitMix64
    ) {
        releasesAt = nil
        guard active != comesToRestActive else { return }
        comesToRestActive = active
        isActive = active
        togglesLeft = 0
        togglesAt = nil
        guard bounces, let longest = measures.longestBounce else { return }
        togglesLeft =
            2 * Int.random(in: 0...measures.physics.maximumBounces, using: &randomness)
        scheduleToggle(after: now, longest, &randomness)
    }

    /// Makes the contact's own moves that are due at `now`.
    mutating func advance(to now: Instant, _ measures: Measures, _ randomness: inout SplitMix64) {
        if let due = togglesAt, due <= now, let longest = measures.longestBounce {
            isActive.toggle()
            togglesLeft -= 1
            scheduleToggle(after: now, longest, &randomness)
        }
        if let due = releasesAt, due <= now {
            move(to: false, at: now, bounces: true, measures, &randomness)
        }
    }

    private mutating func scheduleToggle(
        after now: Instant, _ longest: Int64, _ randomness: inout SplitMix64
    ) {
        guard togglesLeft > 0 else {
            togglesAt = nil
            return
        }
        togglesAt = now.after(Int64.random(in: 1...longest, using: &randomness))
    }
}

/// The contacts of all input lines.
struct InputContacts: Hashable, Sendable {
    /// Which lines are active now, bounces included.
    private(set) var active: InputLevels
    private(set) var deadline: Instant?

    private var contacts = [Contact](repeating: Contact(), count: Input.allCases.count)
    /// The contacts that will move by themselves.
    private var moving = InputLevels()

    /// Contacts at rest; these are active.
    init(active: InputLevels = []) {
        self.active = active
        active.forEach { index in
            contacts[index].isActive = true
            contacts[index].comesToRestActive = true
        }
    }

    /// Moves the contact of this index. A transistor and a light beam do not bounce.
    mutating func move(
        _ index: Int, to active: Bool, at now: Instant, _ measures: Measures,
        _ randomness: inout SplitMix64
    ) {
        let bounces = !Self.electronic.contains(index)
        contacts[index].move(to: active, at: now, bounces: bounces, measures, &randomness)
        note(index)
    }

    /// Makes the contact active for `duration`, as a hand does with a key or a button.
    mutating func press(
        _ index: Int, for duration: Duration, at now: Instant, _ measures: Measures,
        _ randomness: inout SplitMix64
    ) {
        contacts[index].move(to: true, at: now, bounces: true, measures, &randomness)
        contacts[index].releasesAt = now + duration
        note(index)
    }

    mutating func advance(to now: Instant, _ measures: Measures, _ randomness: inout SplitMix64) {
        guard let due = deadline, due <= now else { return }
        moving.forEach { index in
            contacts[index].advance(to: now, measures, &randomness)
            note(index)
        }
    }

    /// Updates the sets from the contact of this index.
    private mutating func note(_ index: Int) {
        active.set(index, contacts[index].isActive)
        moving.set(index, contacts[index].deadline != nil)
        deadline = nil
        moving.forEach { deadline = Instant.earliest(deadline, contacts[$0].deadline) }
    }

    private static let electronic = InputLevels([
        .coinPulse, .coinPulse2, .coinPulse3, .beamA, .beamB,
    ])
}

extension InputLevels {
    /// Calls `body` with the ``Turnstile/Input/index`` of every input of the set, in their order.
    func forEach(_ body: (Int) -> Void) {
        var rest = rawValue
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }

    func contains(_ index: Int) -> Bool { rawValue & 1 << UInt32(index) != 0 }

    /// Puts the input of this index into the set, or takes it out.
    mutating func set(_ index: Int, _ isIn: Bool) {
        let bit: UInt32 = 1 << UInt32(index)
        self = InputLevels(rawValue: isIn ? rawValue | bit : rawValue & ~bit)
    }
}
