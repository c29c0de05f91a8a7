import Glibc
import System

/// Where a command writes what others read: a new file, in place of one of its name, or a device or
/// a pipe that is there already.
enum OutputFile {
    case new(FileDraft)
    case existing(File)

    /// A file that is made has these permissions, less what the umask takes.
    init(at path: String, permissions: UInt32) throws(SystemError) {
        // Any other link may be an attacker's, who wants its target overwritten.
        let isSystems = Self.isSystems(path)
        guard isSystems || File.isRegular(path) == false else {
            self = .new(try FileDraft(of: path, permissions: permissions))
            return
        }
        self = .existing(
            try File(
                path: path, for: .replacing, followsLinks: isSystems, permissions: permissions))
    }

    /// Whether only the system makes links in the folder that the name is in, such as `/dev/stdout`
    /// or `/dev/fd/1`.
    private static func isSystems(_ path: String) -> Bool {
        let place = File.pathWithoutLinks(folder(of: path)) + "/"
        return place.hasPrefix("/dev/") && !place.hasPrefix("/dev/shm/")
            || File.areSame(place, "/dev/fd")
    }

    func write(_ bytes: [UInt8], at offset: Int = 0) throws(SystemError) {
        switch self {
        case .new(let draft): try draft.write(bytes, at: offset)
        case .existing(let file): try file.write(bytes, at: offset)
        }
    }

    /// Says that all of it is written.
    func finish() throws(SystemError) {
        switch self {
        case .new(let draft): try draft.finish()
        case .existing: break
        }
    }
}

/// A draft beside the file, which replaces it once all of it is on the disk. So nothing is written
/// to a file that another user made beforehand, or has open.
final class FileDraft {
    private let path: String
    private let file: File
    private var isInPlace = false

    /// The file that is to be at `path`, with these permissions, less what the umask takes, and
    /// what a file that is there already forbids.
    init(of path: String, permissions: UInt32) throws(SystemError) {
        // Another process may be writing the same.
        let draft = "\(path).\(getpid()).partial"
        if File.exists(draft) { try File.remove(draft) }
        let present = File.permissions(of: path) ?? permissions
        file = try File(path: draft, for: .creating, permissions: permissions & present)
        self.path = path
    }

    deinit { if !isInPlace { try? File.remove(file.path) } }

    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        try file.write(bytes, at: offset)
    }

    /// Gives it its name, in place of what has that or, unless it is `replacing`, of nothing.
    func finish(replacing: Bool = true) throws(SystemError) {
        try file.synchronize()
        if replacing {
            try File.rename(file.path, to: path)
        } else {
            try File.rename(file.path, toNew: path)
        }
        isInPlace = true
        // Some file systems know no such thing, and have the file all the same.
        try? File.synchronizeFolder(folder(of: path))
    }
}

private func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}
