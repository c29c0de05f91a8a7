import Glibc
import System

/// The output file of a command: a new file that replaces one of its name, or an existing device or
/// pipe.
enum OutputFile {
    case new(FileDraft)
    case existing(File)

    /// A new file has these permissions, less the umask.
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

    /// A draft for `path` with these permissions, less the umask and what an existing file forbids.
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

    /// Renames it into place; unless `replacing`, an existing file is an error.
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
