import StateMachines
import Testing

@Suite struct CommandsTests {
    @Test(arguments: [0, 1, 7, 8, 9, 20]) func `keep their order, inline and spilled`(count: Int) {
        var commands = Commands<Int>()
        for number in 0..<count { commands.append(number) }
        #expect(Array(commands) == Array(0..<count))
    }
}
