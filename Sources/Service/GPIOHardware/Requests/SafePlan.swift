import Hardware
import Turnstile

/// A plan for driving outputs safe: every output of several wirings, and each line once.
///
/// If two wirings share a line, the first one determines its safe level. A line that is an input of
/// an earlier wiring is left alone: a contact on it may be closed.
struct SafePlan: Hashable {
    /// The outputs of each wiring, in the order of `Output.allCases`.
    private(set) var outputs: [[PlannedOutput]] = []
    /// Unresolved chips and lines, each reason once.
    private(set) var failures: [HardwareError] = []

    /// Continues after missing chips and lines; `contents` finds the chip of a selector.
    init(
        _ wirings: [Wiring], contents: (ChipSelector) throws(HardwareError) -> ChipContents
    ) {
        var taken: Set<LineIdentity> = []
        for wiring in wirings {
            var planned: [PlannedOutput] = []
            for output in Output.allCases {
                guard let wired = wiring.outputs[output] else { continue }
                do throws(HardwareError) {
                    let line = try contents(wired.chip ?? wiring.chip)
                        .find(wired.line, for: .output(output))
                    guard !taken.contains(line) else { continue }
                    planned.append(PlannedOutput(output, wired, line: line))
                } catch {
                    note(error)
                }
            }
            outputs.append(planned)
            taken.formUnion(planned.map(\.line))
            for (input, wired) in wiring.inputs {
                let line = try? contents(wired.chip ?? wiring.chip)
                    .find(wired.line, for: .input(input))
                if let line { taken.insert(line) }
            }
        }
    }

    /// Adds a failure unless it is known: a missing chip is one failure, however many outputs are
    /// on it.
    mutating func note(_ failure: HardwareError) {
        guard !failures.contains(where: { $0.description == failure.description }) else { return }
        failures.append(failure)
    }
}
