import FaultDisk
import Foundation
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// What is pruned is pruned behind a checkpoint, so that the rest can be verified.
@Suite struct PruningTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func open(_ limits: (inout RecordLimits) -> Void) throws -> LedgerFile {
        var opening = folder.opening()
        limits(&opening.limits)
        return try opening.open().file
    }

    /// Writes so many records on a day from now on, closed in this way.
    private func write(
        _ count: Int, to file: LedgerFile, day: Int = 0, closing occasion: Checkpoint.Occasion?
    ) throws {
        let records = [Record](repeating: .passageCompleted(.exit, .free), count: count)
        var contents = file.state.contents
        for record in records { contents.count(record) }
        try file.write(
            records.map { Entry(record: $0, time: MonotonicTimer.now) }, missing: 0,
            contents: contents, wallOffset: SystemWallClock.offset + .seconds(86_400 * day),
            closing: occasion)
    }

    private func first() throws -> Int64? {
        try folder.rows("SELECT min(sequence) FROM records", columns: 1).first?[0]?.number
    }

    /// The occasions of the checkpoints that are there, as they are written.
    private func occasions() throws -> [String] {
        try LedgerReader(path: folder["ledger.db"]).open().checkpoints()
            .map(\.checkpoint.occasion.text)
    }

    @Test func `records go by their number, half-way as well, and what they came to stays`() throws
    {
        do {
            let file = try open { $0.count = 100 }
            for _ in 0..<3 { try write(100, to: file, closing: .interval) }
            try write(1, to: file, closing: .stop)
        }
        // The deletion is not through with those up to 201.
        let rest = try #require(try first())
        #expect(rest > 1 && rest < 202)
        let verdict = try folder.verify()
        #expect(verdict.flaw == nil && verdict.records == 202...302)
        #expect(verdict.reservations == [])
        var told: [Int64] = []
        try LedgerReader(path: folder["ledger.db"]).forEach { told.append($0.sequence) }
        #expect(told == Array(202...302))
        let snapshot = try LedgerReader(path: folder["ledger.db"]).open()
        #expect(snapshot.sequences == 202...302)
        told = []
        for range: ClosedRange<Int64> in [1...201, 303...400, 150...203, 301...400] {
            try snapshot.forEach(in: range) { told.append($0.sequence) }
            try snapshot.forEachChained(in: range) { told.append(-$0.record.sequence) }
        }
        #expect(told == [202, 203, -202, -203, 301, 302, -301, -302])
        #expect(try folder.contents().registers.sinceInit.passagesMade == 301)
        #expect(try occasions() == ["begin", "interval", "interval", "stop"])
    }

    @Test(arguments: [
        (
            "UPDATE records SET details = 'x' WHERE sequence = 200",
            "the pruned record 199 was altered, or the one behind it"
        ),
        (
            "UPDATE records SET hash = zeroblob(32) WHERE sequence = 201",
            "the pruned record 201 was altered, or the one behind it"
        ),
        (
            "UPDATE records SET hash = x'' WHERE sequence = 160",
            "the pruned record 160 was altered, or the one behind it"
        ),
        (
            "DELETE FROM records WHERE sequence = 160",
            "the pruned record 160 is gone, and one before it is not"
        ),
        (
            "UPDATE records SET sequence = 0 WHERE sequence = (SELECT min(sequence) FROM records)",
            "the record 0 is there, and the records begin with 1"
        ),
        (
            "UPDATE records SET sequence = -5 WHERE sequence = (SELECT min(sequence) FROM records)",
            "the record -5 is there, and the records begin with 1"
        ),
        (
            "UPDATE records SET sequence = 7 WHERE sequence = (SELECT min(sequence) FROM records)",
            "the pruned record 135 is gone, and one before it is not"
        ),
    ])
    func `a row that is left of pruned records is the one that it was`(
        sql: String, flaw: String
    ) throws {
        do {
            let file = try open { $0.count = 100 }
            for _ in 0..<3 { try write(100, to: file, closing: .interval) }
            try write(1, to: file, closing: .stop)
        }
        #expect(try first() == 135)
        #expect(try folder.verify().flaw == nil)
        try folder.execute(sql)
        #expect(try folder.verify().flaw == flaw)
    }

    @Test func `a transaction reads as little while many are to go as ever`() throws {
        let disk = try FaultyDisk()
        var opening = folder.opening()
        opening.place.vfs = disk.vfs
        opening.limits.count = 10
        let file = try opening.open().file
        for count in [10_000, 20] { try write(count, to: file, closing: .interval) }
        #expect(file.state.books[.pruned] == 10_001)
        disk.arm()
        for _ in 0..<3 { try write(1, to: file, closing: nil) }
        #expect(try first() == 1 + 3 * 33)
        // All of those that are to go are some 400 pages, of which a few are kept in memory.
        #expect(disk.count(FAULT_READ) < 60)
    }

    @Test func `records go by their age, and the checkpoints of days and collections stay`() throws
    {
        let file = try open { $0.age = .seconds(10 * 86_400) }
        for day in 0..<20 {
            try write(2, to: file, day: day, closing: .interval)
            try write(1, to: file, day: day, closing: .day(20_260_101 + day))
        }
        for _ in 0..<3 { try write(0, to: file, day: 20, closing: nil) }
        // By the end of the last day but one those of the first nine are too old.
        #expect(try first() == 1 + 3 * 9 + 1)
        let verdict = try folder.verify()
        #expect(verdict.flaw == nil && verdict.records == 29...61)
        let kept = try occasions()
        #expect(kept.count { $0.hasPrefix("day ") } == 20)
        #expect(kept.count { $0 == "interval" } == 11)
    }

    @Test func `a clock that is put forward by years has a day to be set right`() throws {
        let file = try open { $0.age = .seconds(30 * 86_400) }
        for day in 0..<3 { try write(2, to: file, day: day, closing: .day(20_260_101 + day)) }
        for _ in 0..<24 { try write(1, to: file, day: 4_000, closing: .interval) }
        try write(1, to: file, day: 4_000, closing: .day(20_370_101))
        #expect(file.state.books[.pruned] == 0)
        // It was set right in time, and nothing went.
        for day in 4..<8 { try write(1, to: file, day: day, closing: .day(20_260_101 + day)) }
        #expect(try first() == 1 && file.state.books[.pruned] == 0)
        // Who lets it stand means it.
        for day in 4_001..<4_003 { try write(1, to: file, day: day, closing: .day(day)) }
        #expect(file.state.books[.pruned] >= 6)
    }

    @Test func `a clock that begins in 1970 has nothing go that is young`() throws {
        let file = try open { $0.age = .seconds(10 * 86_400) }
        try write(3, to: file, closing: .day(20_260_101))
        // The board comes up without a clock, and then gets the time.
        try file.write(
            [Entry(record: .started, time: MonotonicTimer.now)], missing: 0,
            contents: Contents([.started]), wallOffset: .zero, closing: .interval)
        for day in 1...2 { try write(1, to: file, day: day, closing: .day(20_260_101 + day)) }
        #expect(try first() == 1)
        #expect(file.state.books[.pruned] == 0)
    }

    @Test func `a clock that was ahead for a while has old records go all the same`() throws {
        let file = try open { $0.age = .seconds(10 * 86_400) }
        try write(3, to: file, closing: .interval)
        // It was a year ahead, and was put right.
        try write(1, to: file, day: 365, closing: .interval)
        for day in [1, 2, 20, 21] {
            try write(1, to: file, day: day, closing: .day(20_260_101 + day))
        }
        for _ in 0..<3 { try write(0, to: file, day: 21, closing: nil) }
        #expect(try first() == 8)
        #expect(try folder.verify().flaw == nil)
    }

    @Test func `as many records stay as are to be kept`() throws {
        let file = try open { $0.count = 5 }
        // A checkpoint behind each: what goes is what is beyond the number, and no more.
        for _ in 0..<20 { try write(1, to: file, closing: .interval) }
        #expect(file.state.books.sequence - file.state.books[.pruned] == 5)
    }

    @Test func `what is to go and is still there is told by nobody`() throws {
        let file = try open { $0.count = 5 }
        for _ in 0..<2 { try write(10, to: file, closing: .interval) }
        let pruned = file.state.books[.pruned]
        #expect(try first() == 1 && pruned == 11)
        let snapshot = try LedgerReader(path: folder["ledger.db"]).open()
        let kinds = ["passage_completed"]
        #expect(try snapshot.last(in: 1...pruned, of: kinds) == nil)
        #expect(try snapshot.last(in: 1...21, of: kinds)?.sequence == 21)
    }

    @Test func `limits that have become lower hold from the next start on`() throws {
        do {
            let file = try open { _ in }
            for _ in 0..<4 { try write(10, to: file, closing: .interval) }
        }
        _ = try open { $0.count = 15 }
        let verdict = try folder.verify()
        #expect(verdict.flaw == nil && verdict.records == 22...41)
    }

    @Test func `rows that nobody signed have no records go`() throws {
        do {
            let file = try open { _ in }
            for _ in 0..<3 { try write(2, to: file, closing: .day(20_260_101)) }
        }
        let forger = Forger(folder: folder)
        let signed = try folder.rows("SELECT wall_ns, note FROM checkpoints", columns: 2)
        // As if all had been made long ago, though in no note.
        try forger.execute("UPDATE checkpoints SET wall_ns = number WHERE number < 4")
        let file = try open { $0.age = .seconds(86_400) }
        try write(1, to: file, closing: .interval)
        #expect(file.state.books[.pruned] == 0)
        // Or in a note that the gate did not sign.
        let kept = try #require(try forger.checkpoints.first { $0.row == 2 })
        var checkpoint = kept.checkpoint
        checkpoint.time = .seconds(1_000)
        let other = SigningKey(name: "turnstiled", [UInt8](repeating: 8, count: 32))
        let note = SignedNote(checkpoint.text, by: other).description
        try forger.execute("UPDATE checkpoints SET note = '\(note)' WHERE number = 2")
        try write(1, to: file, closing: .interval)
        #expect(file.state.books[.pruned] == 0 && signed.count == 4)
    }

    @Test func `what an earlier version wrote goes as well`() throws {
        try folder.write(VersionTests.ledger(of: 3), to: "ledger.db")
        let old = try folder.rows("SELECT max(sequence) FROM records", columns: 1).first?[0]?.number
        let last = try #require(old)
        do {
            let file = try open { $0.count = 20 }
            for _ in 0..<3 {
                try write(10, to: file, closing: .interval)
                let verdict = try folder.verify()
                #expect(verdict.flaw == nil)
                #expect(
                    verdict.reservations == [
                        "the records 1 to \(last) have no hashes: an earlier version wrote them"
                    ] || file.state.books[.pruned] >= last)
            }
            for _ in 0..<10 { try write(10, to: file, closing: .interval) }
        }
        #expect(try #require(try first()) > last)
        let verdict = try folder.verify()
        #expect(verdict.flaw == nil && verdict.reservations == [])
        #expect(try occasions().first == "begin")
    }

    @Test func `a slip of what is kept no longer has nothing to be compared with`() throws {
        var slips: [SignedCheckpoint] = []
        let file = try open { $0.count = 5 }
        for _ in 0..<4 {
            slips.append(
                try #require(try file.write([.started, .started, .started], closing: .interval)))
        }
        let verdict = try folder.verify(slips: slips)
        #expect(verdict.flaw == nil)
        #expect(
            verdict.reservations == [
                "the slip 2 (interval) is of records that are kept no longer, and has nothing to "
                    + "be compared with"
            ])
    }
}
