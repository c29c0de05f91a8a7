import Hardware
import StateMachines
import Turnstile

/// The hand on one output: drives its line, and has ``OutputDrive`` know what became of it.
final class Actuator {
    let output: Output
    private(set) var state: OutputDrive
    /// Whether the output is on without power, as a lock that opens is.
    private let isOnWithoutPower: Bool

    /// The actuator of an output that is wired like this, or, without a line, not at all. The bank
    /// has just requested the line at its safe level.
    init(_ output: Output, _ state: OutputDrive, line: OutputLine?) {
        self.output = output
        self.state = state
        isOnWithoutPower = line?.powerLoss == .failSafe
    }

    var isEnergised: Bool { state.isEnergised }

    /// What the line carries while the output is on, or off: see `Output`.
    func level(toBeOn isOn: Bool) -> Bool { isOn != isOnWithoutPower }

    /// Drives the output for what happened at `time`; `now` is asked once that is done.
    @inline(__always) func drive(
        _ energised: Bool, at time: Instant, on bank: any LineBank, now: () -> Instant
    ) throws(HardwareError) -> OutputDrive.Event {
        do throws(HardwareError) {
            try bank.set(output, energised: energised)
        } catch {
            _ = state.handle(.refused(energised))
            throw error
        }
        // The clock is not asked for what does not matter.
        let driven = state.isTimed(by: energised) ? now() : time
        let event = OutputDrive.Event.took(energised, for: time, at: driven)
        _ = state.handle(event)
        return event
    }

    func handle(_ event: OutputDrive.Event) -> Outcome<OutputDrive.Command> {
        // Not in place, so that the accesses in `drive` need no check at run time.
        var state = state
        defer { self.state = state }
        return state.handle(event)
    }
}
