import Trace
import Turnstile

/// The visible state of a gate at a step: lines, regions, and credit.
struct StepSnapshot {
    /// The inputs that are active, bounces included.
    let raw: InputLevels
    /// The inputs that are active, as far as they count.
    let debounced: InputLevels
    /// The outputs whose lines carry "energised".
    var energised: OutputSet
    /// The ways that let people through.
    let released: OutputSet
    /// The name of the gate's state.
    let status: String
    /// The names of the regions' states, in the order of ``regions``.
    let states: [String]
    /// The credit, in minor units of the currency.
    let credit: Int

    /// The regions with a few states.
    static let regions: [Gate.Region] = {
        let gate = Turnstile(policy: Policy(price: 1, coinUnit: 1)).gate
        return Gate.Region.allCases.filter { gate.stateName(of: $0) != nil }
    }()

    /// The state after a step.
    init(after step: ReplayedStep) {
        raw = step.levels
        debounced = step.turnstile.inputs
        energised = step.energised
        released = OutputSet(Output.allCases.filter { $0.isWay && step.outputs[$0] })
        status = step.turnstile.status.state.name
        let gate = step.turnstile.gate
        states = Self.regions.map { gate.stateName(of: $0) ?? "" }
        credit = step.turnstile.status.credit
    }
}

extension Equipment {
    /// The inputs that are wired, in their order.
    var wiredInputs: [Input] { Input.allCases.filter { inputs[$0] } }
    /// The outputs that are wired, in their order.
    var wiredOutputs: [Output] { Output.allCases.filter { outputs[$0] } }
    /// The outputs that let people through while they are on.
    var wiredWays: [Output] { wiredOutputs.filter(\.isWay) }
}
