import CrashImages
import Foundation
import Seeds
import Testing

/// What a disk with a volatile write cache may hold after a loss of power.
@Suite struct VolatileDiskTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// A disk of eight sectors, all `-`, that has carried out all of `requests`.
    private func disk(_ requests: LoggedRequest...) throws -> VolatileDisk {
        let medium = folder.url.appending(path: "medium")
        try Data(String(repeating: "-", count: 8).flatMap(sector)).write(to: medium)
        let log = try WriteLog(log(requests))
        var disk = try VolatileDisk(medium: medium, log: log)
        try disk.advance(to: log.entries.count)
        return disk
    }

    /// What the images of this pattern hold that a hundred seeds make, a letter for each sector.
    private func images(
        of disk: VolatileDisk, _ pattern: Survivors.Pattern
    ) throws -> Set<String> {
        let image = folder.url.appending(path: "image")
        return try Set(
            (0..<100).map { (seed: UInt64) in
                var generator = SeededGenerator(seed: seed)
                try disk.write(disk.survivors(pattern, using: &generator), to: image)
                return try letters(in: image)
            })
    }

    @Test(arguments: Survivors.Pattern.allCases)
    func `what was flushed is there`(pattern: Survivors.Pattern) throws {
        let disk = try disk(.write(1, "ab"), .write(2, "c"), .flush)
        #expect(try images(of: disk, pattern) == ["-ac-----"])
    }

    @Test(arguments: Survivors.Pattern.allCases)
    func `what was forced is there, and what was written over before it is not`(
        pattern: Survivors.Pattern
    ) throws {
        let disk = try disk(.write(1, "a"), .force(1, "b"))
        #expect(try images(of: disk, pattern) == ["-b------"])
    }

    @Test func `a flush keeps what was forced after the write that it brings`() throws {
        let disk = try disk(.write(1, "ab"), .force(1, "c"), .flush)
        #expect(try images(of: disk, .nothing) == ["-cb-----"])
    }

    @Test func `of the rest there may be any sector, and each of its contents`() throws {
        let disk = try disk(.write(0, "a"), .flush, .write(0, "bc"), .write(0, "d"))
        #expect(disk.cachedSectors == 2)
        #expect(
            try images(of: disk, .someSectors)
                == ["a-------", "b-------", "d-------", "ac------", "bc------", "dc------"])
    }

    @Test func `each pattern leaves what it says`() throws {
        let disk = try disk(.write(0, "ab"), .write(4, "cd"))
        #expect(try images(of: disk, .nothing) == ["--------"])
        #expect(try images(of: disk, .everything) == ["ab--cd--"])
        #expect(
            try images(of: disk, .beginning)
                == ["--------", "a-------", "ab------", "ab--c---"])
        let writes: Set = ["ab------", "----cd--"]
        #expect(try images(of: disk, .oneWrite) == writes)
        #expect(try images(of: disk, .allButOneWrite) == writes)
        #expect(
            try images(of: disk, .someWrites) == writes.union(["--------", "ab--cd--"]))
        #expect(
            try images(of: disk, .allButOneSector)
                == ["-b--cd--", "a---cd--", "ab---d--", "ab--c---"])
    }

    @Test func `what was discarded may be there still, or be zeros`() throws {
        let disk = try disk(.write(0, "ab"), .flush, .discard(1, count: 1))
        #expect(try images(of: disk, .someSectors) == ["ab------", "a0------"])
    }

    @Test func `power may go before each request that brings something to the medium`() throws {
        let requests: [LoggedRequest] = [.write(0, "a"), .flush, .force(0, "b"), .write(0, "c")]
        #expect(VolatileDisk.moments(of: try WriteLog(log(requests))) == [1, 2, 4])
    }

    @Test func `the disk goes from moment to moment`() throws {
        let medium = folder.url.appending(path: "medium")
        try Data(String(repeating: "-", count: 8).flatMap(sector)).write(to: medium)
        let requests: [LoggedRequest] = [.write(0, "a"), .flush, .write(1, "b"), .flush]
        var disk = try VolatileDisk(medium: medium, log: try WriteLog(log(requests)))
        var seen: [String] = []
        for position in 0...4 {
            try disk.advance(to: position)
            seen.append(try letters(in: medium))
        }
        #expect(seen == ["--------", "--------", "a-------", "a-------", "ab------"])
    }
}

/// A log that was not written to its end, or is none.
@Suite struct WriteLogTests {
    @Test func `what was not written to its end is no request`() throws {
        let whole = log([.write(0, "a"), .flush, .write(0, "bc")])
        let counts = try stride(from: 0, through: whole.count, by: 512).map { length in
            try WriteLog(whole, length: length).entries.count
        }
        #expect(counts == [0, 0, 0, 1, 2, 2, 2, 3])
    }

    @Test func `a flush that comes with a write comes before it`() throws {
        let log = try WriteLog(log([.flushAndForce(3, "a")]))
        #expect(log.entries.map(\.kind) == [.flush, .write(isForced: true)])
        #expect(log.entries.last?.sectors == 3..<4)
    }

    @Test func `what is no log is refused`() {
        #expect(throws: CrashImageError.self) { try WriteLog(Data(repeating: 1, count: 1024)) }
        // A hole: what an emulator leaves that was killed while it wrote two entries.
        let hole = log([.flush]) + Data(count: 512)
        #expect(throws: CrashImageError.self) { try WriteLog(hole) }
    }
}
