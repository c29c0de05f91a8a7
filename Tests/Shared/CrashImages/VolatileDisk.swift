public import Foundation

/// A disk with a volatile write cache, at one moment of its log: what is on the medium, and what a
/// loss of power may or may not leave of the rest.
///
/// The medium holds what was written before the last flush, and what was forced since. Of the rest
/// it may hold anything: any subset of the sectors, and of a sector that was written more than once
/// any of its contents, since the cache writes back in no order.
public struct VolatileDisk {
    /// How many requests of the log the disk has carried out.
    public private(set) var position = 0

    let log: WriteLog
    private let medium: URL
    private let size: Int
    /// The entries since the last flush that were not forced, by their number.
    private(set) var cached: [Int] = []
    /// The last entry that was forced on each sector since the last flush: what is older is gone.
    private(set) var forced: [Int: Int] = [:]

    /// A disk whose medium is the file `medium`, which is written to, and that will do what `log`
    /// says.
    public init(medium: URL, log: WriteLog) throws {
        self.medium = medium
        self.log = log
        let attributes = try FileManager.default.attributesOfItem(atPath: medium.path)
        size = (attributes[.size] as? Int) ?? 0
    }

    /// The moments at which a loss of power takes most: before each request that brings something
    /// to the medium, and after the last of all.
    public static func moments(of log: WriteLog) -> [Int] {
        log.entries.indices.filter { log.entries[$0].isBringing } + [log.entries.count]
    }

    /// Carries out requests until so many are done.
    public mutating func advance(to position: Int) throws {
        precondition(self.position...log.entries.count ~= position, "the disk goes forward only")
        let file = try FileHandle(forUpdating: medium)
        defer { try? file.close() }
        for number in self.position..<position {
            let entry = log.entries[number]
            switch entry.kind {
            case .write(isForced: true):
                try write(entry, to: file)
                for sector in entry.sectors { forced[sector] = number }
            case .write(isForced: false), .discard:
                cached.append(number)
            case .flush:
                try write(all, to: file)
                cached = []
                forced = [:]
            }
        }
        self.position = position
    }

    /// Writes the disk as it may be after a loss of power at this moment: with these sectors of the
    /// cache on the medium, each as this entry left it.
    public func write(_ survivors: Survivors, to image: URL) throws {
        try Data().write(to: image)
        let (source, target) = (
            try FileHandle(forReadingFrom: medium), try FileHandle(forUpdating: image)
        )
        defer {
            try? source.close()
            try? target.close()
        }
        try target.truncate(atOffset: UInt64(size))
        try Self.copyData(from: source, to: target)
        try write(survivors, to: target)
    }

    private func write(_ survivors: Survivors, to file: FileHandle) throws {
        for (sector, number) in survivors.entries {
            try file.seek(toOffset: UInt64(sector * WriteLog.sectorSize))
            try file.write(contentsOf: log.content(of: sector, by: log.entries[number]))
        }
    }

    private func write(_ entry: WriteLog.Entry, to file: FileHandle) throws {
        try file.seek(toOffset: UInt64(entry.sectors.lowerBound * WriteLog.sectorSize))
        try file.write(contentsOf: log.content(of: entry))
    }

    /// Copies what is no hole.
    private static func copyData(from source: FileHandle, to target: FileHandle) throws {
        let (seekData, seekHole): (CInt, CInt) = (3, 4)  // Linux: the module map leaves them out
        var end: off_t = 0
        while case let start = lseek(source.fileDescriptor, end, seekData), start >= 0 {
            end = lseek(source.fileDescriptor, start, seekHole)
            try source.seek(toOffset: UInt64(start))
            try target.seek(toOffset: UInt64(start))
            guard let data = try source.read(upToCount: Int(end - start)), !data.isEmpty else {
                throw CrashImageError("the medium cannot be read at byte \(start)")
            }
            try target.write(contentsOf: data)
        }
    }
}

extension WriteLog.Entry {
    /// Whether it brings something to the medium.
    fileprivate var isBringing: Bool {
        switch kind {
        case .flush, .write(isForced: true): true
        case .write(isForced: false), .discard: false
        }
    }
}
