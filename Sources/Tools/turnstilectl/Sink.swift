import Glibc
import System

/// Where an export goes, in pieces of some size. The program ends where it cannot be written.
final class Sink {
    private let path: String?
    private let permissions: UInt32
    private var file: OutputFile?
    private var offset = 0
    private var pending: [UInt8] = []
    private static let pieceSize = 1 << 16

    /// A file at `path`, or standard output for `-` or nil. An existing file stays until all is
    /// written. A new file has these permissions, less the umask.
    init(_ path: String?, permissions: UInt32 = 0o666) {
        self.path = path == "-" ? nil : path
        self.permissions = permissions
    }

    func write(_ text: String) { write(text.utf8) }

    func write(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        if pending.count >= Self.pieceSize { flush() }
    }

    /// Writes the rest. Without this a new file is gone with the sink.
    func finish() {
        flush()
        do throws(SystemError) {
            try file?.finish()
        } catch {
            fail(error)
        }
    }

    private func flush() {
        do throws(SystemError) {
            if let path {
                if file == nil { file = try OutputFile(at: path, permissions: permissions) }
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

    private func fail(_ error: SystemError) -> Never {
        // An incomplete draft is removed.
        file = nil
        let isLink = error.errno == ELOOP
        complain(isLink ? "\(path ?? ""): it is a link: name the file itself" : "\(error)")
        exit((path != nil ? ExitStatus.cannotWrite : .unwritable).rawValue)
    }
}
