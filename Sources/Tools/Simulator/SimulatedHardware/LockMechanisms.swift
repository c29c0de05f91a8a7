internal import Hardware
internal import StateMachines
internal import Turnstile

/// The locks of a gate: one for each way, or one for both.
struct LockMechanisms: Hashable, Sendable {
    private var first: Lock
    private var second: Lock
    /// The way that the first lock holds, and whether the second one holds the other.
    private let way: Direction
    private let hasTwo: Bool

    /// The locks that `physics` names, without power. A gate without any is shut.
    init(_ physics: Physics) {
        let outputs = physics.equipment.outputs
        hasTwo = outputs[.lockEntry] && outputs[.lockExit]
        way = outputs[.lockExit] && !hasTwo ? .exit : .entry
        first = Lock(way == .entry ? physics.entryLock : physics.exitLock)
        second = Lock(physics.exitLock)
    }

    var deadline: Instant? {
        hasTwo ? Instant.earliest(first.deadline, second.deadline) : first.deadline
    }

    /// The lock of this direction.
    subscript(direction: Direction) -> Lock { holdsFirst(direction) ? first : second }

    var held: Ways { Ways(entry: self[.entry].isOut, exit: self[.exit].isOut) }

    /// Drives a winding of the lock that hangs on this way's lines, if there is one.
    mutating func drive(
        _ direction: Direction, _ winding: Lock.Winding, energised: Bool, at now: Instant,
        _ measures: Measures
    ) {
        if direction == way {
            first.drive(winding, energised: energised, at: now, measures)
        } else if hasTwo {
            second.drive(winding, energised: energised, at: now, measures)
        }
    }

    /// Jams the bolts of these ways and no others.
    mutating func jam(_ jammed: Ways, at now: Instant, _ measures: Measures) {
        first.jam(jammed[way] || !hasTwo && jammed[way.opposite], at: now, measures)
        if hasTwo { second.jam(jammed[way.opposite], at: now, measures) }
    }

    /// Ends the moves that are due at `now`; says whether there were any.
    mutating func advance(to now: Instant) -> Bool {
        let firstMoved = first.advance(to: now)
        let secondMoved = second.advance(to: now)
        return firstMoved || secondMoved
    }

    private func holdsFirst(_ direction: Direction) -> Bool { !hasTwo || direction == way }
}

/// Something that may be so or not for each way.
struct Ways: PerDirection, Hashable, Sendable {
    var entry: Bool
    var exit: Bool

    static let none = Ways(entry: false, exit: false)
}
