import Glibc
import System

// Copies.
extension LedgerReader {
    /// Makes a copy of the ledger as it is at one moment, also while the service has it open: one
    /// file, durable, that may be read by its group and verifies. It has no key in it. Returns its
    /// last checkpoint.
    ///
    /// Throws, and leaves nothing there, where there is a file of that name, or where the ledger is
    /// not what the service wrote.
    public func backUp(to path: String) throws(LedgerError) -> SignedCheckpoint? {
        let copy = Place(path: path)
        guard try Files.find(path) == nil else { throw LedgerError(path, Files.isThere, .time) }
        Self.removeLeftovers(beside: copy)
        let draft = Place(path: "\(try Self.makeFolder(for: copy))/ledger.db")
        let lock = try FileLock(draft)
        defer { withExtendedLifetime(lock) { Self.remove(draft) } }
        try self.copy(to: draft.path)
        let reader = LedgerReader(path: draft.path)
        if let flaw = try LedgerVerification().verify(reader).flaw {
            throw LedgerError(place.path, "no copy of it was made, since \(flaw)", .decision)
        }
        let last = try reader.open().checkpoints().last?.signed
        // Whatever the umask says; there are file systems that have no modes.
        try? Files.share(draft.path)
        try Files.sync(file: draft.path)
        try Files.renameToNew(draft.path, to: path)
        try Files.sync(copy.folder)
        return last
    }

    /// Makes a private folder, beside the copy, to make the copy in. Otherwise others who may write
    /// there could prepare a file of the draft's name, and would get the copy.
    private static func makeFolder(for copy: Place) throws(LedgerError) -> String {
        do throws(LedgerError) {
            return try Files.makeFolder(named: copy.partial)
        } catch {
            guard error.remedy == .person else { throw error }
            // Whosever folder it is: it stays theirs.
            throw LedgerError(
                copy.path,
                "nothing may be written there by \(userName(geteuid())), as which this runs: name "
                    + "another folder", .person)
        }
    }

    private static func remove(_ draft: Place) {
        try? draft.discard(draft.path)
        try? Files.remove(draft.lock)
        Files.removeFolder(draft.folder)
    }

    /// Removes what attempts that were cut short have left: nobody has it locked.
    private static func removeLeftovers(beside copy: Place) {
        for name in (try? File.names(in: copy.folder)) ?? [] {
            let folder = "\(copy.folder)/\(name)"
            let draft = Place(path: "\(folder)/ledger.db")
            guard folder.hasPrefix("\(copy.folder)/\(copy.name).partial-"),
                let status = Files.status(of: folder), status.st_uid == geteuid(),
                status.st_mode & S_IFMT == S_IFDIR, let lock = try? FileLock(draft)
            else { continue }
            withExtendedLifetime(lock) { remove(draft) }
        }
    }

    /// Copies the ledger as it is at one moment into an empty file, or one that is not there.
    func copy(to path: String) throws(LedgerError) {
        // A name that looks like an address would be taken for one.
        let name = path.hasPrefix("/") ? path : "./\(path)"
        try read { database throws(LedgerError) in
            _ = try Schema.find(in: database)
            try database.prepare("VACUUM INTO ?").run(.text(name))
        }
    }
}
