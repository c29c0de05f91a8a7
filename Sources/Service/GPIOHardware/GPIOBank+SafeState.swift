public import Hardware
public import Turnstile

extension GPIOBank {
    /// What became of the outputs that were to be driven safe.
    public struct SafeState: Hashable, Sendable {
        /// The outputs that are at their safe level, of each wiring in turn; of the later ones only
        /// those on lines that no earlier one has.
        public var outputs: [[Output]]
        /// What failed, each reason once.
        public var failures: [HardwareError]
    }

    /// Drives every output of `wirings` to its safe level and gives it back: for when the daemon
    /// has ended, however it ended.
    ///
    /// The wiring that was in force comes first: where another one disagrees about a line, it is
    /// the first that counts. Goes on after a line that fails.
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
