import Glibc
import System

// Copies.
extension LedgerReader {
    /// Copies the ledger at one moment, also while the service has it open: one durable, verifiable
    /// file, without the key, readable for its group. Returns its last checkpoint.
    ///
    /// Throws, and leaves no file, if a file of that name exists, or the ledger was altered.
    public func backUp(to path: String) throws(LedgerError) -> SignedCheckpoint? {
        let copy = Place(path: path)
        guard try Files.find(path) == nil else {
            throw LedgerError(path, Files.alreadyExists, .time)
        }
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
        // Overrides the umask; some file systems have no modes.
        try? Files.share(draft.path)
        try Files.sync(file: draft.path)
        try Files.renameToNew(draft.path, to: path)
        try Files.sync(copy.folder)
        return last
    }

    /// Makes a private folder beside the copy, to write in. Otherwise others who may write there
    /// could plant a file of the draft's name, and would get the copy.
    private static func makeFolder(for copy: Place) throws(LedgerError) -> String {
        do throws(LedgerError) {
            return try Files.makeFolder(named: copy.partial)
        } catch {
            guard error.remedy == .person else { throw error }
            // The folder's owner stays.
            throw LedgerError(
                copy.path,
                "this runs as \(userName(geteuid())), who may not write there: name another folder",
                .person)
        }
    }

    private static func remove(_ draft: Place) {
        try? draft.discard(draft.path)
        try? Files.remove(draft.lock)
        Files.removeFolder(draft.folder)
    }

    /// Removes the drafts of interrupted attempts: those that no process has locked.
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

    /// Copies the ledger at one moment into an empty or new file.
    func copy(to path: String) throws(LedgerError) {
        // A name like a URI would be parsed as one.
        let name = path.hasPrefix("/") ? path : "./\(path)"
        try read { database throws(LedgerError) in
            _ = try Schema.find(in: database)
            try database.prepare("VACUUM INTO ?").run(.text(name))
        }
    }
}
