import Glibc
import System

/// Where an export goes, in pieces of some size. The program ends where it cannot be written.
final class Sink {
    private let isFile: Bool
    private var file: File?
    private var offset = 0
    private var pending: [UInt8] = []
    private static let pieceSize = 1 << 16

    /// A file at `path`, or standard output. One that is made has these permissions, less what the
    /// umask takes.
    init(_ path: String?, permissions: UInt32 = 0o666) {
        isFile = path != nil
        guard let path else { return }
        do throws(SystemError) {
            file = try File(
                path: path, for: .replacing, followsLinks: true, permissions: permissions)
        } catch {
            fail(error)
        }
    }

    /// Takes some text.
    func write(_ text: String) {
        pending += text.utf8
        if pending.count >= Self.pieceSize { flush() }
    }

    /// Writes all that was taken.
    func flush() {
        do throws(SystemError) {
            if let file {
                try file.write(pending, at: offset)
            } else {
                try writeOutput(String(decoding: pending, as: UTF8.self))
            }
        } catch {
            fail(error)
        }
        offset += pending.count
        pending.removeAll(keepingCapacity: true)
    }

    private func fail(_ error: SystemError) -> Never {
        complain("\(error)")
        exit((isFile ? ExitStatus.cannotWrite : .unwritable).rawValue)
    }
}
