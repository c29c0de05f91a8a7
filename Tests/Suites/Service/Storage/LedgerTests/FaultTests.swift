import FaultDisk
import Glibc
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// Whatever the disk fails at, and whenever, what was confirmed is there after a loss of power.
@Suite struct FaultTests {
    private static let records: [Record] = [.started, .coin(50)]
    let ledger: Folder

    init() throws {
        ledger = try Folder()
        try ledger.make(Self.records)
    }

    /// A ledger that is opened, written, put in its place and closed. The power fails after each
    /// step, or after each from the first failure on: until then all goes as without a fault.
    private static func story(_ teller: Teller, checkedOnceFailed: Bool = false) throws {
        func checkCrash() throws {
            if !checkedOnceFailed || teller.disk.failures > 0 { try teller.checkCrash() }
        }
        for number in 1...7 {
            try teller.write([
                .coin(50 * number), .coinCounted(Coin(.second, pulses: 1, value: 50)),
            ])
            try checkCrash()
        }
        teller.close()
        try checkCrash()
    }

    /// How a disk may fail: at what, and how.
    enum Fault: String, CaseIterable, CustomTestStringConvertible {
        case open, read, write, shortWrite, fullWrite, truncate, sync, lock, shmMap, shmLock
        case delete

        var testDescription: String { rawValue }

        var operation: fault_operation {
            switch self {
            case .open: FAULT_OPEN
            case .read: FAULT_READ
            case .write, .shortWrite, .fullWrite: FAULT_WRITE
            case .truncate: FAULT_TRUNCATE
            case .sync: FAULT_SYNC
            case .lock: FAULT_LOCK
            case .shmMap: FAULT_SHM_MAP
            case .shmLock: FAULT_SHM_LOCK
            case .delete: FAULT_DELETE
            }
        }

        var kind: fault_kind {
            switch self {
            case .shortWrite: FAULT_SHORT
            case .fullWrite: FAULT_FULL
            default: FAULT_IO
            }
        }
    }

    @Test func `without a fault a loss of power takes nothing that was confirmed`() throws {
        let teller = try Teller(ledger, Self.records)
        teller.disk.arm()
        try Self.story(teller)
        // The story asks for all that may fail.
        for fault in Fault.allCases where fault != .truncate {
            #expect(teller.disk.count(fault.operation) > 0, "\(fault)")
        }
        #expect(try teller.folder.contents() == teller.confirmed)
    }

    @Test(arguments: Fault.allCases)
    func `whichever time the disk fails, what was confirmed is kept, and nothing twice`(
        fault: Fault
    ) throws {
        var number = 0
        while true {
            number += 1
            let teller = try Teller(ledger, Self.records)
            teller.disk.arm(fault.operation, fault.kind, nth: number)
            try Self.story(teller, checkedOnceFailed: true)
            if teller.disk.failures == 0 { break }
            #expect(try teller.folder.contents() == teller.confirmed, "\(fault) \(number)")
        }
        #expect(number > 1 || fault == .truncate)
    }

    // The service on such a disk.

    private static func ledger(
        on disk: FaultyDisk, in folder: Folder, bootID: String = "boot"
    ) throws -> Ledger {
        var opening = folder.opening()
        opening.place.vfs = disk.vfs
        return try Ledger(
            opening,
            pace: Pace(
                first: .milliseconds(1), longest: .milliseconds(5), write: .milliseconds(5)))
    }

