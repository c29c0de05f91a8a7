import CSQLite
import Glibc
import System

/// Why the ledger cannot be read or written.
public struct LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Remedy: Hashable, Sendable {
        /// Retry: a disk is full, not mounted or does not answer.
        case time
        /// A person has to change something other than the ledger: access, key, file system,
        /// folder.
        case person
        /// A person has to decide about the file: it is damaged, of a later version, of another
        /// gate, missing, or no ledger.
        case decision
    }

    package var remedy: Remedy
    /// A whole sentence: the file, the call, and what is wrong.
    public var description: String { "the ledger \(path): \(problem)".onOneLine }
    var path: String
    /// In words that follow the path.
    var problem: String
    /// Whether another process has the ledger open.
    public internal(set) var isInUse = false
    /// Damage of the contents: the whole file has to be verified. Nil for none.
    var damage: String?

    /// `problem` follows the path.
    init(_ path: String, _ problem: String, _ remedy: Remedy, isInUse: Bool = false) {
        self.remedy = remedy
        self.isInUse = isInUse
        self.path = path
        self.problem = problem
    }

    init(_ path: String, damage: String) {
        self.init(path, "it is damaged: \(damage)", .decision)
        self.damage = damage
    }

    /// A call of SQLite failed with `code`; `errno` is its system call's, or 0.
    init(_ path: String, call: String, code: CInt, errno: CInt = 0) {
        self.path = path
        let kind = code & 0xFF
        let isDamage = [SQLITE_CORRUPT, SQLITE_NOTADB].contains(kind)
        // These codes mean invalid contents: a retry would not help.
        let needsDecision = [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(kind)
        remedy = isDamage || needsDecision ? .decision : .time
        if kind == SQLITE_FULL {
            problem = "its disk is full: make room"
        } else if kind == SQLITE_CANTOPEN, let words = plainWords(errno, path) {
            problem = words
        } else {
            // Sound: SQLite returns a string literal for every code.
            let words = unsafe String(cString: sqlite3_errstr(code))
            var sentence = "\(call): \(words) (\(code))"
            if errno != 0 { sentence += ", \(errorText(errno))" }
            if isDamage { damage = sentence }
            problem = isDamage ? "it is damaged: \(sentence)" : sentence
        }
    }

    init(_ path: String, call: String, errno: CInt) {
        remedy = [EACCES, EPERM].contains(errno) ? .person : .time
        self.path = path
        problem = plainWords(errno, path) ?? "\(call): \(errorText(errno))"
    }
}

/// The problem and its remedy, where the system's message says neither.
private func plainWords(_ errno: CInt, _ path: String) -> String? {
    switch errno {
    case EROFS:
        "its file system is read-only: see why (dmesg), and mount it so that it can be written"
    case ENOSPC, EDQUOT: "its disk is full: make room"
    case ENOENT, ENOTDIR: "there is no such file or folder: make it, or mount its disk"
    case EACCES, EPERM: notOurs(path)
    default: nil
    }
}

/// Names the owner of a file that this process may not write, or of its folder.
private func notOurs(_ path: String) -> String {
    let user = userName(geteuid())
    let folder = Place(path: path).folder
    guard
        let (name, status) = [path, folder].lazy.compactMap({ name in
            Files.status(of: name).map { (name, $0) }
        }).first
    else {
        return "this runs as \(user), who may not look into \(folder)"
    }
    let mode = String(status.st_mode & 0o7777, radix: 8)
    return """
        \(name) belongs to \(userName(status.st_uid)) (mode \(mode)), and this runs as \(user), \
        who may not use it: sudo chown \(user):\(groupName(getegid())) \(name)
        """
}

/// Names the users who may verify or accept a ledger that this process may not.
func notFor(_ place: Place) -> String {
    let owner = Files.status(of: place.folder).map { userName($0.st_uid) }
    let others = owner.map { $0 == "root" ? "" : " or as \($0)" } ?? ""
    return "this runs as \(userName(geteuid())), who may not use it: run this as root\(others)"
}

/// Names the users who may read a ledger that this process may not. Changing the file's owner would
/// lock out the service.
func notReadable(_ place: Place) -> String {
    let user = userName(geteuid())
    let sentence = "this runs as \(user), who may not read it: run this as root"
    // The folder may hide the file, and with it its group.
    guard let status = Files.status(of: place.path) ?? Files.status(of: place.folder),
        status.st_mode & S_IRGRP != 0, status.st_gid != 0
    else { return sentence }
    return sentence + ", or after: sudo usermod -aG \(groupName(status.st_gid)) \(user)"
}

private func groupName(_ number: gid_t) -> String {
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>? = nil
    var text = [CChar](repeating: 0, count: 4_096)
    // Sound: the call writes the lent buffers, and its texts are copied while they live.
    let result = unsafe getgrgid_r(number, &entry, &text, text.count, &found)
    guard result == 0, unsafe found != nil, let name = unsafe entry.gr_name else {
        return "\(number)"
    }
    return unsafe String(cString: name)
}

func userName(_ user: uid_t) -> String { Users.name(of: user) ?? "\(user)" }
