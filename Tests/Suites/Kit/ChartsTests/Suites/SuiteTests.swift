import Charts
import StateMachines
import Testing

/// Charts of the suites that others measure themselves by: what they do is what the suite says.
@Suite struct SuiteTests {
    static let cases = w3c + scion + Words.beyond
    static let w3c =
        Words.w3cSelection + Words.w3cOrder + Words.w3cStructure + Words.w3cHistory
    static let scion =
        Words.scionBasics + Words.scionRaising + Words.scionContext + Words.scionParallel
        + Words.scionMoreParallel + Words.scionInterrupts + Words.scionHistory

    @Test(arguments: cases) func `a case does what its suite says`(_ one: Case) {
        #expect(throws: Never.self) {
            try one.check { machine, event, said in
                said += Array(machine.handle(event).commands)
            }
        }
    }

    @Test(arguments: cases)
    func `a case does what its suite says, when commands are run as they come`(
        _ one: Case
    ) {
        #expect(throws: Never.self) {
            try one.check { machine, event, said in
                _ = machine.handle(event) { said.append($0) }
            }
        }
    }

    @Test func `each case is told once, and there is none that cannot be`() {
        let told = Self.cases.map(\.name) + TimedCaseTests.names + PayloadCaseTests.names
        #expect(Set(told).count == told.count)
        #expect(Set(told).isDisjoint(with: Unexpressed.cases.flatMap(\.names)))
        #expect(Set(told).isSuperset(of: Unexpressed.saidOtherwise.flatMap(\.names)))
    }
}
