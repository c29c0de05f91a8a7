import CSystemd
import Glibc

/// The descriptors that the service manager kept since an earlier start, or passes for another
/// reason, each with its name: see ``ServiceNotification/keep(_:as:)``. They belong to the main
/// thread; a ``WorkerThread`` shares none of them. Duplicate names: the first counts, the others
/// are closed before their numbers can be reused.
///
/// They are looked up once a process, before any thread reads the environment.
public let keptDescriptors = takeKeptDescriptors()

private func takeKeptDescriptors() -> [(name: String, descriptor: CInt)] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    // Sound: the function allocates a list of as many names as it returns, and an end; all of it
    // is freed here.
    let count = unsafe sd_listen_fds_with_names(1, &names)
    defer {
        if let names = unsafe names {
            for index in 0..<Int(max(0, count)) { unsafe free(names[index]) }
            unsafe free(names)
        }
    }
    guard count > 0, let names = unsafe names else { return [] }
    var seen: Set<String> = []
    return (0..<Int(count)).compactMap { index in
        let name = unsafe names[index].map { unsafe String(cString: $0) } ?? ""
        let descriptor = SD_LISTEN_FDS_START + CInt(index)
        guard seen.insert(name).inserted else {
            close(descriptor)
            return nil
        }
        return (name, descriptor)
    }
}
