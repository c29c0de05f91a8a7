import Foundation
import Glibc

/// A client that sends the same call again and again, as fast as the bus takes it, and never reads
/// what comes. It ends with the object.
public final class Flood {
    private let socket: CInt
    private let ended = DispatchSemaphore(value: 0)

    /// Floods `bus` from now on.
    public init(_ call: RawMessage, on bus: PrivateBus) throws {
        let path = bus.address.dropFirst("unix:path=".count).utf8
        socket = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Sound: the bus has bound the path to a structure of this size.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        // Sound: the kernel takes any kind of address by a pointer to its common head.
        let result = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw PrivateBus.Failure(description: "connect: \(errno)") }
        let user = "\(geteuid())".utf8.map { String($0, radix: 16) }.joined()
        Self.send(Array("\0AUTH EXTERNAL \(user)\r\n".utf8), to: socket)
        var byte: UInt8 = 0
        // Sound: one byte is written at most. The answer is a line.
        while byte != UInt8(ascii: "\n"), unsafe read(socket, &byte, 1) == 1 {}
        let hello = RawMessage(
            "Hello", on: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
            of: "org.freedesktop.DBus")
        Self.send(Array("BEGIN\r\n".utf8) + hello.bytes, to: socket)
        Thread.detachNewThread { [socket, ended] in
            while Self.send(call.bytes, to: socket) {}
            ended.signal()
        }
    }

    deinit {
        shutdown(socket, CInt(SHUT_RDWR))
        ended.wait()
        close(socket)
    }

    /// Sends all of it; whether the bus has taken it.
    @discardableResult private static func send(_ bytes: [UInt8], to socket: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Sound: pointer and length are those of a live value.
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
