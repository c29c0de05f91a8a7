/// What of a disk's cache a loss of power leaves: sectors, each as a certain entry of the log left
/// it.
public struct Survivors: Hashable, Sendable {
    /// The number of the entry, by sector.
    public private(set) var entries: [Int: Int] = [:]

    /// How a cache may be when the power goes.
    public enum Pattern: CaseIterable, Sendable {
        /// Nothing had been written back.
        case nothing
        /// All had.
        case everything
        /// It was written back in order, and the power went within a write.
        case beginning
        /// Some of the writes had been, each as a whole.
        case someWrites
        /// Some of the sectors had been.
        case someSectors
        /// One write had been, and no other.
        case oneWrite
        /// All but one had.
        case allButOneWrite
        /// All but one sector had.
        case allButOneSector
    }

    /// Those that `reaches` says of: a sector of an entry that reaches the medium.
    init(of disk: VolatileDisk, where reaches: (_ entry: Int, _ sector: Int) -> Bool) {
        for number in disk.cached {
            for sector in disk.log.entries[number].sectors
            where disk.forced[sector].map({ $0 < number }) ?? true && reaches(number, sector) {
                entries[sector] = number
            }
        }
    }
}

extension VolatileDisk {
    /// All that is in the cache.
    var all: Survivors { Survivors(of: self) { _, _ in true } }

    /// How many sectors the cache holds.
    public var cachedSectors: Int { all.entries.count }

    /// What a loss of power leaves by this pattern, chosen by `generator` where there is a choice.
    public func survivors(
        _ pattern: Survivors.Pattern, using generator: inout some RandomNumberGenerator
    ) -> Survivors {
        guard let chosen = cached.randomElement(using: &generator),
            let torn = log.entries[chosen].sectors.randomElement(using: &generator)
        else { return all }
        switch pattern {
        case .nothing: return Survivors(of: self) { _, _ in false }
        case .everything: return all
        case .beginning:
            return Survivors(of: self) { entry, place in
                entry < chosen || entry == chosen && place < torn
            }
        case .someWrites:
            let some = Set(cached.filter { _ in .random(using: &generator) })
            return Survivors(of: self) { entry, _ in some.contains(entry) }
        case .someSectors:
            // Few of them, half of them, or most: each tears in other places.
            let percent = Int.random(in: 1...99, using: &generator)
            return Survivors(of: self) { _, _ in
                Int.random(in: 0..<100, using: &generator) < percent
            }
        case .oneWrite: return Survivors(of: self) { entry, _ in entry == chosen }
        case .allButOneWrite: return Survivors(of: self) { entry, _ in entry != chosen }
        case .allButOneSector:
            return Survivors(of: self) { entry, sector in entry != chosen || sector != torn }
        }
    }
}
