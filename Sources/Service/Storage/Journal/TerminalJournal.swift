import Glibc
public import System
import Turnstile

/// A journal for people at a terminal: a line for each entry, on a descriptor.
///
/// A line that cannot be written at once, because the terminal is stopped or the reader of a
/// pipe is slow, is lost and counted; the next one is preceded by the number.
public final class TerminalJournal: Journal {
    private let descriptor: CInt
    private let isColoured: Bool
    private let timeOfDay: () -> String
    private var lost = 0

    /// A journal on `descriptor`, which stays the caller's.
    ///
    /// - Parameters:
    ///   - isColoured: whether warnings and errors stand out.
    ///   - timeOfDay: what each line begins with.
    public init(
        descriptor: CInt, isColoured: Bool, timeOfDay: @escaping () -> String = localTimeOfDay
    ) {
        self.descriptor = descriptor
        self.isColoured = isColoured
        self.timeOfDay = timeOfDay
    }

    /// Writes one line, or several where the message has several.
    public func write(_ entry: @autoclosure () -> JournalEntry) {
        if lost > 0, print(JournalEntry(.entriesLost(lost))) { lost = 0 }
        if !print(entry()) { lost += 1 }
    }

    private func print(_ entry: JournalEntry) -> Bool {
        // A pipe that is writable takes PIPE_BUF bytes at once, and no line is as long.
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Sound: one structure is read and written.
        guard unsafe Glibc.poll(&poll, 1, 0) == 1, poll.revents == Int16(POLLOUT) else {
            return false
        }
        let line = entry.terminalLine(timeOfDay: timeOfDay(), isColoured: isColoured)
        let bytes = Array(line.utf8)
        // Sound: pointer and length are those of one array.
        return unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    }
}

extension JournalEntry {
    /// The entry as one line, or as several of which all but the first are indented.
    func terminalLine(timeOfDay: String, isColoured: Bool) -> String {
        // Words from a file or the bus may contain control characters.
        var words = message.onItsLines.split(separator: "\n").joined(separator: "\n    ")
        if let state = self[.state] {
            words += " — \(state)"
            if let credit = self[.credit], credit != "0" { words += ", credit \(credit)" }
        }
        let sentence =
            priority > .warning ? words : "\(priority.word): \(words)"
        guard isColoured, let colour = priority.colour else { return "\(timeOfDay)  \(sentence)\n" }
        return "\(timeOfDay)  \u{1B}[\(colour)m\(sentence)\u{1B}[0m\n"
    }
}

extension Priority {
    fileprivate var word: String {
        switch self {
        case .critical: "critical"
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }

    /// The control sequence that highlights or dims it.
    fileprivate var colour: String? {
        switch self {
        case .critical: "1;31"
        case .error: "31"
        case .warning: "33"
        case .notice: "1"
        case .info: nil
        case .debug: "2"
        }
    }
}
