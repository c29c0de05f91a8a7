import Audit
import Console
import GateClient
import Journal
import Keeping
import StateMachines
import System
import Turnstile

/// A gate's records in the journal, a line each.
struct KeptRecords {
    private let clock: LocalClock
    private let appearance: Appearance
    private var day: CalendarDay
    private(set) var isEmpty = true

    /// No lines yet. Records of `today` need no line with the day.
    init(_ clock: LocalClock, today: CalendarDay, _ appearance: Appearance) {
        (self.clock, self.appearance, day) = (clock, appearance, today)
    }

    /// The line of an entry, below another one where a day begins.
    mutating func lines(of entry: KeptEntry) -> [[Span]] {
        isEmpty = false
        let priority = entry["PRIORITY"].flatMap { Int($0) }.flatMap(Priority.init) ?? .notice
        let line = [
            Span("\(localTimeOfDay(at: entry.time)) ", .faint),
            Span(appearance.printable(entry["MESSAGE"] ?? ""), priority.style),
        ]
        let today = clock.day(at: entry.time)
        guard today != day else { return [line] }
        day = today
        return [[Span("\(today)", .faint)], line]
    }

    /// An entry by the journal's names, without those that are about the process.
    mutating func values(of entry: KeptEntry) -> [(String, BusValue)] {
        isEmpty = false
        let told = entry.fields.filter { !$0.name.hasPrefix("_") }.sorted { $0.name < $1.name }
        return [("__REALTIME_TIMESTAMP", .string("\(entry.time.wholeMicroseconds)"))]
            + told.map { ($0.name, .string($0.value)) }
    }

    /// The newest entries of the service on this machine, the oldest of them first; none where the
    /// journal may not be read.
    static func newest(_ count: Int, since: Duration) -> [KeptEntry] {
        var entries: [KeptEntry] = []
        let reader = try? JournalReader(of: JournalReader.writtenByService)
        try? reader?.forEachBackwards(since: since, until: nil) { entry in
            entries.append(entry)
            return entries.count < count
        }
        return entries.reversed()
    }
}

extension SystemError {
    /// Why the journal cannot be read: this machine's, or the one in a folder.
    func ofJournal(in folder: String? = nil) -> String {
        guard meansAbsence || isDenial else { return "\(self)" }
        if let folder { return "there is no journal in \(folder), or you may not read it" }
        return "there is no journal, or you may not read it: root and the members of the group "
            + "systemd-journal may"
    }
}
