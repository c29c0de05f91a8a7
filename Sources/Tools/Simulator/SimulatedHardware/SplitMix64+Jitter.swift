internal import StateMachines

extension SplitMix64 {
    /// So many nanoseconds that stray from `nominal` by at most `percent` per cent, either way.
    mutating func jittered(_ nominal: Int64, percent: Int) -> Int64 {
        let reach = nominal * Int64(percent) / 100
        return nominal + Int64.random(in: -reach...reach, using: &self)
    }
}
