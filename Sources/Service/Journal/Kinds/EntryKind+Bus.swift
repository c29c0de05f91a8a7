import Turnstile

extension EntryKind {
    /// The kind of `ShellRecord.reloadRequested`.
    static let reloadRequested = EntryKind(
        id: "b5fa6222fbdc4584a2d323f7edeebd36", event: "reload_requested", priority: .notice,
        subject: "@TURNSTILE_OPERATOR@ has the configuration read again",
        explanation: """
            Somebody on the bus asked for it. The entries that follow say what changed, or why
            the file was refused.
            """)

    /// The kind of `ShellRecord.busJoined`.
    static let busJoined = EntryKind(
        id: "468eb552fd1745cca9a425989ba42dd6", event: "bus_joined", priority: .info,
        subject: "The gate is on the bus",
        explanation: """
            It can be looked at and operated there, as io.turnstiled1. The bus calls the
            service @TURNSTILE_DETAIL@ as well.
            """)

    /// The kind of `ShellRecord.busAbsent`.
    static let busAbsent = EntryKind(
        id: "33bbef23bb804ef0a923acb3678ce750", event: "bus_absent", priority: .notice,
        subject: "The gate is not on the bus",
        explanation: """
            The gate works, and cannot be looked at or operated from afar, for the reason in
            the message. The bus is tried again, every 15 seconds at the latest, and the entry
            is written once for each reason.

            If it lasts: see that dbus.service runs, that the file io.turnstiled1.conf is in
            /usr/share/dbus-1/system.d or /etc/dbus-1/system.d, and that no other service has
            the name.
            """)
}
