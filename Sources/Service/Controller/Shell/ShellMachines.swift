public import Hardware
public import StateMachines
public import Turnstile

/// All that decides for the shell, side by side: as a value, so that what was recorded of it can be
/// gone through once more.
///
/// The controller has each of these machines where it is at hand: see ``Controller/shell``.
public struct ShellMachines: StateMachine, Hashable, Sendable {
    /// Those of all outputs, by their index.
    var drives: [OutputDrive]
    /// That of the lock of the way in; nil where it has not two coils.
    var entryLock: LockDrive?
    /// The same of the way out.
    var exitLock: LockDrive?
    var lines: LineWatch
    var signsOfLife: SignsOfLife
    var store = StoreWatch()
    var retention = RetentionWatch()
    var registers: Snapshots
    var clock = ClockWatch()
}

extension ShellMachines {
    /// Those of a shell that has not started; `watchdogInterval` is nil for ever.
    public init(
        inputs: InputLevels, outputs: [Output: OutputLine], watchdogInterval: Duration?,
        watchdog: WatchdogPolicy = WatchdogPolicy(), registerSnapshot: Duration
    ) {
        drives = Output.allCases.map {
            OutputDrive(maximumOnTime: outputs[$0]?.maximumOnTime)
        }
        // Often enough for the service manager, if one asks for it, to hear twice in its interval.
        lines = LineWatch(
            Equipment(inputs: inputs, outputs: OutputSet(outputs.keys)),
            interval: watchdogInterval.map { $0 / 2 } ?? .seconds(1))
        signsOfLife = SignsOfLife(watchdog)
        registers = Snapshots(interval: registerSnapshot)
        for direction in Direction.allCases where outputs[direction.holdingCoil] != nil {
            self[lock: direction] = .atRest
        }
    }

    /// The outputs whose lines carry "energised", by the last that they have taken.
    public var energised: OutputSet {
        OutputSet(Output.allCases.filter { drives[$0.index].isEnergised })
    }

    subscript(lock direction: Direction) -> LockDrive? {
        get { direction == .entry ? entryLock : exitLock }
        set { if direction == .entry { entryLock = newValue } else { exitLock = newValue } }
    }

    /// Has the machine that it is about hear of `event`.
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

    /// When the first of them is to hear that time has passed.
    public var deadline: Instant? {
        let locks = Instant.earliest(entryLock?.deadline, exitLock?.deadline)
        return drives.reduce(.earliest(lines.deadline, locks)) { .earliest($0, $1.deadline) }
    }

    /// Has them hear what follows from what `turnstile` has heard of, and is no step of theirs:
    /// what outlives the process now.
    public mutating func follow(_ turnstile: Turnstile) {
        _ = retention.handle(.happened(turnstile.retained))
    }
}
