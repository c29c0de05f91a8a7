import Glibc
import Keeping
public import System
import Turnstile

/// systemd's journal, by its native protocol: each entry is a datagram of fields.
///
/// `sd_journal_sendv` would wait while journald does not read; decision 0010 has the measurements.
/// Here an entry that the kernel cannot take at once is lost and counted, and the next one that it
/// takes is preceded by an entry with the count.
public final class NativeJournal: Journal {
    private let socket: DatagramSocket
    private let identifier: String
    private var lost = 0

    /// A journal that is read at `path`, for a program called `identifier`.
    public init(
        path: String = "/run/systemd/journal/socket", identifier: String = "turnstiled"
    ) throws(SystemError) {
        socket = try DatagramSocket(path: path)
        self.identifier = identifier
    }

    public func write(_ entry: @autoclosure () -> JournalEntry) {
        if lost > 0, send(JournalEntry(.entriesLost(lost))) { lost = 0 }
        if !send(entry()) { lost += 1 }
    }

    /// Waits until journald has taken all entries, for `limit` at most, before a process ends at
    /// once. Returns whether it has.
    ///
    /// journald reads an entry's unit from the sending process, and caches it. Once it has taken
    /// the last entry it has looked up the one before: so a process that writes two entries and
    /// waits is known for both.
    public func drain(within limit: Duration) -> Bool {
        var left = limit
        while socket.hasUnread, left > .zero {
            // There is no event for a datagram that was read.
            poll(nil, 0, 5)
            left -= .milliseconds(5)
        }
        return lost == 0 && !socket.hasUnread
    }

    private func send(_ entry: JournalEntry) -> Bool {
        do {
            try socket.send(entry.nativeDatagram(identifier: identifier))
            return true
        } catch {
            return false
        }
    }
}

extension JournalEntry {
    /// The entry in journald's native protocol, from a program called `identifier`.
    ///
    /// A value of one line stands as `NAME=value`; one with line feeds stands after the name, a
    /// line feed and its length in bytes, as 64 bits with the lowest byte first. Each field ends
    /// in a line feed.
    func nativeDatagram(identifier: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        func append(_ name: String, _ value: String) {
            bytes += name.utf8
            if value.utf8.contains(UInt8(ascii: "\n")) {
                bytes.append(UInt8(ascii: "\n"))
                let length = UInt64(value.utf8.count)
                for shift in stride(from: 0, to: 64, by: 8) {
                    bytes.append(UInt8(truncatingIfNeeded: length >> shift))
                }
            } else {
                bytes.append(UInt8(ascii: "="))
            }
            bytes += value.utf8
            bytes.append(UInt8(ascii: "\n"))
        }
        // For readers of the journal; fields are unchanged.
        append("MESSAGE", message.onItsLines)
        append("PRIORITY", "\(priority.rawValue)")
        append("MESSAGE_ID", messageID)
        append("SYSLOG_IDENTIFIER", identifier)
        for field in fields { append(field.name.journalName, field.value) }
        return bytes
    }
}
