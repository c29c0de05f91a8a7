import Glibc
import System

/// The path of a ledger, and of the files beside it, whose names all begin with its name.
struct Place: Sendable {
    let path: String
    /// The SQLite file system; nil for the default.
    var vfs: String?

    /// A ledger being made: unusable until it is complete.
    var partial: String { path + ".partial" }
    /// A complete ledger, which replaces the present one.
    var ready: String { path + ".new" }
    /// Identifies the ledger that was last in use.
    var known: String { path + ".known" }
    /// The private key of the checkpoints, for the service alone.
    var key: String { path + ".key" }
    /// Locked by the process that has the ledger open.
    var lock: String { path + ".lock" }
    /// SQLite's write-ahead log.
    var log: String { path + "-wal" }
    var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    var name: Substring { path.lastIndex(of: "/").map { path[$0...].dropFirst() } ?? path[...] }

    /// The suffixes of a database's files.
    private static let parts = ["", "-wal", "-shm", "-journal"]

    /// All files of the ledger in use.
    var names: [String] { Self.parts.map { path + $0 } + [partial, ready, known, key, lock] }
}

// Replacing one ledger by another. At any power failure one of them is complete: a new ledger has
// another name until it is durable, and takes its place by a rename. Before that it is written down
// as the one in use, so that no other file of that name takes the place. The old one is renamed
// first, so that its log never lies beside the new one.
extension Place {
    /// Puts the ready ledger in place, and sets the present one aside; returns the new path of the
    /// latter, nil if it was missing.
    func exchange(_ ledger: Remembered) throws(LedgerError) -> String? {
        try remember(ledger)
        let aside = try setAside(path)
        try Files.rename(ready, to: path)
        try Files.sync(folder)
        return aside
    }

    /// Renames the durable partial ledger to the ready one.
    func makeReady() throws(LedgerError) {
        try Files.share(partial)
        try Files.matchOwner(of: folder, partial)
        try Files.sync(file: partial)
        try Files.rename(partial, to: ready)
        try Files.sync(folder)
    }

    /// Lets the folder's group read the ledger and its log, for reports.
    func share() throws(LedgerError) {
        for part in Self.parts { try Files.share(path + part) }
    }

    /// Removes the files that an interrupted attempt left of a database at `name`.
    func discard(_ name: String) throws(LedgerError) {
        for part in Self.parts { try Files.remove(name + part) }
    }

    /// Renames the ledger at `name` and its files, never over another file; returns the new name,
    /// or nil if all are missing.
    func setAside(_ name: String) throws(LedgerError) -> String? {
        let parts = Self.parts.filter { Files.status(of: name + $0) != nil }
        guard let first = parts.first else { return nil }
        // A log without its ledger: the power failed after the first rename.
        var number = first.isEmpty ? 1 : max(1, lastSetAside)
        while parts.contains(where: { Files.status(of: asideName(number) + $0) != nil }) {
            number += 1
        }
        for part in parts { try Files.rename(name + part, to: asideName(number) + part) }
        try Files.sync(folder)
        return asideName(number)
    }

    private func asideName(_ number: Int) -> String { "\(path).set-aside-\(number)" }

    private var lastSetAside: Int {
        var number = 0
        while Files.status(of: asideName(number + 1)) != nil { number += 1 }
        return number
    }
}

// The ledger in use.
extension Place {
    /// The ledger that was last in use here; nil before the first.
    func remembered() throws(LedgerError) -> Remembered? {
        guard try Files.hasFile(known) else { return nil }
        return try Remembered(try Files.read(known, atMost: 1_024), of: self)
    }

    func remember(_ ledger: Remembered) throws(LedgerError) { try write(ledger.text, to: known) }

    /// Replaces a file beside the ledger, durably and atomically.
    func write(_ text: String, to name: String, mode: mode_t = 0o644) throws(LedgerError) {
        let draft = name + ".partial"
        try Files.write(text, to: draft, mode: mode)
        try Files.matchOwner(of: folder, draft)
        try Files.rename(draft, to: name)
        try Files.sync(folder)
    }
}

// Checks before SQLite opens the file.
extension Place {
    /// Throws if the folder is missing or not writable, or its disk not mounted.
    func checkFolder() throws(LedgerError) {
        if let obstacle = File.obstacle(inFolder: folder) {
            throw LedgerError(path, obstacle, .time)
        }
        try Files.checkWritable(folder)
    }

    /// Whether the file exists. Throws if it cannot be a ledger, or is not writable.
    func find() throws(LedgerError) -> Bool {
        guard let status = try Files.find(path) else { return false }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK:
            throw LedgerError(
                path, "it is a link: have 'ledger.path' name the file itself", .decision)
        default: throw LedgerError(path, "it is no file", .decision)
        }
        if status.st_size == 0 { throw LedgerError(path, damage: "it is empty") }
        try Files.checkWritable(path)
        return true
    }

    /// The error if the ledger last in use is missing; nil if none was.
    func missingError() throws(LedgerError) -> LedgerError? {
        guard try remembered() != nil else { return nil }
        return LedgerError(path, "it is gone; there was one, according to \(known)", .decision)
    }
}
