import CLinux
import CSystemd
import Glibc
public import StateMachines

/// A connection to a message bus, whose messages are values.
///
/// It is used on one thread. All messages, answers too, are taken one by one with ``take()``; there
/// are no callbacks. It is built on sd-bus, which answers `Ping` itself.
@safe public final class BusConnection {
    public enum Bus: Hashable, Sendable {
        /// The system bus.
        case system
        /// The bus of the user's session.
        case session
        /// The one at this address, as D-Bus writes it: `unix:path=/run/bus`.
        case address(String)
    }

    /// Calls that wait for an answer of ours, by caller and number: sd-bus answers a message, not
    /// a number.
    private struct CallID: Hashable {
        var caller: String?
        var serial: UInt64
    }

    /// While so many messages wait to be sent, nothing is read from a bus whose messages are
    /// bounded: a flood would be answered faster than the bus takes answers.
    static let mostUnsent = 512
    /// How many calls may wait for our answers at once; further ones get an error.
    public static let mostCalls = 256

    private let bus: OpaquePointer
    private let mostValues: Int
    /// Where messages are cut, before sd-bus reads them.
    private var input: BoundedInput?
    private var calls: [CallID: OpaquePointer] = unsafe [:]

    /// Connects to `bus`. What takes time, as the introduction does, is done as messages are taken.
    ///
    /// - Parameters:
    ///   - mostValues: How many values are read of one message: see ``BusMessage/isTooLarge``.
    ///   - mostBytes: How long a message may be: the rest of a longer one is dropped as it comes,
    ///     and it is too large as well. Such a bus is a socket of this machine, and
    ///     ``call(_:within:)`` is not for it. Nil for as long as sd-bus reads any.
    public init(
        to bus: Bus, mostValues: Int = 16_384, mostBytes: Int? = nil
    ) throws(SystemError) {
        let address = try bus.address
        var made: OpaquePointer?
        // Sound: on success the call has written a pointer, which this object owns; it is used by
        // this object alone, here and below.
        try check(unsafe sd_bus_new(&made), "sd_bus_new")
        unsafe self.bus = made!
        self.mostValues = mostValues
        if let mostBytes {
            input = unsafe try BoundedInput(from: address, to: self.bus, mostBytes: mostBytes)
        } else {
            try check(unsafe sd_bus_set_address(self.bus, address), "sd_bus_set_address", address)
        }
        try check(unsafe sd_bus_set_bus_client(self.bus, 1), "sd_bus_set_bus_client")
        // We accept no descriptors.
        try check(unsafe sd_bus_negotiate_fds(self.bus, 0), "sd_bus_negotiate_fds")
        try check(unsafe sd_bus_start(self.bus), "sd_bus_start", address)
    }

    deinit {
        close()
        // Sound: the reference from init is given up, once.
        unsafe _ = sd_bus_unref(bus)
    }

    /// Ends the connection at once; unsent messages are lost.
    public func close() {
        // Sound: each was kept with a reference of its own.
        for unsafe(_, call) in unsafe calls { unsafe _ = sd_bus_message_unref(call) }
        unsafe calls = [:]
        unsafe sd_bus_close(bus)
    }

    /// The descriptor to poll.
    public var descriptor: CInt { unsafe input?.socket ?? sd_bus_get_fd(bus) }

    /// The events of `poll` to wait for at ``descriptor``.
    public var pollEvents: Int16 {
        let events = unsafe sd_bus_get_events(bus)
        guard events >= 0 else { return Int16(POLLIN) }
        return Int16(truncatingIfNeeded: isHeldUp ? events & ~POLLIN : events)
    }

    /// Whether reading pauses until the bus has taken some of the unsent messages.
    private var isHeldUp: Bool { input != nil && unsent >= Self.mostUnsent }

    /// When to call ``take()`` without a readable descriptor; nil for never.
    public var timeout: Instant? {
        var microseconds: UInt64 = 0
        guard unsafe sd_bus_get_timeout(bus, &microseconds) > 0, microseconds != UInt64.max else {
            return nil
        }
        return Instant(nanoseconds: Int64(clamping: microseconds.multipliedWithSaturation(1_000)))
    }

    /// Whether the bus knows us: before that nothing has come.
    public var isReady: Bool { unsafe sd_bus_is_ready(bus) > 0 }

    /// Waits until the bus knows us, for so long: sd-bus itself would for 90 seconds.
    public func awaitReady(within timeout: Duration) throws(SystemError) {
        let end = MonotonicTimer.now + timeout
        while true {
            _ = try take()
            if isReady { return }
            guard MonotonicTimer.now < end else {
                throw SystemError(call: "waiting for the bus", errno: ETIMEDOUT)
            }
            wait(until: end)
        }
    }

