internal import System
internal import Turnstile

/// What the gate is called on the bus.
public enum GateNames {
    /// Whoever answers.
    public static let service = "io.turnstiled1"
    /// The object that is the gate.
    public static let path = "/io/turnstiled1"
    /// What is asked of it and told by it.
    public static let interface = "io.turnstiled1.Gate"
    /// The bus itself.
    static let bus = "org.freedesktop.DBus"
    /// What the names of its own errors begin with.
    static let errors = "io.turnstiled1.Error."
    /// Where its values are asked for.
    static let properties = "org.freedesktop.DBus.Properties"
}

extension FieldName {
    /// The name as the bus has it where it is a member of its own: `ServiceRequester`.
    var member: String {
        rawValue.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
