import Glibc
import System

/// Where an export goes, in pieces of some size. The program ends where it cannot be written.
final class Sink {
    private let path: String?
    private let permissions: UInt32
    private var file: File?
    private var offset = 0
    private var pending: [UInt8] = []
    private static let pieceSize = 1 << 16

    /// A file at `path`, or standard output where that is `-`, or nothing. What is there stays
    /// until there is something to be written. A file that is made has these permissions, less what
    /// the umask takes.
    init(_ path: String?, permissions: UInt32 = 0o666) {
        self.path = path == "-" ? nil : path
        self.permissions = permissions
    }

    func write(_ text: String) { write(text.utf8) }

    func write(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        if pending.count >= Self.pieceSize { flush() }
    }

    func flush() {
        do throws(SystemError) {
            if let path {
                if file == nil {
                    file = try File(
                        path: path, for: .replacing, followsLinks: Self.followsLinks(at: path),
                        permissions: permissions)
                }
                try file?.write(pending, at: offset)
            } else {
                try writeOutput(pending)
            }
        } catch {
            fail(error)
        }
        offset += pending.count
        pending.removeAll(keepingCapacity: true)
    }

    /// Whether a link of this name is followed: one of the system's, such as `/dev/stdout`. Any
    /// other may be somebody's who has the file that it leads to overwritten.
    static func followsLinks(at path: String) -> Bool {
        path.hasPrefix("/dev/") && !path.hasPrefix("/dev/shm/")
    }

    private func fail(_ error: SystemError) -> Never {
        let isLink = error.errno == ELOOP
        complain(isLink ? "\(path ?? ""): it is a link: name the file itself" : "\(error)")
        exit((path != nil ? ExitStatus.cannotWrite : .unwritable).rawValue)
    }
}
