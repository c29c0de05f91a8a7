import Exploration
import StateMachines

@testable import Turnstile

/// An event of a machine that knows time.
protocol TimedEvent: Hashable, Sendable {
    static func timePassed(_ now: Instant) -> Self
}

/// A machine of the gate that waits, for a virtual clock and for the explorer.
protocol ClockMachine: TimedMachine, Restorable, Hashable
where Event: TimedEvent, Command: Hashable {}

extension ClockMachine {
    /// Of no use: none of them is put away by itself.
    static var snapshotVersion: Int { 0 }
}

extension RelativeTime where Machine: ClockMachine {
    /// The machine at `Instant.zero`.
    init(_ machine: Machine) { self.init(machine) { .timePassed($0) } }
}

extension CoinDecoder.Event: TimedEvent {}
extension CoinDecoder: ClockMachine {}
extension BeamWatch.Event: TimedEvent {}
extension BeamWatch: ClockMachine {}
extension ArmWatch.Event: TimedEvent {}
extension ArmWatch: ClockMachine {}
extension LockWatch.Event: TimedEvent {}
extension LockWatch: ClockMachine {}
extension Pulser.Event: TimedEvent {}
extension Pulser: ClockMachine {}
extension Timetable.Event: TimedEvent {}
extension Timetable: ClockMachine {}
extension ServiceMode.Event: TimedEvent {}
extension ServiceMode: ClockMachine {}
extension RotorFilter.Event: TimedEvent {}
extension RotorFilter: ClockMachine {}

/// A machine on a virtual clock: what is due is done at its time, before what happens then.
struct Clockwork<Machine: ClockMachine> {
    var machine: Machine
    private(set) var now = Instant.zero
    /// What the machine said, with the milliseconds at which it said it: `250 reportBlocked`.
    private(set) var said: [String] = []

    init(_ machine: Machine) { self.machine = machine }

    /// Lets something happen now.
    @discardableResult
    mutating func send(_ event: (Instant) -> Machine.Event) -> Outcome<Machine.Command> {
        let outcome = machine.handle(event(now))
        said += outcome.commands.map { "\(now.nanoseconds / 1_000_000) \($0)" }
        return outcome
    }

    /// Lets time pass, with every deadline on the way.
    mutating func wait(_ duration: Duration) {
        let end = now + duration
        while let due = machine.deadline, due <= end {
            now = due
            send(Machine.Event.timePassed)
        }
        now = end
    }

    /// Lets one mark after the other happen, the first of them now, with a tick after each.
    mutating func play(
        _ marks: String, tick: Duration, _ happen: (inout Self, Character) -> Void
    ) {
        for mark in marks {
            happen(&self, mark)
            wait(tick)
        }
    }
}

extension StateGraph {
    /// Two states that differ though no series of events tells them apart, or nil.
    ///
    /// States are sorted by what is seen of them and what they answer to each event, then again and
    /// again by the groups that the events lead to, until nothing divides them any further.
    func twins(seeing look: (Machine) -> some Hashable) -> (Machine, Machine)? {
        var leaving: [[Edge]] = Array(repeating: [], count: states.count)
        for edge in edges { leaving[edge.from].append(edge) }
        var groups = Self.numbered(
            states.indices.map { place in
                let answers = leaving[place].map { "\($0.event): \(step($0).outcome)" }
                return "\(look(states[place])) \(answers)"
            })
        var count = 0
        while count < Set(groups).count {
            count = Set(groups).count
            groups = Self.numbered(
                states.indices.map { place in
                    [groups[place]] + leaving[place].map { groups[$0.to] }
                })
        }
        var first: [Int: Int] = [:]
        for (place, group) in groups.enumerated() {
            if let twin = first[group] { return (states[twin], states[place]) }
            first[group] = place
        }
        return nil
    }

    /// A number for each key, the same for equal ones.
    private static func numbered<Key: Hashable>(_ keys: [Key]) -> [Int] {
        var numbers: [Key: Int] = [:]
        return keys.map { key in
            let number = numbers[key] ?? numbers.count
            numbers[key] = number
            return number
        }
    }
}
