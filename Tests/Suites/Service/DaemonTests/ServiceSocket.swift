import Foundation
import Testing

/// A datagram socket such as systemd and journald have their services speak to.
final class ServiceSocket {
    /// Where it listens.
    let path: String
    private let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)

    /// Listens at `path`, where nothing is yet.
    init(path: String) throws {
        self.path = path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        try #require(bytes.count < 108, "the path of a socket is short")
        // Sound: the path and its zero fit, as was just looked at.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        // A daemon that says nothing must fail the test, not hang it.
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        // Sound: both structures are valid during the calls, and their sizes are theirs.
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    deinit { close(descriptor) }

    /// Waits for the next message.
    func receive() throws -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        // Sound: at most as many bytes are written as the array has.
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        try #require(count >= 0, "nothing came within a minute")
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Takes the messages that have come already, and returns how many there are.
    func takeWaiting() -> Int {
        var count = 0
        var byte: UInt8 = 0
        // Sound: at most one byte is written; the rest of a message is dropped.
        while unsafe recv(descriptor, &byte, 1, CInt(MSG_DONTWAIT)) >= 0 { count += 1 }
        return count
    }
}
