/// Random numbers that follow from a seed: the same ones on every machine, for walks through states
/// that can be walked again.
///
/// The method is Sebastiano Vigna's, in the public domain: https://prng.di.unimi.it/splitmix64.c.
/// It is fast and evenly spread, and no secret.
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// The numbers of this seed.
    public init(seed: UInt64) { state = seed }

    /// The next number, each bit as likely as not.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
