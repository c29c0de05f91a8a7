import Hardware
import Turnstile

/// Lines that do what the test says, at once.
final class TestBank: LineBank {
    let capabilities = Capabilities(name: "test", debounces: true, detectsLostEdges: true)
    let descriptors: [CInt] = [7]
    /// The inputs that are active.
    var active: Set<Input> = []
    /// The inputs that cannot be read.
    var unreadable: Set<Input> = []
    /// The outputs that cannot be read.
    var unreadableOutputs: Set<Output> = []
    /// The outputs that cannot be driven.
    var undrivable: Set<Output> = []
    /// Whether no line works, since the chip is not there any more.
    var isLost = false
    /// The outputs that take every level and carry none.
    var dead: Set<Output> = []
    /// The outputs that are energised.
    private(set) var energised: Set<Output> = []
    /// What waits to be taken.
    var arrivals: [LineEvent] = []

    func takeEvents(at ready: [CInt], _ body: (LineEvent) -> Void) throws(HardwareError) {
        arrivals.forEach(body)
        arrivals = []
    }
    func readInputs(_ failed: (Input, HardwareError) -> Void) -> InputLevels {
        for input in Input.allCases where isLost || unreadable.contains(input) {
            failed(
                input,
                HardwareError(.failed, line: .input(input), "\(input.name) is unreadable"))
        }
        return isLost ? [] : InputLevels(active.subtracting(unreadable))
    }
    func set(_ output: Output, energised isOn: Bool) throws(HardwareError) {
        if undrivable.contains(output) {
            throw HardwareError(.failed, line: .output(output), "\(output.name) is undrivable")
        }
        let carriesIt = isOn && !dead.contains(output)
        if carriesIt { energised.insert(output) } else { energised.remove(output) }
    }
    /// Takes the power from an output that was driven.
    func fail(_ output: Output) { energised.remove(output) }
    func readOutputs(_ failed: (Output, HardwareError) -> Void) -> OutputSet {
        for output in Output.allCases where isLost || unreadableOutputs.contains(output) {
            failed(
                output,
                HardwareError(.failed, line: .output(output), "\(output) is unreadable"))
        }
        return isLost ? [] : OutputSet(energised.subtracting(unreadableOutputs))
    }
    func close() throws(HardwareError) { energised = [] }
}
