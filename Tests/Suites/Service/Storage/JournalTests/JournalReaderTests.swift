import Foundation
import Journal
import SystemFixtures
import Testing

@testable import System

/// What is read of a journal is what was written into it.
@Suite struct JournalReaderTests {
    /// A journald of its own writes these, one a second, into the folder.
    private static let script = """
        mount --types tmpfs tmpfs /run
        mkdir --parents /run/systemd/journald.conf.d /run/log/journal
        mount --bind "$0" /run/log/journal
        mount --types tmpfs tmpfs /var/log
        printf '[Journal]\\nStorage=volatile\\nReadKMsg=no\\nAudit=no\\nRuntimeMaxUse=16M\\n' \\
            > /run/systemd/journald.conf.d/test.conf
        /lib/systemd/systemd-journald & journald=$!
        until test -S /run/systemd/journal/socket; do sleep 0.1; done
        for number in 1 2 3; do
            printf 'MESSAGE=passage %s\\nSYSLOG_IDENTIFIER=gate\\nTURNSTILE_EVENT=released\\n' \\
                "$number" | logger --journald
            printf 'MESSAGE=%s\\nSYSLOG_IDENTIFIER=other\\n' "$number" | logger --journald
        done
        until journalctl --directory /run/log/journal --grep 'passage 3' --quiet | grep -q 3; do
            sleep 0.1
        done
        kill "$journald"; wait "$journald"
        chmod --recursive a+rX "$0"
        """

    /// Whether there can be one here.
    static let canHaveJournal: Bool = {
        guard has("/lib/systemd/systemd-journald"), has("/usr/bin/logger") else { return false }
        let trial = Process()
        trial.executableURL = URL(filePath: "/usr/bin/unshare")
        trial.arguments = ["--map-root-user", "--mount", "mount", "--types", "tmpfs", "t", "/run"]
        trial.standardError = FileHandle.nullDevice
        guard (try? trial.run()) != nil else { return false }
        trial.waitUntilExit()
        return trial.terminationStatus == 0
    }()

    @Test(.enabled(if: canHaveJournal), .timeLimit(.minutes(1)))
    func `the newest or the oldest comes first, of those that are asked for`() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "journal/.keep")
        let path = folder.path("journal")
        _ = try run(
            "/usr/bin/unshare", "--map-root-user", "--mount", "/bin/sh", "-e", "-c", Self.script,
            path)
        let inner = try #require(try File.names(in: path).first { $0 != ".keep" })
        let matches = [["SYSLOG_IDENTIFIER=gate"], ["SYSLOG_IDENTIFIER=other", "MESSAGE=2"]]
        let reader = try JournalReader(folder: "\(path)/\(inner)", of: matches)
        func read(
            since: Duration = .zero, until: Duration? = nil, most: Int = 9
        ) throws -> [KeptEntry] {
            var entries: [KeptEntry] = []
            try reader.forEachBackwards(since: since, until: until) {
                entries.append($0)
                return entries.count < most
            }
            return entries
        }
        let all = try read()
        #expect(all.map { $0["MESSAGE"] } == ["passage 3", "2", "passage 2", "passage 1"])
        #expect(all.allSatisfy { $0.bootID == bootID(told: nil) })
        #expect(all[0]["TURNSTILE_EVENT"] == "released" && all[0]["_PID"] != nil)
        let age = SystemWallClock.utc - all[0].time
        #expect(age >= .zero && age < .seconds(60))
        #expect(try read(most: 2) == Array(all[..<2]))
        #expect(try read(since: all[1].time) == Array(all[...1]))
        #expect(try read(until: all[1].time) == Array(all[2...]))
        var forwards: [KeptEntry] = []
        try reader.forEach(since: all[2].time, until: all[0].time) { forwards.append($0) }
        #expect(forwards == [all[2], all[1]])
    }

    @Test(arguments: ["", "no"])
    func `a folder without a journal, or that is not there, is told`(name: String) throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: SystemError.self) {
            try JournalReader(folder: folder.path(name))
        }
        #expect(error?.meansAbsence == true)
    }
}
