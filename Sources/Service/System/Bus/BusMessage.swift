/// A message of D-Bus, as a value.
public struct BusMessage: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A method call.
        case call
        case reply
        /// The answer that it could not be done.
        case error
        /// Something happened.
        case signal
    }

    public var kind: Kind
    /// The sender: a unique name such as `:1.42`; nil before the bus has assigned one.
    public var sender: String?
    /// The receiver; nil for all who subscribe.
    public var destination: String?
    /// The object that is called, or that something happened to.
    public var path: String?
    /// The interface of the member.
    public var interface: String?
    /// The method, or the signal.
    public var member: String?
    /// The name of the error, where it is one.
    public var errorName: String?
    /// The sender's serial number; 0 until it is sent.
    public var serial: UInt64 = 0
    /// The number of the call that it answers.
    public var replySerial: UInt64?
    /// Whether the caller waits for an answer.
    public var expectsReply = false
    public var body: [BusValue] = []
    /// Whether it said more than is read of one message; its body is empty then.
    public var isTooLarge = false

    /// The types of all that it says: `sx`.
    public var signature: String { body.map(\.signature).joined() }

    /// The text of an error.
    public var errorText: String? { kind == .error ? body.first?.text ?? "" : nil }
}

extension BusMessage {
    /// The name of the bus itself, and of its interface.
    public static let bus = "org.freedesktop.DBus"

    /// A call of a method that wants an answer.
    public static func call(
        _ member: String, on interface: String, at path: String, of destination: String,
        _ body: [BusValue] = []
    ) -> BusMessage {
        BusMessage(
            kind: .call, destination: destination, path: path, interface: interface,
            member: member, expectsReply: true, body: body)
    }

    /// A call of a method of the bus itself.
    public static func callOfBus(_ member: String, _ body: [BusValue] = []) -> BusMessage {
        call(
            member, on: bus, at: "/org/freedesktop/DBus", of: bus, body)
    }

    /// A signal, for all subscribers or for one.
    public static func signal(
        _ member: String, on interface: String, at path: String, _ body: [BusValue],
        to destination: String? = nil
    ) -> BusMessage {
        BusMessage(
            kind: .signal, destination: destination, path: path, interface: interface,
            member: member, body: body)
    }

    /// The answer to this call.
    public func reply(_ body: [BusValue] = []) -> BusMessage {
        BusMessage(kind: .reply, destination: sender, replySerial: serial, body: body)
    }

    /// The answer that this call could not be done, and why.
    public func error(_ name: String, _ text: String) -> BusMessage {
        BusMessage(
            kind: .error, destination: sender, errorName: name, replySerial: serial,
            body: [.string(text)])
    }
}
