import Glibc

/// Programs as files: the one that runs in this process, and one that takes its place.
public enum ProgramFile {
    /// The folder in which this process's program lies; nil where `/proc` cannot tell.
    public static var folder: String? {
        // Sound: the call makes a text of its own, which is copied and given back.
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(path) }
        let parts = unsafe String(cString: path).split(
            separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast().joined(separator: "/")
    }

    /// Has the program at `path` take the place of this one, with these arguments, its own name
    /// first. Returns only where it cannot: why.
    public static func replace(with path: String, _ arguments: [String]) -> SystemError {
        var pointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        // Sound: the texts and the list of them live until the call returns, if it does.
        _ = unsafe execv(path, &pointers)
        return SystemError(call: "execv", subject: path, errno: errno)
    }
}
