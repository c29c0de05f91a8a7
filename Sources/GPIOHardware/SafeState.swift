public import Hardware
import Turnstile

extension GPIOBank {
    /// Drives every output of `wiring` to its safe level and gives it back: for when the daemon
    /// has ended, however it ended.
    ///
    /// Goes on after a line that fails, and returns all failures.
    public static func driveSafe(
        _ wiring: Wiring, consumer: String = "turnstiled"
    ) -> [HardwareError] {
        var failures: [HardwareError] = []
        for output in Output.allCases where wiring.outputs[output] != nil {
            var alone = wiring
            alone.inputs = [:]
            alone.outputs = wiring.outputs.filter { $0.key == output }
            do {
                try GPIOBank(alone, consumer: consumer).close()
            } catch {
                failures.append(error)
            }
        }
        return failures
    }
}
