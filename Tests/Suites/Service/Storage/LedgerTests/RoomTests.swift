import FaultDisk
import Glibc
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// A ledger takes no more room than the settings give it, and says so in time.
@Suite struct RoomTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func ledger(room: Int64?, count: Int = 1_000_000) throws -> Ledger {
        var opening = folder.opening()
        opening.limits.room = room
        opening.limits.count = count
        return try Ledger(
            opening,
            pace: Pace(
                first: .milliseconds(1), longest: .milliseconds(5), write: .milliseconds(5)))
    }

    private struct TookAll: Error {}

    private static let many = [Record](repeating: .coin(50), count: 10)

    /// Fills a ledger until it takes no more; returns why, and which per cent were told before.
    private func fill(_ ledger: Ledger) throws -> (reason: String, percent: [Int]) {
        var percent: [Int] = []
        for _ in 0..<1_000 {
            ledger.write(Self.many, at: MonotonicTimer.now, confirms: true)
            ledger.sign()
            var isStored = false
            while !isStored {
                for answer in try ledger.nextAnswers() {
                    switch answer {
                    case .failed(let reason): return (reason, percent)
                    case .noted(.roomRunsOut(let used)): percent.append(used)
                    case .durable: isStored = true
                    default: break
                    }
                }
            }
        }
        throw TookAll()
    }

    @Test func `it says that the room runs out, each per cent once, and then that it is used`()
        throws
    {
        let room: Int64 = 400 * 4_096
        let full = try ledger(room: room)
        try full.opened()
        let (reason, percent) = try fill(full)
        #expect(
            reason
                == "the ledger \(folder["ledger.db"]): it has used up 'ledger.room': raise it, or "
                + "lower 'ledger.records', and restart the service")
        #expect(percent == Array(90...percent.last!) && percent.last! >= 98)
        #expect(!full.close())
        let size = try #require(Files.status(of: folder["ledger.db"])).st_size
        #expect(size <= room && size > room / 100 * 98)
        // What was confirmed is there, and can be verified.
        #expect(try folder.verify().flaw == nil)
    }

    @Test func `a disk that is full is another matter`() throws {
        let disk = try FaultyDisk()
        var opening = folder.opening()
        opening.limits.room = 400 * 4_096
        opening.place.vfs = disk.vfs
        let file = try opening.open().file
        disk.arm(FAULT_WRITE, FAULT_FULL)
        let error = try #require(throws: LedgerError.self) { try file.write([.coin(50)]) }
        #expect(error.problem == "its disk is full: make room")
    }

    @Test(arguments: [nil, 15])
    func `with more room, or fewer records, it goes on`(fewer: Int?) throws {
        let full = try ledger(room: 100 * 4_096)
        try full.opened()
        _ = try fill(full)
        full.close()
        let before = try folder.contents()
        let later =
            try fewer.map { try ledger(room: 100 * 4_096, count: $0) }
            ?? ledger(room: 200 * 4_096)
        #expect(try later.opened() == before)
        for _ in 0..<5 { try later.store(Self.many) }
        #expect(later.close())
        var expected = before
        for _ in 0..<50 { expected.count(.coin(50)) }
        #expect(try folder.contents() == expected)
        #expect(try folder.verify().flaw == nil)
    }

    @Test func `one that is larger than its room stays as large as it is`() throws {
        let first = try ledger(room: nil)
        try first.opened()
        for _ in 0..<50 { try first.store(Self.many) }
        #expect(first.close())
        let later = try ledger(room: 4_096)
        try later.opened()
        later.write(Self.many, at: MonotonicTimer.now, confirms: true)
        guard case .failed(let reason)? = try later.nextAnswers().first else {
            Issue.record("it was taken")
            return
        }
        #expect(reason.contains("'ledger.room'"))
    }
}
