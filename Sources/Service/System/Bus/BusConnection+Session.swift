import Glibc

extension BusConnection.Bus {
    /// Whether the user of this process has a bus of their own: by the environment, or by the
    /// socket that is where it usually is.
    public static var hasSession: Bool {
        if environmentVariable("DBUS_SESSION_BUS_ADDRESS") != nil { return true }
        guard let folder = environmentVariable("XDG_RUNTIME_DIR") else { return false }
        // Sound: the call reads a text that ends in a zero and lives until it returns.
        return unsafe access("\(folder)/bus", F_OK) == 0
    }
}
