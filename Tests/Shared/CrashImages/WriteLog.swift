public import Foundation

/// What a disk was told, in the order in which it was done: the log that QEMU's `blklogwrites`
/// keeps, in the format of the Linux kernel's dm-log-writes.
///
/// The log's superblock counts the entries as of the last flush only; here all count that are in
/// the file.
public struct WriteLog {
    /// One request that the disk has carried out.
    public struct Entry: Hashable, Sendable {
        /// What it asked for.
        public enum Kind: Hashable, Sendable {
            /// Sectors were written; `isForced` (FUA) says that they were on the medium at once.
            case write(isForced: Bool)
            /// What was written before was brought to the medium.
            case flush
            /// The sectors are needed no more, and read as zeros.
            case discard
        }

        /// What it asked for.
        public var kind: Kind
        /// Its sectors; none for a flush.
        public var sectors: Range<Int>
        /// Where in the log what was written begins.
        fileprivate var place: Int
    }

    /// The bytes of a sector, the most that a disk writes as a whole.
    public static let sectorSize = 512

    /// The requests, oldest first.
    public let entries: [Entry]
    private let bytes: Data

    /// Reads the log in a file, or as much of it as `length` bytes.
    public init(contentsOf file: URL, length: Int? = nil) throws {
        try self.init(Data(contentsOf: file, options: .alwaysMapped), length: length)
    }

    /// Reads the log in `bytes`.
    public init(_ bytes: Data, length: Int? = nil) throws {
        self.bytes = bytes
        let end = min(length ?? bytes.count, bytes.count)
        var entries: [Entry] = []
        // A disk that was never flushed has no superblock yet.
        var place = Self.sectorSize
        if end >= Self.sectorSize, bytes.number(at: 0) != 0 {
            guard bytes.number(at: 0) == Self.magic, bytes.number(at: 8) == 1,
                bytes.number(at: 24) & 0xFFFF_FFFF == Self.sectorSize
            else { throw CrashImageError("this is no log of writes in sectors of 512 bytes") }
        }
        while place + Self.sectorSize <= end {
            place = try Self.read(at: place, of: bytes, end: end, into: &entries)
        }
        self.entries = entries
    }

    /// Reads the entry at `place`, which may come to two, and returns where the next one is.
    private static func read(
        at place: Int, of bytes: Data, end: Int, into entries: inout [Entry]
    ) throws -> Int {
        let first = bytes.number(at: place)
        let count = bytes.number(at: place + 8)
        let flags = bytes.number(at: place + 16)
        let data = place + sectorSize
        let sectors = first..<(first + count)
        if flags & flushFlag != 0 { entries.append(Entry(kind: .flush, sectors: 0..<0, place: 0)) }
        guard flags & ~(flushFlag | forcedFlag | discardFlag | metadataFlag) == 0,
            flags != 0 || count > 0
        else { throw CrashImageError("the log has an entry with flags \(flags) at byte \(place)") }
        guard count > 0 else { return data }
        if flags & discardFlag != 0 {
            entries.append(Entry(kind: .discard, sectors: sectors, place: 0))
            return data
        }
        // What was not written to the end was not acknowledged either.
        guard data + count * sectorSize <= end else { return end }
        let kind = Entry.Kind.write(isForced: flags & forcedFlag != 0)
        entries.append(Entry(kind: kind, sectors: sectors, place: data))
        return data + count * sectorSize
    }

    /// What `entry` left in one of its sectors.
    func content(of sector: Int, by entry: Entry) -> Data {
        guard case .write = entry.kind else { return Data(count: Self.sectorSize) }
        let place = entry.place + (sector - entry.sectors.lowerBound) * Self.sectorSize
        return bytes[place..<(place + Self.sectorSize)]
    }

    /// What `entry` left in all of its sectors.
    func content(of entry: Entry) -> Data {
        let count = entry.sectors.count * Self.sectorSize
        guard case .write = entry.kind else { return Data(count: count) }
        return bytes[entry.place..<(entry.place + count)]
    }

    private static let magic = 0x6A_7366_7773_6872
    private static let flushFlag = 1
    private static let forcedFlag = 2
    private static let discardFlag = 4
    private static let metadataFlag = 16
}

extension Data {
    /// The number of 64 bits at an offset, lowest byte first.
    fileprivate func number(at offset: Int) -> Int {
        let start = startIndex + offset
        return self[start..<(start + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// What is wrong with a log of writes, or with an image made of it.
public struct CrashImageError: Error, CustomStringConvertible {
    /// The whole sentence.
    public var description: String

    /// An error with its sentence.
    public init(_ description: String) { self.description = description }
}
