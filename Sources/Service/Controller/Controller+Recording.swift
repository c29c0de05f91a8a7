import StateMachines
import System
import Turnstile

// What is recorded of all that is decided.
extension Controller {
    /// All that decides for the shell, as it is now.
    public var shell: ShellMachines {
        ShellMachines(
            drives: actuators.map(\.state),
            entryLock: locks.first { $0.direction == .entry }?.drive,
            exitLock: locks.first { $0.direction == .exit }?.drive,
            lines: lines, signsOfLife: signsOfLife, store: storeWatch, retention: retention,
            registers: snapshots, clock: clock)
    }

    /// Adds what the machine heard of and said. What the shell's machines heard meanwhile, as of
    /// what it had driven, comes behind that.
    func record(
        _ event: Event, _ verdict: Verdict, _ commands: [Command], _ records: [Record]
    ) {
        steps.append(.event(event, verdict))
        for command in commands { steps.append(.command(command)) }
        for record in records { steps.append(.record(record)) }
        guard !meanwhile.isEmpty else { return }
        steps.append(contentsOf: meanwhile)
        meanwhile.removeAll(keepingCapacity: true)
    }

    /// What a machine of the shell wants done about what it heard of at `time`, by `tell`; the
    /// recorder, where there is one, is told of both. What it ignores changes nothing, and is not
    /// told.
    @inline(__always) func recorded<Command>(
        _ outcome: Outcome<Command>, of event: @autoclosure () -> ShellEvent,
        at time: @autoclosure () -> Instant, as tell: (Command) -> ShellCommand
    ) -> Commands<Command> {
        guard case .handled(let commands) = outcome else { return Commands() }
        if recorder != nil { record(event(), at: time(), commands.translated(by: tell)) }
        return commands
    }

    /// Adds what a machine of the shell heard of, and no more: as of what was driven, which is told
    /// on the way to a lock.
    @inline(never) func record(_ event: ShellEvent, at time: Instant) {
        add(.shell(event, at: time))
    }

    @inline(never) private func record(
        _ event: ShellEvent, at time: Instant, _ commands: Commands<ShellCommand>
    ) {
        add(.shell(event, at: time))
        for command in commands { add(.shellCommand(command)) }
    }

    private func add(_ step: TraceStep) {
        if isDispatching { meanwhile.append(step) } else { steps.append(step) }
    }

    func recordState(at time: Instant) {
        if recorder != nil { steps.append(.state(machine.value, shell, at: time)) }
    }

    func handOver(to recorder: any StepRecorder) {
        if recorder.wantsState, !steps.contains(where: \.isState) { recordState(at: loop.now) }
        if !steps.isEmpty { recorder.take(&steps) }
    }
}
