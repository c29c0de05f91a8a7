internal import Foundation

/// Random numbers that follow from a seed, which a failing test names: SplitMix64.
///
/// With `TURNSTILED_SEED` in the environment all generators that choose their own seed take that
/// one, to see a failure again.
public struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible, Sendable {
    /// What all the numbers follow from.
    public let seed: UInt64
    private var state: UInt64

    /// The numbers of this seed.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// The numbers of a seed that was never used, or of the ``givenSeed``.
    public init() {
        self.init(seed: Self.givenSeed ?? .random(in: 0...(.max)))
    }

    /// The seed in `TURNSTILED_SEED`, where there is one.
    public static var givenSeed: UInt64? {
        ProcessInfo.processInfo.environment["TURNSTILED_SEED"].flatMap { UInt64($0) }
    }

    /// The same, with the seed printed beforehand: for a test that may crash.
    public static func announced(test: String = #function) -> SeededGenerator {
        let generator = SeededGenerator()
        print("\(test): \(generator)")
        return generator
    }

    /// The next number; the method is Sebastiano Vigna's, in the public domain.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True once in `count` times on average.
    public mutating func oneIn(_ count: Int) -> Bool {
        Int.random(in: 0..<count, using: &self) == 0
    }

    /// What to run a test with to see the same again.
    public var description: String { "TURNSTILED_SEED=\(seed)" }
}
