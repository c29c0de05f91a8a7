import System
import Turnstile

/// The gate as the bus shows it: one object with one interface, its members by the vocabulary.
public enum GateInterface {
    /// The name that the service has on the bus.
    public static let service = "io.turnstiled1"
    /// The object.
    public static let path = "/io/turnstiled1"
    /// Its interface.
    public static let name = "io.turnstiled1.Gate"

    /// A name of the vocabulary as D-Bus spells members: `service_requester` is `ServiceRequester`.
    public static func member(_ name: String) -> String {
        name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The names of errors.
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
        /// There is no such object.
        case unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
        /// There is no such interface.
        case unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
        /// There is no such method.
        case unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
        /// There is no such property.
        case unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
        /// No property can be set.
        case readOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
    }
}

extension BusMessage {
    /// The answer that this call could not be done.
    @inline(never) func failed(_ failure: GateInterface.Failure, _ text: String) -> BusMessage {
        error(failure.rawValue, text)
    }
}

/// One value that a method takes or answers with, or that a signal tells.
public struct BusArgument: Sendable {
    /// Its name.
    public var name: String
    /// Its type, as D-Bus spells it.
    public var signature: String
    /// The field that it is of a request; nil where it is none.
    var field: Field?

    /// What an argument says of a request.
    struct Field: Sendable {
        var name: FieldName
        var isOptional: Bool
    }

    /// A value of this name and type.
    init(_ name: String, _ signature: String, _ field: Field? = nil) {
        self.name = name
        self.signature = signature
        self.field = field
    }
}

extension GateInterface {
    /// One signal.
    public struct Signal: Sendable {
        /// Its name.
        public var name: String
        /// What it tells.
        public var arguments: [BusArgument]
    }

    /// Something happened at the gate.
    public static let record = Signal(
        name: "Record",
        arguments: [
            BusArgument("sequence", "t"), BusArgument("time_nsec", "t"), BusArgument("name", "s"),
            BusArgument("fields", "a{sv}"),
        ])
    /// So many records were not told, since the bus took none.
    public static let recordsLost = Signal(
        name: "RecordsLost", arguments: [BusArgument("count", "t")])
    /// A line has changed: told to those who follow.
    public static let edge = Signal(
        name: "Edge",
        arguments: [
            BusArgument("time_nsec", "t"), BusArgument("line", "s"), BusArgument("level", "b"),
        ])
    /// So many edges are missing here, or more: told to those who follow.
    public static let edgesLost = Signal(
        name: "EdgesLost", arguments: [BusArgument("count", "t")])
    /// All signals.
    public static let signals = [record, recordsLost, edge, edgesLost]
}
