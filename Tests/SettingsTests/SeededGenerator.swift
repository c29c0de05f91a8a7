import Foundation

/// Random numbers that follow from a seed: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// The numbers of this seed.
    init(seed: UInt64) { state = seed }

    /// A seed that was never used, printed; or the one in TURNSTILED_SEED, to see a failure again.
    static func newSeed(test: String = #function) -> UInt64 {
        let given = ProcessInfo.processInfo.environment["TURNSTILED_SEED"].flatMap { UInt64($0) }
        let seed = given ?? .random(in: 0...(.max))
        print("\(test): TURNSTILED_SEED=\(seed)")
        return seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// True once in `n` times on average.
    mutating func oneIn(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }
}
