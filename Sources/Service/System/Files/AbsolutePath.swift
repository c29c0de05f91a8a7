import Glibc

/// `path` relative to this process's folder, made absolute; unchanged if that folder is gone.
public func absolutePath(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
    // Sound: the call has made a text of its own, which is copied and given back.
    defer { unsafe free(folder) }
    return "\(unsafe String(cString: folder))/\(path)"
}
