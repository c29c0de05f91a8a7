import Hardware
import StateMachines
import Turnstile

/// Drives the line of one output, and keeps its ``OutputDrive``.
final class Actuator {
    let output: Output
    private(set) var state: OutputDrive
    /// Whether the output is on without power, as a fail-safe lock.
    private let isOnWithoutPower: Bool

    /// `line` is nil for an output that is not wired. The bank has requested it at its safe level.
    init(_ output: Output, _ state: OutputDrive, line: OutputLine?) {
        self.output = output
        self.state = state
        isOnWithoutPower = line?.powerLoss == .failSafe
    }

    var isEnergised: Bool { state.isEnergised }

    /// The line's level while the output is on, or off: see `Output`.
    func level(toBeOn isOn: Bool) -> Bool { isOn != isOnWithoutPower }

    /// Drives the output for an event at `time`; `now` is read afterwards.
    @inline(__always) func drive(
        _ energised: Bool, at time: Instant, on bank: any LineBank, now: () -> Instant
    ) throws(HardwareError) -> OutputDrive.Event {
        do throws(HardwareError) {
            try bank.set(output, energised: energised)
        } catch {
            _ = state.handle(.refused(energised))
            throw error
        }
        // Spares reading the clock without an on-time to measure.
        let driven = state.isTimed(by: energised) ? now() : time
        let event = OutputDrive.Event.took(energised, for: time, at: driven)
        _ = state.handle(event)
        return event
    }

    func handle(_ event: OutputDrive.Event) -> Outcome<OutputDrive.Command> {
        // A local copy, so that the accesses in `drive` need no check at run time.
        var state = state
        defer { self.state = state }
        return state.handle(event)
    }
}
