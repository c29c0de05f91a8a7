import Audit
import Console
import Journal
import System

/// Entries of the journal as text: so many of the newest as there is room for.
struct JournalText {
    private let clock: LocalClock
    private let mostBytes: Int
    /// The newest first.
    private var entries: [(text: String, bootID: String)] = []
    private var size = 0
    /// When the newest entry was that there was no room for; nil where there was for all.
    private(set) var lastLeftOut: Duration?

    init(_ clock: LocalClock, mostBytes: Int = 5_000_000) {
        (self.clock, self.mostBytes) = (clock, mostBytes)
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Takes the entry before those that were taken; false where there is no more room.
    mutating func take(_ entry: KeptEntry) -> Bool {
        let text = text(of: entry)
        guard size + text.utf8.count <= mostBytes else {
            lastLeftOut = entry.time
            return false
        }
        size += text.utf8.count
        entries.append((text, entry.bootID))
        return true
    }

    var text: String {
        var text = ""
        var bootID: String?
        for entry in entries.reversed() {
            if entry.bootID != bootID { text += "-- boot \(entry.bootID)\n" }
            bootID = entry.bootID
            text += entry.text
        }
        return text
    }

    /// A line for people, and one for each field of the service or that identifies the entry.
    private func text(of entry: KeptEntry) -> String {
        let writer = entry["SYSLOG_IDENTIFIER"] ?? "unknown"
        let process = entry["_PID"].map { "[\($0)]" } ?? ""
        let head = "\(timestamp(of: entry.time)) \(writer)\(process): \(entry["MESSAGE"] ?? "")"
        let fields = entry.fields.filter { Self.isTold($0.name) }.sorted { $0.name < $1.name }
        let lines = [head] + fields.map { "    \($0.name)=\($0.value)" }
        return lines.map { Self.printable($0) + "\n" }.joined()
    }

    private static func isTold(_ name: String) -> Bool {
        name.hasPrefix("TURNSTILE_")
            || ["PRIORITY", "MESSAGE_ID", "JOB_RESULT", "EXIT_CODE", "EXIT_STATUS"].contains(name)
    }

    /// A text whose further lines are indented, and that can steer no terminal.
    private static func printable(_ text: String) -> String {
        let appearance = Appearance(isColoured: false, isUnicode: true)
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { appearance.printable(String($0)) }.joined(separator: "\n        ")
    }

    /// `2026-11-22T06:10:30.123456+01:00`.
    private func timestamp(of time: Duration) -> String {
        let text = clock.timestamp(of: time)
        let microseconds = time.components.attoseconds / 1_000_000_000_000
        let fraction = "\(microseconds)".zeroPadded(to: 6)
        return "\(text.prefix(19)).\(fraction)\(text.dropFirst(19))"
    }
}
