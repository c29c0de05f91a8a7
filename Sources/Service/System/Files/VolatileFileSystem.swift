import CLinux
import Glibc

/// Whether a file at `path` is, or would be, in memory, and lost at the next boot: by the file
/// system of the nearest existing folder.
///
/// Nothing is opened. A hanging file system can block the call: not for the thread of the lines.
public func isOnVolatileFileSystem(_ path: String) -> Bool {
    var path = path[...]
    while true {
        var status = statfs()
        // Sound: the call writes the structure that it is given, of which one number is read.
        if unsafe statfs(path.isEmpty ? "/" : String(path), &status) == 0 {
            return [Int(TMPFS_MAGIC), Int(RAMFS_MAGIC)].contains(status.f_type)
        }
        guard let slash = path.lastIndex(of: "/") else { return false }
        path = path[..<slash]
    }
}
