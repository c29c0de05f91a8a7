import Foundation
import SystemFixtures
import Testing

/// The files that tell systemd of the service, judged by systemd's own tools where they are.
@Suite(.enabled(if: has("/usr/bin/systemd-analyze"), "there is no systemd-analyze"))
struct UnitFileTests {
    /// A folder with the unit in it as it is installed, but for the program, which is not there.
    let folder: TemporaryFolder
    let unit: String

    init() throws {
        folder = try TemporaryFolder()
        let template = try String(
            contentsOf: systemdFolder.appending(path: "turnstiled.service.in"), encoding: .utf8)
        unit = template.replacing("@BINDIR@/turnstiled", with: "/bin/true")
            .replacing("@SYSCONFDIR@", with: "/etc")
        try folder.write(unit, to: "turnstiled.service")
    }

    @Test func `the unit has no mistake`() throws {
        #expect(!unit.contains("@BINDIR@") && !unit.contains("@SYSCONFDIR@"))
        let path = folder.path("turnstiled.service")
        // The manual is not installed here: the next test looks for its pages.
        #expect(try run("/usr/bin/systemd-analyze", "verify", "--man=no", path).isEmpty)
    }

    @Test func `the unit asks for nothing that can be missing one day`() {
        let keys = Set(unit.matches(of: /(?m)^([A-Za-z]+)=/).map { String($0.output.1) })
        // What a unit requires by itself, but for ordering, and what needs a disk or a key.
        #expect(unit.contains("\nDefaultDependencies=no\n"))
        #expect(unit.contains("\nConflicts=shutdown.target\n") && keys.contains("Before"))
        for key in [
            "Requires", "Requisite", "BindsTo", "RequiresMountsFor", "StateDirectory",
            "RuntimeDirectory", "PrivateTmp", "PrivateUsers", "LoadCredential", "ExecStartPre",
            "EnvironmentFile", "WorkingDirectory", "RootDirectory",
        ] { #expect(!keys.contains(key), "\(key)=") }
    }

    @Test func `no core is written, and no limit ends the gate`() throws {
        #expect(unit.contains("\nLimitCORE=0\n"))
        let tasks = try #require(unit.firstMatch(of: /\nTasksMax=(\d+)\n/)).output.1
        // Five threads run.
        #expect(Int(tasks).map { $0 >= 4 * 5 } == true)
        #expect(!unit.contains(/\n(?:Memory(?:Max|High|SwapMax)|LimitAS|LimitDATA|LimitRSS)=/))
    }

    @Test func `the folders that the unit names are made, and may be missing`() throws {
        let tmpfiles = try String(
            contentsOf: systemdFolder.appending(path: "turnstiled.tmpfiles"), encoding: .utf8)
        let writable = try #require(unit.firstMatch(of: /\nReadWritePaths=(.*)/)).output.1
        let folders = unit.matches(of: /\nEnvironment=TURNSTILED_[A-Z]+_DIRECTORY=(.*)/).map {
            String($0.output.1)
        }
        #expect(folders == ["/run/turnstiled", "/var/lib/turnstiled"])
        #expect(writable == folders.map { "-\($0)" }.joined(separator: " "))
        for folder in folders {
            #expect(tmpfiles.contains("\nd \(folder) 0750 turnstiled turnstile-audit - -\n"))
        }
    }

    @Test func `the manual pages that the unit names are there`() throws {
        let line = try #require(unit.firstMatch(of: /Documentation=(.*)/)).output.1
        let manual = systemdFolder.deletingLastPathComponent().appending(path: "docs/man")
        let pages = line.matches(of: /man:([a-z.]+)\((\d)\)/).map {
            "\($0.output.1).\($0.output.2)"
        }
        let there = try FileManager.default.contentsOfDirectory(atPath: manual.path)
        // No service has the simulator.
        #expect(pages.sorted() == there.filter { $0 != "turnstile-simulator.8" }.sorted())
    }

    @Test func `no later rule takes the lines from the service's group`() throws {
        let rules = try String(
            contentsOf: systemdFolder.appending(path: "60-turnstiled.rules"), encoding: .utf8)
        let owning = rules.split(separator: "\n").filter { $0.contains("MODE") }
        #expect(owning.count == 3)
        for rule in owning {
            for key in ["OWNER", "GROUP", "MODE"] { #expect(rule.contains(#", \#(key):=""#)) }
        }
        #expect(
            unit.contains(
                "\nUser=turnstiled\nGroup=turnstile-audit\nSupplementaryGroups=turnstiled\n"))
    }

    /// The threshold is in tenths: the command fails above it.
    @Test func `the unit's exposure is below 1.0`() throws {
        let path = folder.path("turnstiled.service")
        let report = try run(
            "/usr/bin/systemd-analyze", "security", "--offline=true", "--threshold=9",
            "--no-pager", path)
        #expect(report.contains("Overall exposure level"))
    }

    @Test func `the user and its group can be made, with nobody else in it`() throws {
        let root = folder.path("root")
        let rules = systemdFolder.appending(path: "turnstiled.sysusers").path
        try folder.write("", to: "root/etc/passwd")
        _ = try run("/usr/bin/systemd-sysusers", "--root=\(root)", rules)
        #expect(try folder.read("root/etc/passwd").contains("turnstiled:x:"))
        let groups = try folder.read("root/etc/group")
        #expect(groups.contains(/^turnstiled:x:\d+:$/.anchorsMatchLineEndings()))
        for group in ["turnstile", "turnstile-audit"] {
            #expect(groups.split(separator: "\n").contains { $0.hasPrefix("\(group):x:") })
        }
        #expect(!groups.contains("gpio"))
    }
}
