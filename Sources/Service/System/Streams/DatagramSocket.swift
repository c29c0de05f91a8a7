// Either module may declare the kinds of sockets, depending on the other files compiled.
import CSystemd
import Glibc

/// A socket that sends datagrams to one address of this machine and never waits.
package final class DatagramSocket {
    private let descriptor: CInt
    private let address: LocalAddress

    /// A socket that sends to `path`, where a leading `@` stands for the abstract namespace.
    ///
    /// A missing listener shows only when sending: it may restart meanwhile.
    package init(path: String) throws(SystemError) {
        address = try LocalAddress(path: path)
        let kind = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_UNIX, kind, 0)
        if descriptor < 0 { throw SystemError(call: "socket", subject: path, errno: errno) }
    }

    deinit { close(descriptor) }

    /// Sends `bytes` as one datagram.
    ///
    /// Throws `EAGAIN` where the receiver's queue is full, `ENOENT` or `ECONNREFUSED` where there
    /// is no receiver, `EMSGSIZE` where the datagram is too long.
    package func send(_ bytes: [UInt8]) throws(SystemError) {
        let sent = unsafe address.withPointer { address, length in
            // Sound: pointers and lengths are those of live values; the call keeps none of them.
            unsafe sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL), address, length)
        }
        if sent < 0 { throw SystemError(call: "sendto", subject: address.path, errno: errno) }
    }

    /// Whether some sent data is still unread.
    package var hasUnread: Bool {
        var size: CInt = 0
        // Sound: the call writes the number that it is given.
        return unsafe ioctl(descriptor, UInt(TIOCOUTQ), &size) == 0 && size > 0
    }

    /// Sends `bytes` as one datagram, with a descriptor if given, of which the receiver gets a
    /// duplicate. Throws as ``send(_:)`` does, and `EBADF` if it is not open.
    func send(_ bytes: [UInt8], with passenger: CInt?) throws(SystemError) {
        guard let passenger else { return try send(bytes) }
        var bytes = bytes
        var control = DescriptorMessage(passenger)
        let sent = unsafe address.withPointer { address, length in
            unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe withUnsafeMutableBytes(of: &control) { control in
                    var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                    return unsafe withUnsafeMutablePointer(to: &part) { part in
                        var message = unsafe msghdr()
                        unsafe message.msg_name = UnsafeMutableRawPointer(mutating: address)
                        unsafe message.msg_namelen = length
                        unsafe message.msg_iov = part
                        unsafe message.msg_iovlen = 1
                        unsafe message.msg_control = control.baseAddress
                        unsafe message.msg_controllen = control.count
                        // Sound: all that the message points to lives until the call returns.
                        return unsafe sendmsg(descriptor, &message, CInt(MSG_NOSIGNAL))
                    }
                }
            }
        }
        if sent < 0 { throw SystemError(call: "sendmsg", subject: address.path, errno: errno) }
    }
}

/// The ancillary data of one descriptor, as `CMSG_LEN` and `CMSG_DATA` lay it out.
private struct DescriptorMessage {
    private var length = MemoryLayout<cmsghdr>.size + MemoryLayout<CInt>.size
    private var level = SOL_SOCKET
    private var kind = CInt(SCM_RIGHTS)
    private var descriptor: CInt
    private var padding: CInt = 0

    init(_ descriptor: CInt) { self.descriptor = descriptor }
}

/// The address of a socket of this machine.
struct LocalAddress {
    /// The path, where a leading `@` stands for the abstract namespace.
    let path: String
    private var address = sockaddr_un()
    private let length: socklen_t

    /// The address of the socket at `path`. Throws `ENAMETOOLONG` above 107 bytes.
    init(path: String) throws(SystemError) {
        self.path = path
        let bytes = path.first == "@" ? [0] + path.utf8.dropFirst() : path.utf8 + [0]
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count <= capacity else {
            throw SystemError(call: "socket", subject: path, errno: ENAMETOOLONG)
        }
        length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + bytes.count)
        address.sun_family = sa_family_t(AF_UNIX)
        // Sound: the guard has seen that the bytes fit.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    }

    /// The first local socket of a D-Bus address, `unix:path=/run/bus,guid=1;…`; nil without one.
    init?(ofBus address: String) throws(SystemError) {
        let pairs = address.split(separator: ";").filter { $0.hasPrefix("unix:") }
            .flatMap { $0.dropFirst("unix:".count).split(separator: ",") }
            .map { $0.split(separator: "=", maxSplits: 1) }.filter { $0.count == 2 }
        guard let pair = pairs.first(where: { ["path", "abstract"].contains($0[0]) }) else {
            return nil
        }
        try self.init(path: (pair[0] == "path" ? "" : "@") + Self.unescaped(pair[1]))
    }

    /// A value of D-Bus, in which bytes may be written as `%20`.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(rest.prefix(2)) ?? "", radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Calls `body` with the address as the system takes it, which is valid during the call.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        // Sound: the kernel takes any kind of address by a pointer to its common head.
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, length)
            }
        }
    }
}