    /// Our name on the bus, such as `:1.42`; nil before it knows us.
    public var uniqueName: String? {
        guard isReady else { return nil }
        var name: UnsafePointer<CChar>?
        // Sound: a pointer is written that lives as long as the connection, and is copied.
        guard unsafe sd_bus_get_unique_name(bus, &name) >= 0, let name = unsafe name else {
            return nil
        }
        return unsafe String(cString: name)
    }

    /// How many messages wait until the bus takes them.
    public var unsent: Int {
        var count: UInt64 = 0
        unsafe _ = sd_bus_get_n_queued_write(bus, &count)
        return Int(clamping: count)
    }
}

// Messages.
extension BusConnection {
    /// Sends a message, or has it wait until the bus takes it; returns its number.
    @discardableResult
    public func send(_ message: BusMessage) throws(SystemError) -> UInt64 {
        let made = unsafe try make(message)
        // Sound: the message is this function's, and the connection keeps a reference of its own.
        defer { unsafe _ = sd_bus_message_unref(made) }
        var number: UInt64 = 0
        // Without a number to write, a call is sent as one that wants no answer.
        let isCall = message.kind == .call && message.expectsReply
        let result =
            unsafe isCall ? sd_bus_send(bus, made, &number) : sd_bus_send(bus, made, nil)
        try check(result, "sd_bus_send", message.member ?? "")
        return number
    }

    /// The next message that came; nil where nothing more has. Throws when the connection is lost.
    public func take() throws(SystemError) -> BusMessage? {
        while true {
            var taken: OpaquePointer?
            let result = unsafe sd_bus_process(bus, &taken)
            try check(result, "sd_bus_process")
            guard result > 0 else {
                guard !isHeldUp, try input?.pass() == true else { return nil }
                continue
            }
            guard let taken = unsafe taken else { continue }
            // Sound: the call has handed over a reference.
            defer { unsafe _ = sd_bus_message_unref(taken) }
            if let message = try unsafe receive(taken) { return message }
        }
    }

    /// A received message as a value; nil if it was answered here.
    private func receive(_ taken: OpaquePointer) throws(SystemError) -> BusMessage? {
        guard
            let message = unsafe BusMessage(reading: taken, mostValues: mostValues)
        else { return nil }
        if message.interface == "org.freedesktop.DBus.Local" {
            throw SystemError(call: "sd_bus_process", errno: ECONNRESET)
        }
        guard message.kind == .call, message.expectsReply else { return message }
        guard unsafe calls.count < Self.mostCalls else {
            try unsafe refuse(message, taken)
            return nil
        }
        let id = CallID(caller: message.sender, serial: message.serial)
        // Sound: the reference is given up with the answer, or when the connection is closed.
        if let old = unsafe calls.updateValue(sd_bus_message_ref(taken), forKey: id) {
            unsafe _ = sd_bus_message_unref(old)
        }
        return message
    }

    /// Keeps no place for an answer to this call, which never comes.
    public func forget(_ call: BusMessage) {
        let id = CallID(caller: call.sender, serial: call.serial)
        // Sound: the reference was kept with the call.
        guard let kept = unsafe calls.removeValue(forKey: id) else { return }
        unsafe _ = sd_bus_message_unref(kept)
    }

    private func refuse(_ message: BusMessage, _ taken: OpaquePointer) throws(SystemError) {
        let refusal = message.error(
            "org.freedesktop.DBus.Error.LimitsExceeded",
            "more than \(Self.mostCalls) calls wait for an answer: try again later")
        let made = unsafe try makeAnswer(refusal, to: taken)
        // Sound: the message is this function's.
        defer { unsafe _ = sd_bus_message_unref(made) }
        try check(unsafe sd_bus_send(bus, made, nil), "sd_bus_send", message.member ?? "")
    }

    /// Calls and waits at most so long for the answer or error; other messages are queued. A
    /// missing answer is an error of D-Bus: `…Timeout`, or `…NoReply` if the peer left the bus.
    public func call(
        _ message: BusMessage, within timeout: Duration
    ) throws(SystemError) -> BusMessage {
        let made = unsafe try make(message)
        // Sound: what is handed over by the call is this function's, and given up here.
        defer { unsafe _ = sd_bus_message_unref(made) }
        var error = unsafe sd_bus_error()
        var reply: OpaquePointer?
        defer {
            unsafe sd_bus_error_free(&error)
            unsafe _ = sd_bus_message_unref(reply)
        }
        let limit = UInt64(max(1, timeout / .microseconds(1)))
        let result = unsafe sd_bus_call(bus, made, limit, &error, &reply)
        if let reply = unsafe reply,
            let answer = unsafe BusMessage(reading: reply, mostValues: mostValues)
        {
            return answer
        }
        guard let name = unsafe error.name else {
            throw SystemError(call: "sd_bus_call", subject: message.member ?? "", errno: -result)
        }
        let text = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
        return BusMessage(
            kind: .error, errorName: unsafe String(cString: name), body: [.string(text)])
    }