    @Test(arguments: [false, true])
    func `what a failed sync has left is whole, whichever sync fails after it`(
        isAccepted: Bool
    ) throws {
        var number = 0
        while true {
            number += 1
            let (folder, disk, copy) = (try Folder(), try FaultyDisk(), try Folder())
            try folder.make(Self.records)
            var opening = folder.opening()
            opening.place.vfs = disk.vfs
            do {
                let file = try opening.open().file
                // What the disk did not take is in the kernel's memory all the same.
                disk.arm(FAULT_SYNC)
                #expect(throws: LedgerError.self) {
                    try file.write([.coin(100)], closing: .interval)
                }
                file.abandon()
            }
            disk.arm(FAULT_SYNC, nth: number)
            if isAccepted {
                opening.gate = "south"
                _ = try? LedgerKeeper(opening).accept()
            } else {
                let file = try? opening.open().file
                try? file?.remember()
            }
            try disk.crash(folder, into: copy)
            // It is no older copy of what was noted as the one that was in use.
            let known = try #require(try Place(path: folder["ledger.db"]).remembered())
            let left = try LedgerReader(path: copy["ledger.db"]).open().state
            #expect(left.identity.number == known.identity)
            #expect(left.books.sequence >= known.sequence, "\(number)")
            if disk.failures == 0 { break }
        }
        #expect(number > 2)
    }

    @Test func `a disk that hangs while the ledger is opened holds nobody up`() throws {
        let (folder, disk) = (try Folder(), try FaultyDisk())
        try folder.make([.coin(50)])
        disk.arm(FAULT_READ, FAULT_HANG)
        let ledger = try Self.ledger(on: disk, in: folder)
        defer { disk.release() }
        try disk.awaitHang()
        ledger.write([.coin(100)], at: .zero, confirms: true)
        #expect(ledger.takeAnswers() == [])
        disk.release()
        #expect(try ledger.opened() == Contents([.coin(50)]))
        #expect(ledger.close(within: .seconds(60)))
        #expect(try folder.contents() == Contents([.coin(50), .coin(100)]))
    }

    @Test func `what the disk does not take is not confirmed`() throws {
        let (folder, disk) = (try Folder(), try FaultyDisk())
        let ledger = try Self.ledger(on: disk, in: folder)
        try ledger.opened()
        disk.arm(FAULT_WRITE, FAULT_FULL, times: .max)
        ledger.write([.coin(100)], at: .zero, confirms: false)
        ledger.confirm(1)
        // It is tried once more at the end, with all that was asked for.
        #expect(!ledger.close(within: .seconds(60)))
        let answers = ledger.takeAnswers()
        guard answers.count == 1, case .failed(let reason)? = answers.first else {
            Issue.record("not a failure alone: \(answers)")
            return
        }
        #expect(reason.contains("its disk is full"))
    }

    @Test func `the end of the service waits for a disk that hangs only so long`() throws {
        let (folder, disk) = (try Folder(), try FaultyDisk())
        let ledger = try Self.ledger(on: disk, in: folder)
        try ledger.opened()
        disk.arm(FAULT_SYNC, FAULT_HANG)
        defer { disk.release() }
        ledger.write([.coin(100)], at: .zero, confirms: true)
        try disk.awaitHang()
        #expect(!ledger.close(within: .milliseconds(10)))
        disk.release()
        #expect(ledger.close(within: .seconds(60)))
    }

    @Test func `a ledger that was closed in vain is not waited for once more`() throws {
        let (folder, disk) = (try Folder(), try FaultyDisk())
        var ledger: Ledger? = try Self.ledger(on: disk, in: folder)
        try ledger?.opened()
        disk.arm(FAULT_SYNC, FAULT_HANG)
        defer { disk.release() }
        ledger?.write([.coin(100)], at: .zero, confirms: true)
        try disk.awaitHang()
        #expect(ledger?.close(within: .zero) == false)
        let start = MonotonicTimer.now
        ledger = nil
        #expect(MonotonicTimer.now - start < Ledger.closeTimeout)
        disk.release()
        // The thread needs the disk until it gives the ledger back, and with it the lock.
        // Sound: Swift lends the call the path as a C string.
        let lock = unsafe open(Place(path: folder["ledger.db"]).lock, O_RDWR)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
    }

    @Test func `what fails once it is open is said, though it was said before`() throws {
        let seldom = Pace(first: .seconds(600), longest: .seconds(600))
        var (number, failuresOnceOpen) = (0, 0)
        while true {
            number += 1
            let (folder, disk) = (try Folder(), try FaultyDisk())
            try folder.make([.coin(50)])
            var opening = folder.opening()
            opening.place.vfs = disk.vfs
            disk.arm(FAULT_WRITE, FAULT_FULL)
            let ledger = try Ledger(opening, pace: seldom)
            let said = try ledger.nextAnswers()
            // It is tried once more at the end, and no sooner.
            disk.arm(FAULT_WRITE, FAULT_FULL, nth: number)
            ledger.write([.coin(100)], at: .zero, confirms: false)
            let isWritten = ledger.close(within: .seconds(60))
            let answers = ledger.takeAnswers()
            if disk.failures == 0 { break }
            guard !isWritten, answers.count > 1, case .opened = answers[1] else { continue }
            failuresOnceOpen += 1
            #expect(Array(answers.dropFirst(2)) == said, "\(number)")
        }
        #expect(failuresOnceOpen > 0)
    }

    @Test func `what makes no sense while the service runs has it look at the whole file`() throws {
        let (folder, disk) = (try Folder(), try FaultyDisk())
        let ledger = try Self.ledger(on: disk, in: folder)
        try ledger.opened()
        disk.arm(FAULT_WRITE, FAULT_CORRUPT)
        ledger.write([.coin(100)], at: .zero, confirms: true)
        var answers = try ledger.nextAnswers()
        while answers.count < 2 { answers += try ledger.nextAnswers() }
        guard case .failed(let reason)? = answers.first else {
            Issue.record("nothing failed: \(answers)")
            return
        }
        #expect(reason.contains("database disk image is malformed (11)"))
        #expect(answers.dropFirst() == [.durable])
        #expect(ledger.close(within: .seconds(60)))
        #expect(try folder.contents() == Contents([.coin(100)]))
        #expect(try folder.kinds() == ["ledger_begun", "coin_accepted"])
    }
}
