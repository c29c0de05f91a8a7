import Glibc
import Testing

@testable import System

/// A socket in a folder of its own that receives datagrams, as journald and systemd do.
final class Receiver {
    /// Where it listens.
    let path: String
    private let folder: TemporaryFolder
    private var descriptor: CInt = -1

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("socket")
        try start()
    }

    deinit { stop() }

    /// Listens, for the first time or again.
    func start() throws {
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        self.descriptor = descriptor
        let address = try LocalAddress(path: path)
        // Sound: the address is valid during the call.
        let bound = unsafe address.withPointer { unsafe bind(descriptor, $0, $1) }
        try #require(bound == 0)
    }

    /// Goes away, as a service does that restarts.
    func stop() {
        close(descriptor)
        unsafe _ = unlink(path)
    }

    /// Takes the oldest datagram, or nil where none waits.
    func receive() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        // Sound: at most as many bytes are written as the array has.
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// Takes all datagrams that wait, as text.
    func receiveTexts() -> [String] {
        var texts: [String] = []
        while let bytes = receive() { texts.append(String(decoding: bytes, as: UTF8.self)) }
        return texts
    }
}
