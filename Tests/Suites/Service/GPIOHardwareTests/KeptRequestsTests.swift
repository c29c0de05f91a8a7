import Glibc
import Hardware
import StateMachines
import Testing
import Turnstile

@testable import GPIOHardware

@Suite struct KeptRequestsTests {
    private static let chip = ChipIdentity(name: "gpiochip0", label: "sim", lineCount: 32)
    private static let input = planned(.coinPulse, on: 4)

    private static func planned(_ input: Input, on offset: Int) -> PlannedInput {
        PlannedInput(
            input, InputLine(line: .offset(offset)),
            line: LineIdentity(chip: "gpiochip0", offset: offset, name: ""))
    }

    private static func varied(_ edit: (inout PlannedInput) -> Void) -> PlannedInput {
        var input = input
        edit(&input)
        return input
    }

    /// A descriptor of nothing, and one at which its end shows: reads tell when it was closed.
    private static func makePipe() throws -> (kept: CInt, reader: CInt) {
        var ends: [CInt] = [-1, -1]
        // Sound: two numbers are written.
        try #require(unsafe pipe(&ends) == 0)
        // Whoever reads what is not closed must not wait.
        try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        return (ends[1], ends[0])
    }

    private static func isClosed(_ pipe: (kept: CInt, reader: CInt)) -> Bool {
        var byte: UInt8 = 0
        // Sound: one byte is read into a variable of one byte.
        return unsafe read(pipe.reader, &byte, 1) == 0
    }

    @Test(arguments: [
        [varied { $0.input = .coinPulse2 }], [varied { $0.line.offset = 5 }],
        [varied { $0.line.name = "COIN" }], [varied { $0.activeLow.toggle() }],
        [varied { $0.bias = .pullUp }], [varied { $0.debounceMicroseconds += 1 }],
        [input, planned(.coinPulse2, on: 5)], [planned(.coinPulse2, on: 5), input], [],
    ])
    func `a request of anything else has another name`(other: [PlannedInput]) {
        let name = RequestName([Self.input], on: Self.chip)
        #expect(name == RequestName([Self.input], on: Self.chip))
        #expect(name != RequestName(other, on: Self.chip))
        #expect(name.description.wholeMatch(of: /inputs-[0-9a-f]{16}/) != nil)
    }

    @Test(arguments: [
        ChipIdentity(name: "gpiochip1", label: "sim", lineCount: 32),
        ChipIdentity(name: "gpiochip0", label: "other", lineCount: 32),
        ChipIdentity(name: "gpiochip0", label: "sim", lineCount: 33),
    ])
    func `a request on another chip has another name`(chip: ChipIdentity) {
        #expect(
            RequestName([Self.input], on: Self.chip) != RequestName([Self.input], on: chip))
    }

    @Test func `the name is the same in every process`() {
        let name = RequestName([Self.input], on: Self.chip)
        #expect(name.description == "inputs-a10289ed6844f939")
    }

    @Test func `what does not fit is closed, and what fits stays open`() throws {
        let pipes = try [Self.makePipe(), Self.makePipe(), Self.makePipe()]
        defer { pipes.forEach { close($0.reader) } }
        let names = ["b", "fits", "a"]
        var kept: KeptRequests? = KeptRequests(Array(zip(names, pipes.map(\.kept))))
        #expect(kept?.drop { $0 != "fits" } == ["a", "b"])
        #expect(kept?.names == ["fits"])
        #expect(kept?["fits"] == pipes[1].kept)
        #expect(pipes.map(Self.isClosed) == [true, false, true])
        kept = nil
        #expect(Self.isClosed(pipes[1]))
    }

    @Test func `of two of one name the first counts`() throws {
        let pipes = try [Self.makePipe(), Self.makePipe()]
        defer { pipes.forEach { close($0.reader) } }
        let kept = KeptRequests([("a", pipes[0].kept), ("a", pipes[1].kept)])
        #expect(kept["a"] == pipes[0].kept)
        #expect(pipes.map(Self.isClosed) == [false, true])
    }
}
