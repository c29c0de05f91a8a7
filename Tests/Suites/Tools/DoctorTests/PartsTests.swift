import Foundation
import System
import Testing

@testable import Doctor

/// What the checks read the machine with.
@Suite struct PartsTests {
    let machine: Machine

    init() throws { machine = try Machine() }

    private var unit: UnitFile? { machine.facts().unit }

    @Test func `a drop-in takes the place of what the unit says`() throws {
        #expect(unit?["Service", "WatchdogSec"] == "2s")
        let folder = "turnstiled.service.d"
        try machine.write(
            "[Service]\nWatchdogSec=4s\nNice=3\n", to: "usr/lib/systemd/system/\(folder)/20-b.conf")
        try machine.write(
            "[Service]\n  WatchdogSec = 3s\n", to: "etc/systemd/system/\(folder)/10-a.conf")
        #expect(unit?["Service", "WatchdogSec"] == "4s")
        // One of the same name in a folder that comes first hides the other.
        try machine.write("# nothing\n", to: "etc/systemd/system/\(folder)/20-b.conf")
        #expect(unit?["Service", "WatchdogSec"] == "3s")
        #expect(unit?["Service", "Nice"] == nil)
        try machine.write("[Service]\nWatchdogSec=9s\n", to: "etc/systemd/system/\(folder)/notes")
        #expect(unit?["Service", "WatchdogSec"] == "3s")
    }

    @Test func `the machine's own unit hides the one that was installed`() throws {
        try machine.write(
            "; mine\n[Service]\nExecStart=/bin/own \\\n  --flag\nUser=someone\nUser=\n",
            to: "etc/systemd/system/turnstiled.service")
        #expect(unit?.path == "/etc/systemd/system/turnstiled.service")
        #expect(unit?["Service", "ExecStart"]?.hasPrefix("/bin/own ") == true)
        #expect(unit?["Service", "ExecStart"]?.hasSuffix("--flag") == true)
        #expect(unit?["Service", "User"] == nil && unit?["Unit", "User"] == nil)
    }

    @Test(arguments: [
        ("812 (turnstiled) \(fields(policy: "2"))", 2),
        ("812 (a (b) c) \(fields(policy: "1"))", nil),
        ("812 (turnstiled) S 1", nil), ("", nil), (")(", nil),
    ]) func `the kernel's words about a process are read`(text: String, policy: Int?) {
        let process = ServiceProcess(stat: text)
        #expect(process?.schedulingPolicy == policy)
        #expect(process.map(\.number) == policy.map { _ in 812 })
    }

    private static func fields(policy: String) -> String {
        (3...52).map { $0 == 41 ? policy : "7" }.joined(separator: " ")
    }

    @Test func `users and groups are those of the machine`() throws {
        try machine.write(
            "root:x:0:0::/:\nbroken\nanna:x:1000:990::/:\nturnstiled:x:990:990::/:\n",
            to: "etc/passwd")
        try machine.write(
            "turnstiled:x:990:ben,turnstiled\nvideo:x:44:turnstiled\n", to: "etc/group")
        let accounts = machine.facts().accounts
        let user = try #require(accounts.user("turnstiled"))
        #expect(accounts.groups(of: user) == [990, 44])
        #expect(accounts.members(of: 990, but: user) == ["anna", "ben"])
        #expect(accounts.userName(1000) == "anna" && accounts.userName(7) == "7")
        #expect(accounts.groupName(44) == "video" && accounts.user("broken") == nil)
    }
}
