import Hardware
import Testing
import Turnstile

@testable import GPIOHardware

/// Lines without names, on chips called like their labels.
private func contents(_ selector: ChipSelector) throws(HardwareError) -> ChipContents {
    guard case .label(let label) = selector, label != "gone" else {
        throw HardwareError(.missing, "no GPIO chip is labelled \"gone\"")
    }
    let lines = (0..<32).map { offset in
        LineState(
            identity: LineIdentity(chip: label, offset: offset, name: ""), isUsed: false,
            consumer: "")
    }
    return ChipContents(
        identity: ChipIdentity(name: label, label: label, lineCount: 32), lines: lines)
}

@Suite struct SafePlanTests {
    /// All outputs, on lines from `first` on.
    private func all(from first: Int, activeLow: Bool = false) -> Wiring {
        var wiring = Wiring(chip: .label("board"), inputs: [:], outputs: [:])
        for (index, output) in Output.allCases.enumerated() {
            wiring.outputs[output] = OutputLine(
                line: .offset(first + index), activeLow: activeLow, maximumOnTime: nil)
        }
        return wiring
    }

    @Test func `every output of every wiring is driven`() {
        let plan = SafePlan([all(from: 0), all(from: 16)], contents: contents)
        #expect(plan.outputs.map { $0.map(\.output) } == [Output.allCases, Output.allCases])
        #expect(
            plan.outputs.joined().map(\.line.offset)
                == Array(0..<Output.allCases.count) + (16..<(16 + Output.allCases.count)))
        #expect(plan.failures == [])
    }

    @Test(arguments: Output.allCases) func `no output is left out`(output: Output) {
        var wiring = all(from: 0)
        wiring.outputs = wiring.outputs.filter { $0.key == output }
        var other = all(from: 16)
        other.outputs = other.outputs.filter { $0.key == output }
        let plan = SafePlan([wiring, other], contents: contents)
        #expect(plan.outputs.map { $0.map(\.output) } == [[output], [output]])
    }

    @Test func `a line that both have is driven once, as the first one says`() {
        let plan = SafePlan([all(from: 0), all(from: 3, activeLow: true)], contents: contents)
        #expect(plan.outputs[0].count == Output.allCases.count)
        #expect(plan.outputs[0].allSatisfy { !$0.activeLow })
        #expect(plan.outputs[1].map(\.output) == Array(Output.allCases.suffix(3)))
    }

    @Test func `a contact of the first is no output of the second`() {
        var first = all(from: 16)
        first.inputs[.fire] = InputLine(line: .offset(0))
        let plan = SafePlan([first, all(from: 0)], contents: contents)
        #expect(plan.outputs[1].map(\.output) == Array(Output.allCases.dropFirst()))
    }

    @Test func `a chip that is not there is one failure, and keeps no other from being driven`() {
        var wiring = all(from: 0)
        for output in Output.allCases.prefix(4) { wiring.outputs[output]?.chip = .label("gone") }
        let plan = SafePlan([wiring, wiring], contents: contents)
        #expect(plan.outputs[0].map(\.output) == Array(Output.allCases.dropFirst(4)))
        #expect(plan.failures.map(\.description) == ["no GPIO chip is labelled \"gone\""])
    }

    @Test func `lines that are not there are a failure each`() {
        let plan = SafePlan([all(from: 31)], contents: contents)
        #expect(plan.outputs[0].count == 1)
        #expect(plan.failures.count == Output.allCases.count - 1)
    }
}
