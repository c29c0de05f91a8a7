public import Journal
public import System

/// A service manager that keeps what it is told.
public final class RecordingServiceManager: ServiceManager {
    /// How long it waits for a sign of life.
    public var watchdogInterval: Duration?
    /// What it was told, in order.
    public private(set) var notifications: [ServiceNotification] = []

    /// A manager that waits for `watchdogInterval`, or does not watch.
    public init(watchdogInterval: Duration? = nil) {
        self.watchdogInterval = watchdogInterval
    }

    /// Keeps `notification`.
    public func notify(_ notification: ServiceNotification) { notifications.append(notification) }

    /// Hands over what was kept and forgets it.
    public func take() -> [ServiceNotification] {
        defer { notifications = [] }
        return notifications
    }
}

/// A journal that keeps its entries.
public final class RecordingJournal: Journal {
    /// What was written, in order.
    public private(set) var entries: [JournalEntry] = []

    /// An empty journal.
    public init() {}

    /// Keeps `entry`.
    public func write(_ entry: @autoclosure () -> JournalEntry) { entries.append(entry()) }

    /// Hands over what was kept and forgets it.
    public func take() -> [JournalEntry] {
        defer { entries = [] }
        return entries
    }
}
