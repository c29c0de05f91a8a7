import ArgumentParser
import Audit
import Console
import GateClient
import Journal
import System

struct Records: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the gate's records.",
        discussion: """
            --since reads the journal of this machine, which root and members of the group \
            systemd-journal may do; the gate itself does not repeat old records. Without --since \
            and --follow it prints the journalctl command for all of them.

            Examples:
              turnstilectl records --follow
              turnstilectl records --since 06:00 --until 06:30
            """)

    @Flag(name: .shortAndLong, help: "Print new records until interrupted.")
    var follow = false
    @Option(
        help: ArgumentHelp(
            """
            Print what was recorded from this time on: 06:00, '2026-11-22 06:00', today, \
            yesterday, or how long ago, as 90min.
            """, valueName: "time"), transform: WrittenTime.read)
    var since: WrittenTime?
    @Option(
        help: ArgumentHelp("Up to this time.", valueName: "time"), transform: WrittenTime.read)
    var until: WrittenTime?
    @Option(
        help: ArgumentHelp("The folder of another machine's journal.", valueName: "folder"),
        completion: .directory)
    var journal: String?
    @OptionGroup var gate: GateOptions

    /// The command that shows earlier records.
    private static let command = "journalctl _SYSTEMD_UNIT=turnstiled.service"

    func validate() throws {
        if since == nil, until != nil || journal != nil {
            throw ValidationError("--until and --journal go with --since")
        }
        if since != nil, follow { throw ValidationError("--since or --follow, not both") }
        if since != nil, gate.user || gate.address != nil {
            throw ValidationError(
                "--since reads this machine's journal, which has nothing of a gate on another bus")
        }
    }

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        if let since { return try printKept(since, out) }
        if follow { try printNew(out) }
        out.print([("command", .string("\(Self.command) --output=json"))], or: Self.command)
        return .done
    }

    private func printKept(_ since: WrittenTime, _ out: StandardOutput) throws -> ExitStatus {
        let (clock, now) = (LocalClock.system, SystemWallClock.utc)
        let (from, to) = try WrittenTime.range(since, until, now: now, clock)
        var page = KeptRecords(clock, today: clock.day(at: now), out.appearance)
        do throws(SystemError) {
            let reader = try JournalReader(folder: journal, of: JournalReader.writtenByService)
            try reader.forEach(since: from ?? .zero, until: to) { entry in
                out.print(page.values(of: entry), or: page.lines(of: entry))
            }
        } catch {
            throw CommandError(
                "the journal cannot be read: \(error.ofJournal(in: journal))", .cannotRead)
        }
        if page.isEmpty { throw CommandError("nothing was recorded then", .cannotRead) }
        return .done
    }

    private func printNew(_ out: StandardOutput) throws -> Never {
        let connection = try gate.connect()
        try connection.listen()
        // Fails if no service runs.
        _ = try connection.state()
        while true {
            while let event = try connection.next() {
                switch event {
                case .recorded(let told): out.print(told)
                case .recordsLost(let count): out.print(lost: count)
                case .changed, .line, .ownerChanged(isThere: true): continue
                case .ownerChanged(isThere: false):
                    complain("the gate's service has ended; waiting for it")
                }
            }
            connection.wait()
        }
    }
}
