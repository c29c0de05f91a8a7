import Glibc
import System

/// A socket in a folder of its own that receives datagrams, as journald and systemd do.
public final class Receiver {
    /// Where it listens.
    public let path: String
    private let folder: TemporaryFolder
    private var descriptor: CInt = -1

    /// A socket that listens.
    public init() throws {
        folder = try TemporaryFolder()
        path = folder.path("socket")
        try start()
    }

    deinit { stop() }

    /// Listens, for the first time or again.
    public func start() throws {
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Sound: the path and its zero fit, and the kernel takes any kind of address by a pointer
        // to its common head.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8)
        }
        let bound = unsafe withUnsafePointer(to: address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0 else { throw SystemError(call: "bind", subject: path, errno: errno) }
    }

    /// Goes away, as a service does that restarts.
    public func stop() {
        guard descriptor >= 0 else { return }
        // Once: its number may be another test's file already.
        close(descriptor)
        descriptor = -1
        unsafe _ = unlink(path)
    }

    /// Takes the oldest datagram, or nil where none waits.
    public func receive() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        // Sound: at most as many bytes are written as the array has.
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// Takes the oldest datagram as text, with the descriptor that came with it; nil where none
    /// waits, or none came.
    public func receiveWithDescriptor() -> (text: String, descriptor: CInt?)? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var control = [UInt64](repeating: 0, count: 8)
        // Sound: all that the message points to lives until the call returns.
        let (count, controlCount) = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe control.withUnsafeMutableBytes { control in
                var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return unsafe withUnsafeMutablePointer(to: &part) { part in
                    var message = unsafe msghdr()
                    unsafe message.msg_iov = part
                    unsafe message.msg_iovlen = 1
                    unsafe message.msg_control = control.baseAddress
                    unsafe message.msg_controllen = control.count
                    let count = unsafe recvmsg(
                        descriptor, &message, CInt(truncatingIfNeeded: MSG_CMSG_CLOEXEC))
                    return unsafe (count, message.msg_controllen)
                }
            }
        }
        guard count >= 0 else { return nil }
        // The head's length, level and kind, then the number.
        let isThere = controlCount >= 20 && control[0] == 20
        let number = CInt(truncatingIfNeeded: control[2])
        return (String(decoding: bytes.prefix(count), as: UTF8.self), isThere ? number : nil)
    }

    /// Takes all datagrams that wait, as text.
    public func receiveTexts() -> [String] {
        var texts: [String] = []
        while let bytes = receive() { texts.append(String(decoding: bytes, as: UTF8.self)) }
        return texts
    }
}
