import StateMachines
import System
import Turnstile

// The trace.
extension Controller {
    /// The machines of the shell, as they are now.
    public var shell: ShellMachines {
        ShellMachines(
            drives: actuators.map(\.state),
            entryLock: locks.first { $0.direction == .entry }?.drive,
            exitLock: locks.first { $0.direction == .exit }?.drive,
            lines: lines, signsOfLife: signsOfLife, store: storeWatch, retention: retention,
            registers: snapshots, clock: clock)
    }

    /// Adds a step of the machine. Steps of the shell's machines meanwhile, such as for a driven
    /// output, come after it.
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

    /// Returns the commands of a machine of the shell, and records its event and, translated by
    /// `tell`, the commands. An ignored event changes nothing, and is not recorded.
    @inline(__always) func recorded<Command>(
        _ outcome: Outcome<Command>, of event: @autoclosure () -> ShellEvent,
        at time: @autoclosure () -> Instant, as tell: (Command) -> ShellCommand
    ) -> Commands<Command> {
        guard case .handled(let commands) = outcome else { return Commands() }
        if recorder != nil { record(event(), at: time(), commands.translated(by: tell)) }
        return commands
    }

    /// Adds a level that was driven. It has no commands, and a lock waits for this call.
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
