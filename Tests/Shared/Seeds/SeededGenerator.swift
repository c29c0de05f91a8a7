internal import Foundation
internal import StateMachines

/// Random numbers that follow from a seed, which a failing test names.
///
/// With `TURNSTILED_SEED` in the environment all generators that choose their own seed take that
/// one, to see a failure again.
public struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible, Sendable {
    /// What all the numbers follow from.
    public let seed: UInt64
    private var numbers: SplitMix64

    /// The numbers of this seed.
    public init(seed: UInt64) {
        self.seed = seed
        numbers = SplitMix64(seed: seed)
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

    /// How often to try what is drawn anew in each run: `atNight` times with `TURNSTILED_NIGHT` in
    /// the environment, and a fifth of that otherwise.
    public static func rounds(_ atNight: Int) -> Range<Int> {
        0..<(ProcessInfo.processInfo.environment["TURNSTILED_NIGHT"] == nil ? atNight / 5 : atNight)
    }

    /// The next number.
    public mutating func next() -> UInt64 { numbers.next() }

    /// True once in `count` times on average.
    public mutating func oneIn(_ count: Int) -> Bool {
        Int.random(in: 0..<count, using: &self) == 0
    }

    /// What to run a test with to see the same again.
    public var description: String { "TURNSTILED_SEED=\(seed)" }
}
