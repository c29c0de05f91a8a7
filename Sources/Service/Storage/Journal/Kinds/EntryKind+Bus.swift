import Turnstile

extension EntryKind {
    static let reloadRequested = EntryKind(
        id: "b5fa6222fbdc4584a2d323f7edeebd36", event: "reload_requested", priority: .notice,
        subject: "@TURNSTILE_OPERATOR@ reloads the configuration",
        explanation: """
            An operator requested it on the bus. The entries that follow say what changed, or
            why the file was refused.
            """)

    static let busJoined = EntryKind(
        id: "468eb552fd1745cca9a425989ba42dd6", event: "bus_joined", priority: .info,
        subject: "The gate is on the bus",
        explanation: """
            It can be observed and operated there, as io.turnstiled1. The service's own name on
            the bus is @TURNSTILE_DETAIL@.
            """)

    static let busAbsent = EntryKind(
        id: "33bbef23bb804ef0a923acb3678ce750", event: "bus_absent", priority: .notice,
        subject: "The gate is not on the bus",
        explanation: """
            The gate works, but cannot be observed or operated from afar, for the reason in the
            message. The service retries, every 15 seconds at the latest, and writes the entry
            once for each reason.

            If it lasts: check that dbus.service runs, that the file io.turnstiled1.conf is in
            /usr/share/dbus-1/system.d or /etc/dbus-1/system.d, and that no other service has
            the name.
            """)
}
