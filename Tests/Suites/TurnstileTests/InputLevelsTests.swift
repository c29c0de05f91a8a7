import Testing
import Turnstile

@Suite struct InputLevelsTests {
    @Test(arguments: Input.allCases) func `every input has a bit of its own`(input: Input) {
        var levels = InputLevels()
        levels[input] = true
        #expect(Input.allCases.filter { levels[$0] } == [input])
        #expect(Input.allCases[input.index] == input)
    }
}
