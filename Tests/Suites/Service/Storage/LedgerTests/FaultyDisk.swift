import FaultDisk
import Foundation
import StateMachines
import Synchronization
import Testing
import Turnstile

@testable import Ledger

/// A disk that fails when it is told to, and knows what a loss of power would leave of it.
@safe final class FaultyDisk {
    /// What a database is opened with to be on it.
    let vfs: String
    private let disk: OpaquePointer

    private static let count = Atomic(0)

    init() throws {
        vfs = "faulty-\(Self.count.add(1, ordering: .relaxed).newValue)"
        // Sound, here and below: the disk is this object's, which outlives all databases on it.
        guard let disk = unsafe fault_disk_create(vfs) else {
            throw CocoaError(.featureUnsupported)
        }
        unsafe self.disk = disk
    }

    deinit { unsafe fault_disk_destroy(disk) }

    /// How often an operation was asked for since something was armed.
    func count(_ operation: fault_operation) -> Int {
        Int(unsafe fault_disk_count(disk, operation))
    }

    /// How often something failed since then.
    var failures: Int { Int(unsafe fault_disk_failures(disk)) }

    /// Has the operation fail in this way, the nth time from now, and some times more.
    func arm(
        _ operation: fault_operation, _ kind: fault_kind = FAULT_IO, nth: Int = 1, times: Int = 1
    ) {
        unsafe fault_disk_arm(disk, operation, nth, times, kind)
    }

    /// Has nothing fail, and counts from now.
    func arm() { arm(FAULT_OPEN, nth: .max) }

    /// Waits until an operation hangs.
    func awaitHang() throws {
        try #require(unsafe fault_disk_await_hang(disk, 30) == 1, "nothing hangs")
    }

    /// Lets what hangs go on.
    func release() { unsafe fault_disk_release(disk) }

    /// Writes what a loss of power would leave of the ledger into another folder, over what is
    /// there.
    func crash(_ folder: Folder, into copy: Folder) throws {
        for part in ["", "-wal", "-journal", "-shm"] {
            if copy.exists("ledger.db" + part) { try copy.remove("ledger.db" + part) }
            let result = unsafe fault_disk_copy(
                disk, folder["ledger.db" + part], copy["ledger.db" + part])
            try #require(result >= 0)
        }
    }
}

/// Whoever writes a ledger on a faulty disk, tries again as the service does, and notes what was
/// confirmed.
final class Teller {
    let folder: Folder
    let disk: FaultyDisk
    /// What was confirmed, and what was tried last.
    private(set) var confirmed: Contents
    private(set) var tried: Contents
    private var file: LedgerFile?
    private let opening: Opening
    /// Where it is looked at what a loss of power leaves.
    private let soundDisk: FaultyDisk
    private let copy: Folder

    /// On a disk with this ledger, which holds these records.
    init(_ ledger: Folder, _ records: [Record]) throws {
        folder = try Folder()
        disk = try FaultyDisk()
        soundDisk = try FaultyDisk()
        copy = try Folder()
        for name in ["ledger.db", "ledger.db.known"] {
            try folder.write(ledger.bytes(of: name), to: name)
            try copy.write(ledger.bytes(of: name), to: name)
        }
        confirmed = Contents(records)
        tried = confirmed
        var opening = folder.opening()
        opening.place.vfs = disk.vfs
        opening.transactionsPerCheckpoint = 3
        self.opening = opening
    }

    /// Opens the ledger where it is not open, and writes these records; whatever fails is tried
    /// again.
    func write(_ records: [Record]) throws {
        tried = confirmed
        for record in records { tried.count(record) }
        for _ in 0..<3 {
            do {
                let file = try self.file ?? opening.open().file
                self.file = file
                try file.write(
                    records.map { Entry(record: $0, time: .zero) }, missing: 0, contents: tried,
                    wallOffset: .zero, closing: .interval)
                confirmed = tried
                try file.remember()
                return file.compactLog()
            } catch {
                try checkCrash()
                if (error as? LedgerError)?.remedy != .time { file = nil }
            }
        }
        Issue.record("it was tried in vain")
    }

    /// Closes the ledger.
    func close() { file = nil }

    /// A loss of power now leaves what was confirmed, or what was tried as well, and nothing twice.
    /// It is no older copy of what was in use, though that was noted as soon as it could be.
    func checkCrash() throws {
        try disk.crash(folder, into: copy)
        try copy.write(folder.bytes(of: "ledger.db.known"), to: "ledger.db.known")
        var opening = copy.opening()
        opening.place.vfs = soundDisk.vfs
        let left = try opening.open().file.contents
        #expect(left == confirmed || left == tried)
        let coins = try copy.kinds().count { $0 == "coin_accepted" }
        #expect(coins == Int(left.registers.sinceInit.accepted.total))
    }
}