    /// Waits until something comes, or can be sent, or one of `others` is readable, until then at
    /// the latest; nil for as long as it takes.
    public func wait(until end: Instant? = nil, or others: [CInt] = []) {
        let readable = others + [input?.inner].compactMap { $0 }
        var watched =
            [pollfd(fd: descriptor, events: pollEvents, revents: 0)]
            + readable.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let longest = [end, timeout].compactMap { $0 }.min().map(milliseconds)
        // Sound: as many structures are read and written as there are.
        unsafe _ = poll(&watched, nfds_t(watched.count), longest ?? -1)
    }
}

// From values to sd-bus.
extension BusConnection {
    /// A message of sd-bus with this content, for the caller to release.
    private func make(_ message: BusMessage) throws(SystemError) -> OpaquePointer {
        switch message.kind {
        case .reply, .error:
            let id = CallID(caller: message.destination, serial: message.replySerial ?? 0)
            guard let call = unsafe calls.removeValue(forKey: id) else {
                throw SystemError(call: "sd_bus_send", subject: "no such call", errno: EINVAL)
            }
            // Sound: the reference was kept with the call.
            defer { unsafe _ = sd_bus_message_unref(call) }
            return unsafe try makeAnswer(message, to: call)
        case .call, .signal:
            return unsafe try makeMessage(message)
        }
    }

    private func makeMessage(_ message: BusMessage) throws(SystemError) -> OpaquePointer {
        var made: OpaquePointer?
        let name = message.member ?? ""
        // Sound, here and below: texts are copied; on success a pointer was written.
        if message.kind == .call {
            try check(
                unsafe sd_bus_message_new_method_call(
                    bus, &made, message.destination, message.path, message.interface, name),
                "sd_bus_message_new_method_call", name)
        } else {
            try check(
                unsafe sd_bus_message_new_signal(
                    bus, &made, message.path, message.interface, name),
                "sd_bus_message_new_signal", name)
            if let destination = message.destination {
                unsafe _ = sd_bus_message_set_destination(made, destination)
            }
        }
        return unsafe try fill(made!, message)
    }

    private func makeAnswer(
        _ message: BusMessage, to call: OpaquePointer
    ) throws(SystemError) -> OpaquePointer {
        var made: OpaquePointer?
        if message.kind == .reply {
            try check(
                unsafe sd_bus_message_new_method_return(call, &made),
                "sd_bus_message_new_method_return")
            return unsafe try fill(made!, message)
        }
        var error = unsafe sd_bus_error()
        defer { unsafe sd_bus_error_free(&error) }
        // It returns the number of Unix that goes with the name, which is no failure.
        unsafe _ = sd_bus_error_set(&error, message.errorName, message.errorText)
        try check(
            unsafe sd_bus_message_new_method_error(call, &made, &error),
            "sd_bus_message_new_method_error", message.errorName ?? "")
        return unsafe made!
    }

    private func fill(
        _ made: OpaquePointer, _ message: BusMessage
    ) throws(SystemError) -> OpaquePointer {
        do throws(SystemError) {
            try unsafe BodyWriter(message: made).write(message.body)
            return unsafe made
        } catch {
            unsafe _ = sd_bus_message_unref(made)
            throw error
        }
    }
}

extension BusConnection.Bus {
    /// Where the bus is, by the environment of this process or where it usually is.
    fileprivate var address: String {
        get throws(SystemError) {
            switch self {
            case .address(let address): return address
            case .system:
                return environmentVariable("DBUS_SYSTEM_BUS_ADDRESS")
                    ?? "unix:path=/run/dbus/system_bus_socket"
            case .session:
                if let address = environmentVariable("DBUS_SESSION_BUS_ADDRESS") { return address }
                guard let folder = environmentVariable("XDG_RUNTIME_DIR") else {
                    throw SystemError(call: "XDG_RUNTIME_DIR", errno: ENOENT)
                }
                return "unix:path=\(folder)/bus"
            }
        }
    }
}

extension UInt64 {
    fileprivate func multipliedWithSaturation(_ factor: UInt64) -> UInt64 {
        let (product, overflows) = multipliedReportingOverflow(by: factor)
        return overflows ? .max : product
    }
}
