import Testing

@testable import SimulatedHardware

@Suite struct RandomnessTests {
    /// The first numbers of the generator's reference implementation for the seed 1234567.
    @Test func `gives the numbers that everybody gets`() {
        var randomness = Randomness(seed: 1_234_567)
        let numbers = (0..<5).map { _ in randomness.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test(arguments: [0, 10, 100]) func `strays by no more than it may`(percent: Int) {
        var randomness = Randomness(seed: 1)
        let reach = Int64(percent) * 1_000_000
        for _ in 0..<1_000 {
            let nanoseconds = randomness.jittered(100_000_000, percent: percent)
            #expect((100_000_000 - reach...100_000_000 + reach).contains(nanoseconds))
        }
    }
}
