public import Hardware
public import StateMachines
public import Turnstile

/// The machines of the shell as one value, so that a trace of them can be replayed. The controller
/// has them as separate properties: see ``Controller/shell``.
public struct ShellMachines: TimedMachine, Hashable, Sendable {
    /// Of all outputs, by index.
    var drives: [OutputDrive]
    /// Nil unless the lock has two coils.
    var entryLock: LockDrive?
    /// Nil unless the lock has two coils.
    var exitLock: LockDrive?
    var lines: LineWatch
    var signsOfLife: SignsOfLife
    var store = StoreWatch()
    var retention = RetentionWatch()
    var registers: Snapshots
    var clock = ClockWatch()
}

extension ShellMachines {
    /// Before the start; `watchdogInterval` is nil without a watchdog.
    public init(
        inputs: InputLevels, outputs: [Output: OutputLine], watchdogInterval: Duration?,
        watchdog: WatchdogPolicy = WatchdogPolicy(), registerSnapshot: Duration
    ) {
        drives = Output.allCases.map {
            OutputDrive(maximumOnTime: outputs[$0]?.maximumOnTime)
        }
        // Twice in the watchdog's interval.
        lines = LineWatch(
            Equipment(inputs: inputs, outputs: OutputSet(outputs.keys)),
            interval: watchdogInterval.map { $0 / 2 } ?? .seconds(1))
        signsOfLife = SignsOfLife(watchdog)
        registers = Snapshots(interval: registerSnapshot)
        for direction in Direction.allCases where outputs[direction.holdingCoil] != nil {
            self[lock: direction] = .atRest
        }
    }

    /// The energised outputs, by their driven levels.
    public var energised: OutputSet {
        OutputSet(Output.allCases.filter { drives[$0.index].isEnergised })
    }

    subscript(lock direction: Direction) -> LockDrive? {
        get { direction == .entry ? entryLock : exitLock }
        set { if direction == .entry { entryLock = newValue } else { exitLock = newValue } }
    }

    /// Hands `event` to its machine.
    public mutating func handle(_ event: ShellEvent) -> Outcome<ShellCommand> {
        switch event {
        case .output(let output, let event):
            drives[output.index].handle(event).map { .output(output, $0) }
        case .lock(let direction, let event):
            self[lock: direction]?.handle(event).map { .lock(direction, $0) }
                ?? .ignored("it has not two coils")
        case .lines(let event): lines.handle(event).map(ShellCommand.lines)
        case .signsOfLife(let event): signsOfLife.handle(event).map(ShellCommand.signsOfLife)
        case .store(let event): store.handle(event).map(ShellCommand.store)
        case .retention(let event): retention.handle(event).map { .retention($0) }
        case .registers(let event): registers.handle(event).map(ShellCommand.registers)
        case .clock(let event): clock.handle(event).map(ShellCommand.clock)
        }
    }

    public var deadline: Instant? {
        let locks = Instant.earliest(entryLock?.deadline, exitLock?.deadline)
        return drives.reduce(.earliest(lines.deadline, locks)) { .earliest($0, $1.deadline) }
    }

    /// Gives the retention the state after an event of `turnstile`, which is no step of the trace.
    public mutating func follow(_ turnstile: Turnstile) {
        _ = retention.handle(.happened(turnstile.retained))
    }
}
