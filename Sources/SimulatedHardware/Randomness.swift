/// A small seeded generator (SplitMix64): the same seed gives the same numbers on every machine.
public struct Randomness: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// The sequence that `seed` stands for.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next number, each bit as likely as not.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// So many nanoseconds that stray from `nominal` by at most `percent` per cent, either way.
    mutating func jittered(_ nominal: Int64, percent: Int) -> Int64 {
        let reach = nominal * Int64(percent) / 100
        return nominal + Int64.random(in: -reach...reach, using: &self)
    }
}
