import Hardware
import StateMachines
import Turnstile

/// A plan of requests: a wiring whose chips and lines have been found.
struct RequestPlan: Hashable {
    /// The outputs, in the order of `Output.allCases`.
    private(set) var outputs: [PlannedOutput] = []
    /// The inputs by chip, each group to be one request, in the order of `Input.allCases`.
    private(set) var inputGroups: [[PlannedInput]] = []

    /// Finds the lines of `wiring`, asking `contents` for the chip that a selector means. Throws
    /// for the first line that is not there, or that has two roles.
    init(
        _ wiring: Wiring, contents: (ChipSelector) throws(HardwareError) -> ChipContents
    ) throws(HardwareError) {
        var roles: [LineIdentity: Line] = [:]
        func find(
            _ selector: LineSelector, on chip: ChipSelector?, for role: Line
        ) throws(HardwareError) -> LineIdentity {
            let line = try contents(chip ?? wiring.chip).find(selector, for: role)
            if let other = roles.updateValue(role, forKey: line) {
                throw HardwareError(
                    .misconfigured, line: role, "\(other) and \(role) are both wired to \(line)")
            }
            return line
        }
        for output in Output.allCases {
            guard let wired = wiring.outputs[output] else { continue }
            let line = try find(wired.line, on: wired.chip, for: .output(output))
            outputs.append(PlannedOutput(output, wired, line: line))
        }
        for input in Input.allCases {
            guard let wired = wiring.inputs[input] else { continue }
            let line = try find(wired.line, on: wired.chip, for: .input(input))
            append(PlannedInput(input, wired, line: line))
        }
    }

    private mutating func append(_ input: PlannedInput) {
        let group = inputGroups.firstIndex { $0.first?.line.chip == input.line.chip }
        if let group {
            inputGroups[group].append(input)
        } else {
            inputGroups.append([input])
        }
    }
}

struct PlannedOutput: Hashable {
    var output: Output
    var line: LineIdentity
    /// Whether a low level means "energised".
    var activeLow: Bool

    init(_ output: Output, _ wired: OutputLine, line: LineIdentity) {
        self.output = output
        self.line = line
        activeLow = wired.activeLow
    }
}

struct PlannedInput: Hashable {
    var input: Input
    var line: LineIdentity
    /// Whether a low level means "active".
    var activeLow: Bool
    var bias: Bias
    /// The debounce time for the kernel in microseconds, rounded up.
    var debounceMicroseconds: UInt32

    init(_ input: Input, _ wired: InputLine, line: LineIdentity) {
        self.input = input
        self.line = line
        activeLow = wired.activeLow
        bias = wired.bias
        let debounce = input.entry.needsEveryEdge ? .zero : wired.debounce
        debounceMicroseconds = UInt32(clamping: (debounce.wholeNanoseconds + 999) / 1000)
    }
}
