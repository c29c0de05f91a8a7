public import System

/// The gate on the bus, for the service and its clients: one object with one interface, whose
/// members follow from the vocabulary.
public enum GateInterface {
    /// The service's well-known name.
    public static let service = "io.turnstiled1"
    public static let path = "/io/turnstiled1"
    public static let name = "io.turnstiled1.Gate"
    /// The standard interface through which properties are read.
    public static let properties = "org.freedesktop.DBus.Properties"

    /// The member for a name of the vocabulary: `ServiceRequester` for `service_requester`.
    public static func member(_ name: String) -> String {
        name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    public enum Failure: String, CaseIterable, Sendable {
        /// The caller is not authorised; the text says who is.
        case notAllowed = "io.turnstiled1.Error.NotAllowed"
        /// Too many calls at once: a later retry may succeed.
        case busy = "io.turnstiled1.Error.Busy"
        /// The gate has no lines yet, or is stopping.
        case unavailable = "io.turnstiled1.Error.Unavailable"
        /// The settings have mistakes, a line each; the previous ones stay in force.
        case settingsRefused = "io.turnstiled1.Error.SettingsRefused"
        /// An argument is invalid; the text says what is allowed.
        case invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
        case unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
        case unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
        case unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
        case unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
        case readOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"

        /// The prefix of the gate's own error names.
        public static let own = "io.turnstiled1.Error."
    }
}

extension GateInterface {
    public struct Signal: Sendable {
        public let name: String
        public let arguments: [BusArgument]

        fileprivate init(_ name: String, _ arguments: BusArgument...) {
            (self.name, self.arguments) = (name, arguments)
        }

        /// The signal with these values, as a broadcast or to one connection.
        public func message(_ values: [BusValue], to name: String? = nil) -> BusMessage {
            .signal(
                self.name, on: GateInterface.name, at: GateInterface.path, values, to: name)
        }

        /// The values of a message; nil if it is another signal, or has other types.
        public func values(of message: BusMessage) -> [BusValue]? {
            let isThis = message.kind == .signal && message.interface == GateInterface.name
            let signature = arguments.map(\.signature).joined()
            guard isThis, message.member == name, message.signature.hasPrefix(signature) else {
                return nil
            }
            return message.body
        }
    }

    /// A record of the gate.
    public static let record = Signal(
        "Record", BusArgument("sequence", "t"), BusArgument("time_nsec", "t"),
        BusArgument("name", "s"), BusArgument("fields", "a{sv}"))
    /// How many records are missing here, since the bus accepted none.
    public static let recordsLost = Signal("RecordsLost", BusArgument("count", "t"))
    /// A line has changed; sent to followers only.
    public static let edge = Signal(
        "Edge", BusArgument("time_nsec", "t"), BusArgument("line", "s"), BusArgument("level", "b"))
    /// At least this many edges are missing here; sent to followers only.
    public static let edgesLost = Signal("EdgesLost", BusArgument("count", "t"))
    public static let signals = [record, recordsLost, edge, edgesLost]
}
