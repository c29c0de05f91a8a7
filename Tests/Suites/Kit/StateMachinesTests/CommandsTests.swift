import StateMachines
import Testing

@Suite struct CommandsTests {
    private func list(_ numbers: some Sequence<Int>) -> Commands<Int> {
        var commands = Commands<Int>()
        for number in numbers { commands.append(number) }
        return commands
    }

    @Test(arguments: 0...12) func `is a collection like any other`(count: Int) {
        let numbers = Array(0..<count)
        let commands = list(numbers)
        #expect(Array(commands) == numbers)
        #expect(commands.count == count)
        #expect(commands.indices.map { commands[$0] } == numbers)
        #expect(commands.description == numbers.description)
        var seen: [Int] = []
        commands.forEach { seen.append($0) }
        #expect(seen == numbers)
        #expect(Array(commands.translated { -$0 }) == numbers.map { -$0 })
    }

    @Test(arguments: 0...6, 0...6) func `two are joined in order`(one: Int, other: Int) {
        let (first, second) = (Array(0..<one), Array(100..<100 + other))
        #expect(Array(list(first) + list(second)) == first + second)
        var commands = list(first)
        commands.append(contentsOf: list(second))
        #expect(commands == list(first + second))
        #expect(commands.hashValue == list(first + second).hashValue)
        let outcome = Outcome<Int>.handled(list(first)).joined(with: .handled(list(second)))
        #expect(outcome == .handled(list(first + second)))
    }

    @Test func `other commands are not equal`() {
        #expect(Commands(1, 2) != [2, 1])
        #expect(Commands(1, 2, 3) != [1, 2])
        #expect(Commands<Int>() != [1])
    }

    @Test func `a copy does not change with the original`() {
        for count in 0...6 {
            var commands = list(0..<count)
            let copy = commands
            commands.append(99)
            commands.append(contentsOf: [100, 101])
            #expect(Array(copy) == Array(0..<count))
            #expect(Array(commands) == Array(0..<count) + [99, 100, 101])
        }
    }

    @Test func `a place outside is a mistake`() async {
        await #expect(processExitsWith: .failure) { _ = Commands<Int>()[0] }
        await #expect(processExitsWith: .failure) { _ = Commands(1)[1] }
        await #expect(processExitsWith: .failure) { _ = Commands(1, 2)[-1] }
        await #expect(processExitsWith: .failure) { _ = Commands(1, 2, 3)[3] }
        await #expect(processExitsWith: .failure) { _ = Commands(1, 2, 3)[-1] }
    }
}
