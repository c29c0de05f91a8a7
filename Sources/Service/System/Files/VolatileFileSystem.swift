import CLinux
import Glibc

/// Whether a file at `path` is, or would be, in memory alone, and so gone after a start of the
/// board: whether the nearest folder that is there lies on a file system of that kind.
///
/// Nothing is opened. A file system that hangs can hold the call up: not for the thread that sees
/// to the lines.
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
