public import Hardware
public import Turnstile

extension GPIOBank {
    /// The result of driving the outputs to their safe levels.
    public struct SafeState: Hashable, Sendable {
        /// The outputs that are at their safe level, of each wiring in turn; of the later ones only
        /// those on lines that no earlier one has.
        public var outputs: [[Output]]
        /// Each reason once.
        public var failures: [HardwareError]
    }

    /// Drives every output of `wirings` to its safe level and releases it, after the daemon has
    /// ended in any way.
    ///
    /// The wiring that was in force comes first: if another one disagrees about a line, the first
    /// counts. Continues after a line that fails.
    public static func driveSafe(
        _ wirings: [Wiring], consumer: String = consumer
    ) -> SafeState {
        let chips = OpenChips()
        var plan = SafePlan(wirings, contents: chips.contents)
        let driven = plan.outputs.map { outputs in
            outputs.compactMap { planned -> Output? in
                do throws(HardwareError) {
                    _ = try OutputRequest(
                        planned, chip: chips.chip(of: planned.line), consumer: consumer)
                    return planned.output
                } catch {
                    plan.note(error)
                    return nil
                }
            }
        }
        return SafeState(outputs: driven, failures: plan.failures)
    }
}
