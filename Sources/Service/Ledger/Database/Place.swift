import Glibc
import System

/// Where a ledger lies, and what lies beside it. All names begin with that of the ledger.
struct Place: Sendable {
    let path: String
    /// What SQLite reads and writes files through; nil for the system's own calls.
    var vfs: String?

    /// A ledger that is being made: of no use until it is complete.
    var partial: String { path + ".partial" }
    /// A ledger that is complete, and takes its place once the one before is out of the way.
    var ready: String { path + ".new" }
    /// Which ledger was last in use here.
    var known: String { path + ".known" }
    /// What the ledger's checkpoints are signed with: for the service alone.
    var key: String { path + ".key" }
    /// What the process that has the ledger open keeps locked.
    var lock: String { path + ".lock" }
    /// What SQLite writes before it puts it in its place in the ledger.
    var log: String { path + "-wal" }
    var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    var name: Substring { path.lastIndex(of: "/").map { path[$0...].dropFirst() } ?? path[...] }

    /// A database of SQLite is the file of this name, and what it keeps beside it.
    private static let parts = ["", "-wal", "-shm", "-journal"]

    /// All that lies here of the ledger that is in use.
    var names: [String] { Self.parts.map { path + $0 } + [partial, ready, known, key, lock] }
}

// One ledger in the place of another.
//
// Whatever moment the power fails at, one of them is complete: a ledger that is being made has
// another name until it is durable, and takes its place by a rename. One that is there before goes
// first, so that no log of the old one ever lies beside the new one.
extension Place {
    /// Puts this ledger, which lies ready, in its place, with the one that is there set aside.
    /// Returns where that is now; nil where there was none.
    func exchange(_ ledger: Remembered) throws(LedgerError) -> String? {
        let aside = try setAside(path)
        try remember(ledger)
        try Files.rename(ready, to: path)
        try Files.sync(folder)
        return aside
    }

    /// Has the partial ledger, which is durable, lie ready.
    func makeReady() throws(LedgerError) {
        try Files.share(partial)
        try Files.matchOwner(of: folder, partial)
        try Files.sync(file: partial)
        try Files.rename(partial, to: ready)
        try Files.sync(folder)
    }

    /// Has the folder's group read the ledger, log and all: whoever reports what it comes to.
    func share() throws(LedgerError) {
        for part in Self.parts { try Files.share(path + part) }
    }

    /// Removes what an attempt that was cut short left of a database at `name`.
    func discard(_ name: String) throws(LedgerError) {
        for part in Self.parts { try Files.remove(name + part) }
    }

    /// Renames the ledger at `name` and all that belongs to it, never over another file; returns
    /// the new name, or nil where there is nothing to rename.
    func setAside(_ name: String) throws(LedgerError) -> String? {
        let parts = Self.parts.filter { Files.status(of: name + $0) != nil }
        guard let first = parts.first else { return nil }
        // Its log without itself: the power failed just after it was renamed.
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

// Which ledger was in use here.
extension Place {
    /// The ledger that was last in use here; nil where there was none yet.
    func remembered() throws(LedgerError) -> Remembered? {
        guard try Files.hasFile(known) else { return nil }
        let lines = try Files.read(known, atMost: 256).split(separator: "\n").map(String.init)
        return Remembered(
            identity: lines.first ?? "",
            sequence: lines.dropFirst().first.flatMap { Int64($0) } ?? 0,
            key: lines.dropFirst(2).first)
    }

    func remember(_ ledger: Remembered) throws(LedgerError) {
        let lines = [ledger.identity, "\(ledger.sequence)"] + (ledger.key.map { [$0] } ?? [])
        try write(lines.map { $0 + "\n" }.joined(), to: known)
    }

    /// Has a file beside the ledger be of this text, durable, and whole at every moment.
    func write(_ text: String, to name: String, mode: mode_t = 0o644) throws(LedgerError) {
        let draft = name + ".partial"
        try Files.write(text, to: draft, mode: mode)
        try Files.matchOwner(of: folder, draft)
        try Files.rename(draft, to: name)
        try Files.sync(folder)
    }
}

/// What is known of the ledger that was in use at a place.
struct Remembered: Hashable {
    var identity: String
    /// The number of a record that was in it: an older copy of it ends before.
    var sequence: Int64
    /// What verified its checkpoints; nil where that was not kept in mind.
    var key: String?
}

// What can be said before SQLite sees the file.
extension Place {
    /// Throws where the folder is missing, its disk not mounted, or it may not be written.
    func checkFolder() throws(LedgerError) {
        if let obstacle = File.obstacle(inFolder: folder) {
            throw LedgerError(path, obstacle, .time)
        }
        try Files.checkWritable(folder)
    }

    /// Whether it is there. Throws for what no ledger can be, and where it may not be written.
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

    /// That there is no ledger where there was one.
    func missingError() throws(LedgerError) -> LedgerError? {
        guard try remembered() != nil else { return nil }
        return LedgerError(path, "it is gone, and there was one, by \(known)", .decision)
    }
}
