import Hardware
import Turnstile

@testable import Doctor
@testable import GPIOHardware

// Outputs that are let go.
extension Case {
    /// Outputs that were tried and are kept, and what was found of the one that `change` changes.
    private static func tried(
        _ change: @escaping @Sendable (inout LineSurvey.Found) -> Void
    ) -> @Sendable (inout Facts) -> Void {
        { facts in
            (facts.triesOutputs, facts.service, facts.process) = (true, nil, nil)
            facts.survey = facts.wiring.map { LineSurvey(ofTriedBoard: $0, change) }
        }
    }

    static let trial = [
        Case(
            "outputs that somebody else drives", "outputs let go", .warning,
            "they are in use: lock_entry",
            facts: tried { ($0.holder, $0.letGo) = ("gpioset", nil) }),
        Case(
            "an output that falls to the level that energises", "outputs let go", .wrong,
            "level energises: lock_entry",
            facts: tried { $0.letGo = .init(isOutput: false, isEnergised: true) }),
        Case(
            "an output that carries that level still", "outputs let go", .wrong,
            "level energises: lock_entry",
            facts: tried { $0.letGo = .init(isOutput: true, isEnergised: true) }),
        Case(
            "an output that is an input once it is let go", "outputs let go", .warning,
            "released, they are inputs, at the safe level now: lock_entry",
            facts: tried { $0.letGo = .init(isOutput: false, isEnergised: false) }),
        Case(
            "an output that could not be taken", "outputs let go", .warning, "taken: lock_entry",
            facts: { facts in
                tried { _ in }(&facts)
                facts.survey?.lines[.output(.lockEntry)] = .failure(
                    HardwareError(.failed, "gpiod_line_request failed"))
            }),
        Case(
            "outputs that the service drives", "outputs let go", .warning, "a service runs",
            facts: { $0.triesOutputs = true }),
        Case(
            "a service that answers from elsewhere", "outputs let go", .warning, "a service runs",
            facts: { ($0.triesOutputs, $0.process) = (true, nil) }),
        Case(
            "a service that does not answer", "outputs let go", .warning, "a service runs",
            facts: { ($0.triesOutputs, $0.service) = (true, nil) }),
        Case(
            "outputs of another wiring", "outputs let go", .warning, "had another wiring",
            disk: { machine in
                try machine.replace("    stop:  ", with: "    #stop:", in: Machine.settings)
            }, facts: tried { _ in }),
        Case(
            "nobody knows which outputs to try", "outputs let go", .warning, "do not say",
            facts: { ($0.triesOutputs, $0.survey) = (true, nil) }),
    ]
}
