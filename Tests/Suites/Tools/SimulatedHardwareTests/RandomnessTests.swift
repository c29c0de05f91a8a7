import StateMachines
import Testing

@testable import SimulatedHardware

@Suite struct RandomnessTests {
    @Test(arguments: [0, 10, 100]) func `strays by no more than it may`(percent: Int) {
        var randomness = SplitMix64(seed: 1)
        let reach = Int64(percent) * 1_000_000
        for _ in 0..<1_000 {
            let nanoseconds = randomness.jittered(100_000_000, percent: percent)
            #expect((100_000_000 - reach...100_000_000 + reach).contains(nanoseconds))
        }
    }
}
