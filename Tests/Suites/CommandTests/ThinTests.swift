import Testing

@Suite struct ThinTests {
    @Test func thin() throws {
        let gate = try FakeGate()
        for arguments in [["status"], ["grant", "entry"], ["faults"], ["registers"], ["status", "--json"]] {
            let command = try Command(arguments, at: gate.address)
            print(command.output, command.errors, command.code)
        }
        gate.stop()
        #expect(gate.calls.count == 1)
    }
}
