import CSystemd
import Glibc

/// A bus's input on its way to sd-bus, which reads every message whole before it can be refused.
/// Here the rest of a long one is dropped as it comes.
@safe final class BoundedInput {
    /// How much is read at once: as much as a pair of sockets has room for in any case.
    private static let chunk = 32_768

    /// The bus. sd-bus writes to it, and closes it.
    let socket: CInt
    /// Where sd-bus reads; it closes it.
    let inner: CInt
    /// Bytes written here are read at `inner`.
    private let outer: CInt
    private var bound: MessageBound
    private var received = [UInt8](repeating: 0, count: chunk)
    private var kept: [UInt8] = []

    /// Connects to the bus at `address`, whose messages are cut after so many bytes, and has `bus`
    /// read them here.
    init(
        from address: String, to bus: OpaquePointer, mostBytes: Int
    ) throws(SystemError) {
        guard let local = try LocalAddress(ofBus: address) else {
            throw SystemError(call: "connect", subject: address, errno: EAFNOSUPPORT)
        }
        bound = MessageBound(most: mostBytes)
        // A chunk may complete the head of a message.
        kept.reserveCapacity(Self.chunk + MessageBound.headLength)
        // Non-blocking, even if the bus's queue of connecting clients is full.
        let kind = CInt(
            SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(AF_UNIX, kind, 0)
        if socket < 0 { throw SystemError(call: "socket", subject: address, errno: errno) }
        let result = unsafe local.withPointer { address, length in
            // Sound: pointer and length are those of a live value; the call keeps none of them.
            unsafe connect(socket, address, length)
        }
        var ends: [CInt] = [-1, -1]
        // Sound: two numbers are written.
        guard result == 0, unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            let call = result == 0 ? "socketpair" : "connect"
            let error = SystemError(call: call, subject: address, errno: errno)
            close(socket)
            throw error
        }
        (self.socket, inner, outer) = (socket, ends[0], ends[1])
        try check(unsafe sd_bus_set_fd(bus, inner, socket), "sd_bus_set_fd", address)
    }

    deinit { close(outer) }

    /// Passes on some of the bus's bytes; returns whether there were any. sd-bus must have read all
    /// that was passed on before. Throws when the connection is lost.
    func pass() throws(SystemError) -> Bool {
        // Sound: as many bytes are written as there is room for.
        let count = unsafe recv(socket, &received, received.count, CInt(MSG_DONTWAIT))
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR { return false }
            throw SystemError(call: "recv", errno: count == 0 ? ECONNRESET : errno)
        }
        kept.removeAll(keepingCapacity: true)
        bound.take(received[..<count], into: &kept)
        guard !kept.isEmpty else { return false }
        // Sound: pointer and length are those of a live value; the call keeps none of them.
        let sent = unsafe send(outer, kept, kept.count, CInt(MSG_NOSIGNAL))
        guard sent == kept.count else {
            throw SystemError(call: "send", errno: sent < 0 ? errno : EMSGSIZE)
        }
        return true
    }
}

/// Truncates messages of a bus that are too long.
///
/// A truncated message lacks the rest of its body, and its head shows that: its types promise more
/// than there is, so that it cannot be read; but its sender can be answered. A message whose names
/// alone are too long is dropped.
struct MessageBound {
    /// The length of the part of a message that has the other lengths.
    static let headLength = 16

    private let most: UInt64
    /// The bytes of an incomplete head.
    private var head: [UInt8] = []
    /// Whether it is in the middle of a line, of those that come before the first message.
    private var isInLine = false
    /// How much more of the message is kept, and how much of it follows that is not.
    private var (keeping, dropping): (UInt64, UInt64) = (0, 0)

    /// Messages are cut after so many bytes, and not before their head.
    init(most: Int) { self.most = UInt64(max(Self.headLength, most)) }

    /// Takes the next bytes, and appends to `kept` those that are passed on.
    mutating func take(_ bytes: ArraySlice<UInt8>, into kept: inout [UInt8]) {
        var rest = bytes
        while let first = rest.first {
            if isInLine {
                kept.append(rest.removeFirst())
                isInLine = first != UInt8(ascii: "\n")
            } else if keeping > 0 {
                kept += Self.remove(&keeping, from: &rest)
            } else if dropping > 0 {
                _ = Self.remove(&dropping, from: &rest)
            } else if head.isEmpty, !Self.beginsMessage(first) {
                isInLine = true
            } else {
                head.append(rest.removeFirst())
                if head.count == Self.headLength { begin(&kept) }
            }
        }
    }

    /// The order of its bytes; lines begin with other letters.
    private static func beginsMessage(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "l") || byte == UInt8(ascii: "B")
    }

    /// As much of `rest` as is left of `length`.
    private static func remove(
        _ length: inout UInt64, from rest: inout ArraySlice<UInt8>
    ) -> ArraySlice<UInt8> {
        let part = rest.prefix(Int(clamping: length))
        length -= UInt64(part.count)
        rest.removeFirst(part.count)
        return part
    }

    /// Continues after a complete head.
    private mutating func begin(_ kept: inout [UInt8]) {
        let length = UInt64(Self.headLength)
        // The names are followed by as much as makes their length a multiple of eight.
        let names = length + (number(at: 12) + 7) / 8 * 8
        let whole = names + number(at: 4)
        if names < most || whole <= most {
            keeping = min(whole, most) - length
            if whole > most { setBody(to: most - names) }
            kept += head
        }
        dropping = whole - length - keeping
        head.removeAll(keepingCapacity: true)
    }

    private func number(at index: Int) -> UInt64 {
        let bytes = head[index..<index + 4]
        let ordered = isLittle ? Array(bytes.reversed()) : Array(bytes)
        return ordered.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func setBody(to length: UInt64) {
        for place in 0..<4 {
            head[4 + (isLittle ? place : 3 - place)] = UInt8(
                truncatingIfNeeded: length >> (8 * place))
        }
    }

    private var isLittle: Bool { head.first == UInt8(ascii: "l") }
}
