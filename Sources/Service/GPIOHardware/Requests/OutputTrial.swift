import Glibc
import Hardware
import Turnstile

/// The operations on outputs' lines for the trial of their release.
struct OutputTrial {
    /// Drives the line to its safe level, and gives it back.
    var driveSafe: (PlannedOutput) throws(HardwareError) -> Void
    /// Waits until a resistor has charged a long wire.
    var waitForLines: () -> Void
    /// Requests the line as it is, reads it, and releases it.
    var look: (PlannedOutput) throws(HardwareError) -> LineSurvey.ReleasedOutput
}

extension OutputTrial {
    init(_ open: OpenChips) {
        let consumer = "turnstile doctor"
        driveSafe = { planned throws(HardwareError) in
            _ = try OutputRequest(planned, chip: open.chip(of: planned.line), consumer: consumer)
        }
        waitForLines = { usleep(20_000) }
        look = { planned throws(HardwareError) in
            let chip = open.chip(of: planned.line)
            let request = try OutputRequest(planned, chip: chip, consumer: consumer, asIs: true)
            let state: LineState
            do throws(CallFailure) {
                // The kernel reports the last use of a line without a holder. It asks the chip's
                // driver when the line is requested.
                state = try chip.line(at: planned.line.offset)
            } catch {
                throw chip.refusal(error, to: [(.output(planned.output), planned.line)])
            }
            return LineSurvey.ReleasedOutput(
                isOutput: state.isOutput, isEnergised: try request.isEnergised())
        }
    }
}

extension LineSurvey {
    /// Drives each unused output to its safe level, releases it and reads it.
    ///
    /// Reading requests the line as well, so it is driven safe and released once more: as at the
    /// end of the service.
    mutating func tryOutputs(_ planned: [PlannedOutput], by trial: OutputTrial) {
        let free = planned.filter { output in
            guard let found = try? lines[.output(output.output)]?.get() else { return false }
            return found.holder == nil
        }
        for output in free {
            attempt(output) { _ throws(HardwareError) in try trial.driveSafe(output) }
        }
        if !free.isEmpty { trial.waitForLines() }
        for output in free {
            attempt(output) { found throws(HardwareError) in
                let letGo = Result { () throws(HardwareError) in try trial.look(output) }
                try trial.driveSafe(output)
                found.letGo = try letGo.get()
            }
        }
    }

    /// Does something about an output's line, unless something about it has failed before.
    private mutating func attempt(
        _ output: PlannedOutput, _ body: (inout Found) throws(HardwareError) -> Void
    ) {
        let line = Line.output(output.output)
        lines[line] = lines[line]?.flatMap { found in
            Result { () throws(HardwareError) in
                var found = found
                try body(&found)
                return found
            }
        }
    }
}
