import Checkout
import Foundation
import Testing
import VirtualBoard

/// What becomes of a gate while apt works on it: no output is ever at an unsafe level, and nothing
/// that was paid or counted is lost.
@Suite(.onBoards)
struct PackageStories {
    @Test(
        "an upgrade waits for whoever has paid, and starts the service anew then",
        arguments: Debian.each)
    func upgrade(on debian: Debian) async throws {
        let patient: KeyValuePairs = [
            "pass_wait: 5s": "pass_wait: 1min", "max_on: 40s": "max_on: 2min",
        ]
        try await Board.withPackagedService(debian, changing: patient) { board in
            try await board.check("sha256sum \(InstalledService.settingsPath) >/tmp/settings.sum")
            let mark = try await board.journalMark()
            let process = try await board.property("MainPID")
            try await board.startWaveform()
            try await board.beginUpgrade()
            try await board.awaitUpgrade(toSay: "Unpacking turnstiled")
            try await board.insertCoins(5)
            try await board.awaitUpgrade(toSay: "waiting until the gate is idle")
            let meanwhile = try await board.property("MainPID")
            let released = try await board.energised()
            #expect(meanwhile == process && released == [.lockEntry])

            try await board.turnRotor()
            try await board.event("passage_completed", since: mark)
            _ = try await board.upgraded()
            try await board.play([], until: [.coinEnable])
            let driven = try await board.stopWaveform().filter { $0.cause == .set }
            let energised = driven.filter { $0.level == .high && $0.line != .coinEnable }
            #expect(energised.map(\.line) == [.lockEntry], "by those who paid, and nobody else")

            let version = try await board.packageVersion()
            let anew = try await board.property("MainPID")
            #expect(version.hasSuffix("+later") && anew != process && anew != "0")
            let status = try await board.status()
            #expect(status == "locked")
            let registers = try await board.gate("Registers")
            #expect(registers.contains(#""passages_entry_paid" 1 "#), "\(registers)")
            #expect(registers.contains(#""fares_used" 250 "#), "\(registers)")
            try await board.check("sha256sum --check /tmp/settings.sum; turnstiled --check-ledger")
        }
    }

    @Test("a credit that nobody comes for outlives an upgrade", arguments: Debian.selected)
    func abandonedCredit(on debian: Debian) async throws {
        try await Board.withPackagedService(debian) { board in
            try await board.insertCoins(2)
            let process = try await board.property("MainPID")
            try await board.beginUpgrade()
            _ = try await board.upgraded()
            let anew = try await board.property("MainPID")
            #expect(anew != process)
            let credit = try await board.gate("Credit")
            #expect(credit == "x 100\n")
        }
    }

    @Test(
        "an upgrade to the group of auditors: files go over, and operators read on",
        arguments: Debian.selected)
    func auditors(on debian: Debian) async throws {
        try await Board.withPackagedService(debian) { board in
            // As a version without that group has left it.
            try await board.check(
                """
                useradd --create-home --groups turnstile anna
                chgrp --recursive turnstile /var/lib/turnstiled
                groupdel turnstile-audit
                """)
            try await board.beginUpgrade()
            _ = try await board.upgraded()
            let owners = try await board.check(
                "find /var/lib/turnstiled -printf '%g\\n' | sort --unique")
            #expect(owners == "turnstile-audit\n")
            let report = try await board.check(
                "cd /home/anna; runuser --user anna -- turnstilectl report --by kind")
            #expect(report.contains("all accounted for"), "\(report)")
        }
    }

    @Test(
        "a gate that is never idle keeps its version, and apt says so", arguments: Debian.selected)
    func neverIdle(on debian: Debian) async throws {
        let patient: KeyValuePairs = ["max_on: 40s": "duty: continuous"]
        try await Board.withPackagedService(debian, changing: patient) { board in
            try await board.press(.fire)
            try await board.wait(for: .lockEntry, .high)
            let process = try await board.property("MainPID")
            try await board.beginUpgrade()
            let said = try await board.upgraded()
            #expect(said.contains("the version before goes on"), "\(said)")
            #expect(said.contains("sudo systemctl restart turnstiled"), "\(said)")
            let still = try await board.property("MainPID")
            let open = try await board.level(of: .lockEntry)
            #expect(still == process && open == .high)
            let version = try await board.packageVersion()
            #expect(version.hasSuffix("+later"))
        }
    }

    @Test(
        "a package that cannot read the ledger is refused, and the gate goes on",
        arguments: Debian.selected)
    func downgrade(on debian: Debian) async throws {
        try await Board.withPackagedService(debian) { board in
            let process = try await board.property("MainPID")
            let version = try await board.packageVersion()
            let refused = try await board.run(
                PackagedService.apt("install --allow-downgrades ./earlier/turnstiled_*.deb"),
                within: .seconds(300))
            #expect(refused.status != 0)
            #expect(refused.output.contains("is refused: the ledger /var/lib/turnstiled/ledger.db"))
            #expect(refused.output.contains("knows versions up to 4"), "\(refused.output)")
            let still = try await board.property("MainPID")
            let kept = try await board.packageVersion()
            #expect(still == process && kept == version)
            try await board.payFare()
            let released = try await board.energised()
            #expect(released == [.lockEntry])
        }
    }

    @Test("a ledger is as new as its log says", arguments: Debian.selected)
    func versionInLog(on debian: Debian) async throws {
        try await Board.withPackagedService(debian) { board in
            // What a later service would leave that has not written its log into the file yet.
            try await board.check(
                """
                systemctl stop turnstiled
                cd /var/lib/turnstiled
                printf '%s\\n' '.dbconfig no_ckpt_on_close on' 'PRAGMA user_version = 9;' |
                    sqlite3 ledger.db >/dev/null
                test -s ledger.db-wal
                """)
            let refused = try await board.run(
                PackagedService.apt("install ./later/turnstiled_*.deb"), within: .seconds(300))
            #expect(refused.status != 0)
            #expect(refused.output.contains("is of version 9"), "\(refused.output)")
        }
    }

