import CLinux
import Glibc

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
        let draft = try Draft(of: copy)
        defer { draft.close() }
        do throws(LedgerError) {
            try self.copy(to: copy.partial)
            let reader = LedgerReader(path: copy.partial)
            if let flaw = try LedgerVerification().verify(reader).flaw {
                throw LedgerError(place.path, "no copy of it was made, since \(flaw)", .decision)
            }
            let last = try reader.open().checkpoints().last?.signed
            try Files.sync(file: copy.partial)
            try Files.renameToNew(copy.partial, to: copy.path)
            try Files.sync(copy.folder)
            return last
        } catch {
            try? copy.discard(copy.partial)
            throw error
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

/// The file that a copy is made in, by one process at a time.
private struct Draft {
    private let descriptor: CInt

    /// Makes it, empty, in place of one that an attempt which was cut short has left.
    init(of copy: Place) throws(LedgerError) {
        guard try Files.find(copy.path) == nil else {
            throw LedgerError(copy.path, Files.isThere, .time)
        }
        do throws(LedgerError) {
            descriptor = try Files.open(copy.partial, O_RDWR | O_CREAT, Files.groupReadable)
        } catch {
            guard error.remedy == .person else { throw error }
            // Whosever folder it is: it stays theirs.
            throw LedgerError(
                copy.path,
                "nothing may be written there by \(userName(geteuid())), as which this runs: name "
                    + "another folder", .person)
        }
        do throws(LedgerError) {
            // Whoever made it may have finished since: then this is the copy by now.
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
                Files.number(of: copy.partial) == Files.number(of: descriptor)
            else { throw LedgerError(copy.path, "another process is making it", .time) }
            guard ftruncate(descriptor, 0) == 0 else {
                throw LedgerError(copy.partial, call: "ftruncate", errno: errno)
            }
        } catch {
            close()
            throw error
        }
        // Whatever the umask says; there are file systems that have no modes.
        fchmod(descriptor, Files.groupReadable)
    }

    /// Lets others make one.
    func close() { Glibc.close(descriptor) }
}
