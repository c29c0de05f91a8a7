public import StateMachines

/// A machine that waits, with all instants relative to now: for a graph that ends.
///
/// A clock never shows the same instant again, so a machine that keeps instants has ever new
/// states. Here now is always `Instant.zero`: when time passes, the instants that the machine keeps
/// move instead, and the same situation later is the same state.
///
///     let start = RelativeTime(Latch.locked, timePassed: Latch.Event.timePassed)
///     let graph = StateGraph(from: start) { $0.events([.coin(at: .zero), .pass]) }
///
/// Time passes until something is due, or by a tick: see ``events(_:tick:)``. What is due on the
/// way is told to the machine at its time, as a shell that is punctual does.
public struct RelativeTime<Machine: TimedMachine & Restorable & Hashable>: StateMachine {
    /// What happens to the machine, or to the clock.
    public enum Event {
        /// Something happens now, at `Instant.zero`.
        case happened(Machine.Event)
        /// So much time passes.
        case waited(Duration)
    }

    /// The machine; its instants are relative to now.
    public private(set) var machine: Machine
    private let timePassed: @Sendable (Instant) -> Machine.Event

    /// How many times in a row a machine is told that time has passed, at one and the same instant.
    private static var patience: Int { 1_000 }

    /// The machine as it stands at `Instant.zero`.
    ///
    /// - Parameters:
    ///   - machine: the machine to start with.
    ///   - timePassed: the machine's event that tells it the time.
    public init(_ machine: Machine, timePassed: @escaping @Sendable (Instant) -> Machine.Event) {
        self.machine = machine
        self.timePassed = timePassed
    }

    /// How long it is until something is due, zero if it is overdue; nil while the machine waits
    /// for nothing.
    public var wait: Duration? { machine.deadline.map { max($0 - .zero, .zero) } }

    /// What to try in this state: these events, which happen now, and that time passes.
    ///
    /// Without a tick, time passes until something is due. That is enough for a machine that waits
    /// for one thing at a time. Where several are awaited, or a time is measured that nothing is
    /// due after, events have to happen in between: a tick is best the greatest common divisor of
    /// all times that the machine knows. An instant that is long past and still kept makes a state
    /// of each tick; the graph's limit ends that.
    ///
    /// - Parameters:
    ///   - happening: the events to try, their instants zero.
    ///   - tick: how much time passes in one step; until something is due, unless stated.
    public func events(_ happening: [Machine.Event], tick: Duration? = nil) -> [Event] {
        let wait = tick ?? self.wait
        return happening.map { .happened($0) } + (wait.map { [.waited($0)] } ?? [])
    }

    /// Lets the machine handle what happens now, or lets time pass with all that is due on the way.
    ///
    /// Time stands still at a deadline that the machine leaves where it is: the steps that say so
    /// lead from a state to itself. Otherwise that time passes is handled, with the commands of all
    /// that was due.
    public mutating func handle(_ event: Event) -> Outcome<Machine.Command> {
        switch event {
        case .happened(let event): return machine.handle(event)
        case .waited(let duration): return pass(duration)
        }
    }

    private mutating func pass(_ duration: Duration) -> Outcome<Machine.Command> {
        var left = duration
        var commands = Commands<Machine.Command>()
        for _ in 0..<Self.patience {
            guard let wait, wait <= left else {
                machine.shiftInstants(by: .zero - left)
                return .handled(commands)
            }
            machine.shiftInstants(by: .zero - wait)
            left -= wait
            let before = machine
            let outcome = machine.handle(timePassed(.zero))
            commands.append(contentsOf: outcome.commands)
            if machine == before && self.wait == .zero {
                return left < duration ? .handled(commands) : outcome
            }
        }
        return .handled(commands)
    }

    /// The machine's own, of what happens or of what is due first.
    public func undecidedRegions(of event: Event) -> [UndecidedRegion] {
        switch event {
        case .happened(let event): return machine.undecidedRegions(of: event)
        case .waited(let duration):
            guard let wait, wait <= duration else { return [] }
            var due = machine
            due.shiftInstants(by: .zero - wait)
            return due.undecidedRegions(of: timePassed(.zero))
        }
    }
}

extension RelativeTime: EntryExitMachine where Machine: EntryExitMachine {
    /// The machine's.
    public var entryCommands: Commands<Machine.Command> { machine.entryCommands }
    /// The machine's.
    public var exitCommands: Commands<Machine.Command> { machine.exitCommands }
}

extension RelativeTime: Hashable {
    /// Whether the machines are equal.
    public static func == (a: RelativeTime, b: RelativeTime) -> Bool { a.machine == b.machine }

    /// Hashes the machine.
    public func hash(into hasher: inout Hasher) { hasher.combine(machine) }
}

extension RelativeTime: Sendable where Machine: Sendable {}
extension RelativeTime.Event: Equatable where Machine.Event: Equatable {}
extension RelativeTime.Event: Hashable where Machine.Event: Hashable {}
extension RelativeTime.Event: Sendable where Machine.Event: Sendable {}

extension RelativeTime: CustomStringConvertible {
    /// The machine's own.
    public var description: String { name(of: machine) }
}

extension RelativeTime.Event: CustomStringConvertible {
    /// The event's own, or such as `after 5.0 seconds`.
    public var description: String {
        switch self {
        case .happened(let event): name(of: event)
        case .waited(let duration): "after \(name(of: duration))"
        }
    }
}
