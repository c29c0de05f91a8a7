public import System

/// The gate as the bus shows it, for the service and for whoever asks it: one object with one
/// interface, its members by the vocabulary.
public enum GateInterface {
    /// The name that the service has on the bus.
    public static let service = "io.turnstiled1"
    public static let path = "/io/turnstiled1"
    public static let name = "io.turnstiled1.Gate"
    /// Where its properties are asked for, as on any bus.
    public static let properties = "org.freedesktop.DBus.Properties"

    /// A name of the vocabulary as D-Bus spells members: `service_requester` is `ServiceRequester`.
    public static func member(_ name: String) -> String {
        name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    public enum Failure: String, CaseIterable, Sendable {
        /// Whoever asks may not; the text says who may.
        case notAllowed = "io.turnstiled1.Error.NotAllowed"
        /// Too much was asked for at once; later it may be done.
        case busy = "io.turnstiled1.Error.Busy"
        /// The gate has no lines yet, or stops.
        case unavailable = "io.turnstiled1.Error.Unavailable"
        /// The settings have mistakes, a line each, and those before stay in force.
        case settingsRefused = "io.turnstiled1.Error.SettingsRefused"
        /// An argument makes no sense; the text says what does.
        case invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
        case unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
        case unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
        case unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
        case unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
        case readOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"

        /// What the names of the gate's own begin with.
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

        /// The signal that tells these values, to everybody or to one.
        public func message(_ values: [BusValue], to name: String? = nil) -> BusMessage {
            .signal(
                self.name, on: GateInterface.name, at: GateInterface.path, values, to: name)
        }

        /// The values that a message tells; nil where it is another one, or has other types.
        public func values(of message: BusMessage) -> [BusValue]? {
            let isThis = message.kind == .signal && message.interface == GateInterface.name
            let signature = arguments.map(\.signature).joined()
            guard isThis, message.member == name, message.signature.hasPrefix(signature) else {
                return nil
            }
            return message.body
        }
    }

    /// Something happened at the gate.
    public static let record = Signal(
        "Record", BusArgument("sequence", "t"), BusArgument("time_nsec", "t"),
        BusArgument("name", "s"), BusArgument("fields", "a{sv}"))
    /// So many records were not told, since the bus took none.
    public static let recordsLost = Signal("RecordsLost", BusArgument("count", "t"))
    /// A line has changed: told to those who follow.
    public static let edge = Signal(
        "Edge", BusArgument("time_nsec", "t"), BusArgument("line", "s"), BusArgument("level", "b"))
    /// So many edges are missing here, or more: told to those who follow.
    public static let edgesLost = Signal("EdgesLost", BusArgument("count", "t"))
    public static let signals = [record, recordsLost, edge, edgesLost]
}