    @Test(
        "removed with somebody on the way: safe at once; purged: ledger and key stay",
        arguments: Debian.selected)
    func removal(on debian: Debian) async throws {
        try await Board.withPackagedService(debian) { board in
            try await board.insertCoins(5)
            try await board.wait(for: .lockEntry, .high)
            try await board.startWaveform()
            try await board.apt("remove turnstiled")
            let energised = try await board.energised()
            #expect(energised == [])
            let driven = try await board.stopWaveform().filter { $0.cause == .set }
            #expect(driven.allSatisfy { $0.level == .low }, "\(driven)")
            // By the unit's command after the stop, which is the program's own.
            let stop = try await board.journal("_PID=1", "UNIT=turnstiled.service")
            #expect(!stop.contains { $0["COMMAND"] == "ExecStopPost" }, "\(stop.map(\.message))")
            try await board.check(
                """
                test ! -e /usr/bin/turnstiled
                test ! -e /etc/systemd/system/multi-user.target.wants/turnstiled.service
                test ! -L /etc/systemd/system/multi-user.target.wants/turnstiled.service
                test -s \(InstalledService.settingsPath)
                """)
            // Another installation begins as the first did, with the settings that are there.
            try await board.check("ls /var/lib/turnstiled/trace/*.trace")
            let again = try await board.apt("install ./turnstiled_*.deb")
            #expect(again.contains("neither enabled nor started"), "\(again)")
            let state = try await board.run(
                "systemctl is-enabled turnstiled; systemctl is-active turnstiled")
            #expect(state.output == "disabled\ninactive\n")
            let said = try await board.apt("purge turnstiled")
            for kept in ["ledger.db, the ledger", "ledger.db.key, the key"] {
                #expect(said.contains("/var/lib/turnstiled/\(kept)"), "\(said)")
            }
            try await board.check(
                """
                test ! -e /etc/turnstiled
                test -s /var/lib/turnstiled/ledger.db
                test -s /var/lib/turnstiled/ledger.db.key
                test ! -e /var/lib/turnstiled/trace
                test ! -e /var/lib/turnstiled/state
                getent passwd turnstiled
                """)
        }
    }

    @Test("what make uninstall does first: stopped, disabled, safe", arguments: Debian.selected)
    func uninstall(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.check("systemctl --quiet enable turnstiled")
            for script in ["before-uninstall", "after-uninstall"] {
                let file = Checkout.root.appending(path: "systemd/\(script)")
                try await board.put(
                    String(contentsOf: file, encoding: .utf8), at: "/tmp/\(script)")
            }
            try await board.insertCoins(5)
            try await board.wait(for: .lockEntry, .high)
            let said = try await board.check("sh /tmp/before-uninstall 2>&1")
            #expect(said.contains("stopped and disabled"), "\(said)")
            let energised = try await board.energised()
            #expect(energised == [])
            let state = try await board.run(
                "systemctl is-enabled turnstiled; systemctl is-active turnstiled")
            #expect(state.output == "disabled\ninactive\n")
            let after = try await board.check("sh /tmp/after-uninstall 2>&1")
            for kept in ["ledger.db", "ledger.db.key", "trace"] {
                #expect(after.contains("/var/lib/turnstiled/\(kept), "), "\(after)")
            }
            // Where it is gone already, there is nothing to stop.
            try await board.check(
                """
                rm /usr/local/lib/systemd/system/turnstiled.service; systemctl daemon-reload
                sh /tmp/before-uninstall
                """)
        }
    }
}

// What docs/installation.md says of the package, typed as it stands there.
extension OperationsStories {
    /// From the packages to the first passage, to a newer version, and to nothing.
    func package(_ commands: inout Section.Commands, _ debian: Debian) async throws {
        try await Board.withPackages(debian) { board in
            let folder = PackagedService.folder
            // Whoever types it answers yes.
            try await board.put("APT::Get::Assume-Yes \"true\";\n", at: "/etc/apt/apt.conf.d/yes")
            var typed = 1
            let installed = try await board.type("cd \(folder); \(commands.next())")
            #expect(installed.contains("neither enabled nor started"), "\(installed)")
            #expect(installed.contains("sudo systemctl enable --now turnstiled"))
            let state = try await board.run(
                "systemctl is-enabled turnstiled; systemctl is-active turnstiled")
            #expect(state.output == "disabled\ninactive\n")

            // The lines are written into the settings; what follows is the next section.
            try await board.put(
                InstalledGate.oneWay.settings(), at: InstalledService.settingsPath)
            typed += 1
            var start = try Section.firstStart.commands()
            for _ in 0..<3 {
                _ = try await board.type(start.next())
                typed += 1
            }
            try await board.putIntoService()
            let mark = try await board.journalMark()
            try await board.insertCoins(5)
            try await board.turnRotor()
            try await board.event("passage_completed", since: mark)
            #expect(typed < 20)

            try await board.check("cp \(folder)/turnstilectl_*.deb \(folder)/later")
            _ = try await board.type("cd \(folder)/later; \(commands.next())")
            let version = try await board.packageVersion()
            #expect(version.hasSuffix("+later"))
            for expected in ["Removing turnstiled", "/var/lib/turnstiled/ledger.db.key"] {
                let said = try await board.type(commands.next())
                #expect(said.contains(expected), "\(said)")
            }
            let left = try await board.packageVersion()
            #expect(left.hasPrefix("not installed"))
        }
    }
}
