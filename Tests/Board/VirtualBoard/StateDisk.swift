import CrashImages
import Foundation

/// The board's second disk: what the service keeps lies there.
///
/// It has a volatile write cache, and does lose it. QEMU logs each write and each flush in the
/// order in which they were done, so that everything that a loss of power may leave can be made.
final class StateDisk {
    /// What is left whenever the power goes: what was flushed.
    let medium: URL
    /// What the running board reads and writes.
    let live: URL
    private let log: URL

    /// A disk whose files are in `directory`; ``medium`` is to be put there.
    init(in directory: URL) {
        medium = directory.appending(path: "state.ext4")
        live = directory.appending(path: "state-live.ext4")
        log = directory.appending(path: "state.log")
    }

    /// Makes the disk ready for a board that is switched on.
    nonisolated(nonsending) func attach() async throws {
        try await Host.copy(medium, to: live)
        try Data().write(to: log)
    }

    /// How long the log is by now.
    var logEnd: UInt64 {
        get throws {
            let file = try FileHandle(forReadingFrom: log)
            defer { try? file.close() }
            return try file.seekToEnd()
        }
    }

    /// Forgets what was logged beyond this end.
    func endLog(at end: UInt64) throws {
        let file = try FileHandle(forUpdating: log)
        defer { try? file.close() }
        try file.truncate(atOffset: end)
    }

    /// Takes from the disk what was not flushed.
    func losePower() throws {
        let writes = try WriteLog(contentsOf: log)
        var disk = try VolatileDisk(medium: medium, log: writes)
        try disk.advance(to: writes.entries.count)
    }

    /// Copies what was on the disk as the board was switched on, and the log of what it did since,
    /// to a directory.
    nonisolated(nonsending) func record(to directory: URL) async throws {
        try await Host.copy(medium, to: directory.appending(path: "state.ext4"))
        try await Host.copy(log, to: directory.appending(path: "state.log"))
    }

    /// What QEMU is to be told of the disk. Requests are not merged, so that the log has those that
    /// the board's kernel traces.
    var arguments: [String] {
        let file = { (url: URL) in
            #"{"driver": "file", "filename": "\#(url.path)", "cache": {"no-flush": true}}"#
        }
        return [
            "-blockdev",
            """
            {"driver": "blklogwrites", "node-name": "state", "file": \(file(live)), \
            "log": \(file(log))}
            """,
            "-device", "virtio-blk-pci,drive=state,request-merging=off",
        ]
    }
}
