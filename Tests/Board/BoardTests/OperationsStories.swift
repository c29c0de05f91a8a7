import Testing
import VirtualBoard

/// Every command that the pages tell the technician to type does what they say, in the situation in
/// which they say it.
@Suite(.onBoards)
struct OperationsStories {
    @Test("the commands of a section", arguments: Debian.selected, Section.allCases)
    func section(on debian: Debian, _ section: Section) async throws {
        var commands = try section.commands()
        switch section {
        case .whatIsWrong: try await whatIsWrong(&commands, debian)
        case .selfTest: try await selfTest(&commands, debian)
        case .askingTheJournal: try await askingTheJournal(&commands, debian)
        case .frequentCases: try await frequentCases(&commands, debian)
        case .notRunning: try await notRunning(&commands, debian)
        case .ledger: try await ledger(&commands, debian)
        case .refusedLedger: try await refusedLedger(&commands, debian)
        case .blackBox: try await blackBox(&commands, debian)
        case .changingSettings: try await changingSettings(&commands, debian)
        case .lines: try await lines(&commands, debian)
        case .package: try await package(&commands, debian)
        case .firstStart: try await firstStart(&commands, debian)
        case .whoCanTouchTheLines: try await whoCanTouchTheLines(&commands, debian)
        case .hardwareWatchdog: try await hardwareWatchdog(&commands, debian)
        case .firstTests: try await firstTests(&commands, debian)
        case .firstPassage: try await firstPassage(&commands, debian)
        case .operatorsQuestions: try await operatorsQuestions(&commands, debian)
        }
        #expect(commands.rest.isEmpty, "commands that no story runs")
    }
}

// What docs/operations.md says.
extension OperationsStories {
    private func whatIsWrong(_ commands: inout Section.Commands, _ debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let mark = try await board.journalMark()
            try await board.press(.fault)
            let fault = try await board.event("fault_external", since: mark)
            let status = try await board.type(commands.next())
            #expect(status.contains(#"Status: "out of service (F1 external)""#))
            let explained = try await board.type(commands.next())
            #expect(explained.contains("Repair the machine."))
            let warnings = try await board.type(commands.next())
            #expect(warnings.contains(fault.message) && !warnings.contains("Started "))
            let live = try await board.follow(commands.next())
            #expect(live.contains("turnstiled"))
        }
    }

    private func selfTest(_ commands: inout Section.Commands, _ debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.check(
                """
                mkfifo /tmp/followed
                \(commands.next()) >/tmp/followed 2>&1 &
                """)
            try await board.press(.serviceKey)
            let line = try await board.check("head -n1 /tmp/followed")
            #expect(line.contains("self-test"))
        }
    }

    /// Each query is asked twice: before an ordinary user has forged what it asks for, and after.
    private func askingTheJournal(
        _ commands: inout Section.Commands, _ debian: Debian
    ) async throws {
        try await Board.withService(debian, .twoWay) { board in
            try await board.makeHistory()
            let answers = [
                "5 coin_accepted\n", "3 F5\n", "listen whether the lock moves", "forced",
                "No entries", "T", "1\n", "value_in 250,", #""TURNSTILE_VALUE":"50""#, "5\n",
            ]
            var asked: [(command: String, shown: String)] = []
            for answer in answers {
                let command = try commands.next()
                let shown = try await board.type(command)
                #expect(shown.contains(answer), "\(command)")
                asked.append((command, shown))
            }
            try await board.forge()
            for (command, shown) in asked {
                let again = try await board.type(command)
                #expect(Self.inOrder(again) == Self.inOrder(shown), "\(command)")
            }
            // The end of the log there is no evidence, but the status is the service's own.
            let status = try await board.type(commands.next())
            #expect(status.contains(#"Status: "locked"#))
        }
    }

    /// The lines, each with its parts in order: the journal writes the fields of an entry in any.
    private static func inOrder(_ text: String) -> [[Substring]] {
        text.split(separator: "\n").map { line in
            line.split { "{,}".contains($0) }.sorted()
        }
    }

    private func frequentCases(_ commands: inout Section.Commands, _ debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let mark = try await board.journalMark()
            try await board.tap(.releaseEntry)
            let back = Board.Move(after: .milliseconds(100), .rotorA, .low)
            try await board.play(Board.turn(.entry, 0..<1) + [back])
            try await board.event("passage_backed_out", since: mark)
            let count = try await board.type(commands.next())
            #expect(count == "1\n")
            let explained = try await board.type(commands.next())
            #expect(explained.contains("Defined-By: turnstiled") || explained.contains("░░"))
            let time = try await board.type(commands.next())
            #expect(time.contains("Time zone:"))
        }
    }

    private func notRunning(_ commands: inout Section.Commands, _ debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.changeSettings(["price: 250": "price: -250"])
            let start = try await board.run("systemctl restart turnstiled")
            #expect(start.status != 0)
            let shown = try await board.type(commands.next())
            #expect(shown.contains("ExecMainStatus=78\n") && shown.contains("Result=exit-code\n"))
            // The page's chip is a second one; the board has one alone.
            for _ in 0..<3 {
                let command = try commands.next().replacing("gpiochip1", with: "gpiochip0")
                _ = try await board.type(command)
            }
            let after = try await board.property("After")
            #expect(after.split(separator: " ").contains("dev-gpiochip0.device"))
            try await board.changeSettings([:])
            _ = try await board.type(commands.next())
            try await board.wait(for: .coinEnable, .high)
            let unit = try await board.type(commands.next())
            #expect(unit.contains("ExecStart=/usr/local/bin/turnstiled"))
            let lines = try await board.type(commands.next())
            #expect(lines.contains(/LOCK_ENTRY".*turnstiled/))
            // After the settings were corrected, as before: it does not matter that it runs.
            _ = try await board.type(commands.next())
            let chips = try await board.type(commands.next())
            #expect(chips.contains("gpiochip0 [board-sim]"))
            try await board.check("systemctl stop turnstiled")
            try await board.startWaveform()
            _ = try await board.type(commands.next())
            let driven = try await board.stopWaveform().filter { $0.cause == .set }
            for line in [BoardLine.lockEntry, .coinEnable, .alarm] {
                #expect(driven.contains { $0.line == line && $0.level == .low }, "\(line)")
            }
        }
    }

    private func ledger(_ commands: inout Section.Commands, _ debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.insertCoins(2)
            let sound = try await board.type(commands.next())
            #expect(sound == "/var/lib/turnstiled/ledger.db: all is accounted for\n")
            try await board.check("mkdir -p /media/usb")
            _ = try await board.type(commands.next())
            let copy = try await board.check("turnstilectl ledger verify /media/usb/ledger.db")
            #expect(copy.contains("all accounted for"))
            try await board.insertCoins(1)

            let mark = try await board.journalMark()
            for _ in 0..<2 { _ = try await board.type(commands.next()) }
            let state = "/var/lib/turnstiled"
            let owners = try await board.check("stat -c '%U:%G %a' \(state) \(state)/ledger.db")
            #expect(owners == "turnstiled:turnstile-audit 750\nturnstiled:turnstile-audit 640\n")
            // Whoever copies it by hand is told what to do.
            try await board.check(
                "cp --preserve=mode \(state)/ledger.db /tmp/ && mv /tmp/ledger.db \(state)/")
            _ = try await board.type(commands.next())
            let refused = try await board.event("store_failed", since: mark)
            let remedy = "chown turnstiled:turnstile-audit \(state)/ledger.db"
            #expect(refused.message.contains(remedy))
            try await board.check(remedy)
            // It runs by now.
            let held = try await board.event("credit_recovered", since: mark)
            #expect(held.telling == "credit_recovered value=100")
            try await board.wait(for: .coinEnable, .high)
            let status = try await board.status()
            #expect(status == "locked, credit 100")
        }
    }

    private func refusedLedger(_ commands: inout Section.Commands, _ debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.insertCoins(2)
            let mark = try await board.journalMark()
            try await board.check(
                """
                systemctl stop turnstiled
                sqlite3 /var/lib/turnstiled/ledger.db 'DELETE FROM state'
                systemctl start turnstiled
                """)
            let refused = try await board.event("store_failed", since: mark)
            #expect(refused.message.contains("it is damaged: "))
            try await board.event("fault_storage_failed", since: mark)
            let accepted = try await board.type(commands.next())
            let aside = "/var/lib/turnstiled/ledger.db.set-aside-1"
            #expect(
                accepted.contains("the previous ledger is in \(aside) now; a new ledger was begun"))
            try await board.event("fault_cleared", since: mark)
            try await board.wait(for: .coinEnable, .high)
            let status = try await board.status()
            #expect(status == "locked")
            let registers = try await board.type(commands.next())
            #expect(registers.contains("value_in 100,"))
            let recovered = try await board.type(commands.next().replacing("FILE", with: aside))
            #expect(recovered.contains(/INTO registers VALUES\('\w+_coin_pulse',1,50,2,2\)/))
        }
    }

    private func blackBox(_ commands: inout Section.Commands, _ debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let mark = try await board.journalMark()
            try await board.payFare()
            try await board.turnRotor()
            try await board.event("passage_completed", since: mark)
            // All that happened is in the files then.
            try await board.check("systemctl stop turnstiled")
            var shown: [String] = []
            while !commands.rest.isEmpty {
                // It is some other time on this board.
                let command = try commands.next().replacing("06:09", with: "00:00")
                    .replacing("06:12", with: "23:59:59")
                shown.append(try await board.type(command))
            }
            #expect(shown.first?.contains("somebody passed (entry), paid") == true)
            #expect(shown.contains { $0.contains(", 1 passage: all as recorded") })
            let cut = try await board.check("turnstilectl trace replay /tmp/incident.trace")
            #expect(cut.contains(": all as recorded"))
            let modes = try await board.check(
                "stat -c '%U:%G %a' /var/lib/turnstiled/trace{,/*1.trace}")
            #expect(modes == "turnstiled:turnstile-audit 750\nturnstiled:turnstile-audit 640\n")
        }
    }

    private func changingSettings(
        _ commands: inout Section.Commands, _ debian: Debian
    ) async throws {
        try await Board.withService(debian) { board in
            try await board.changeSettings(["price: 250": "price: 100"])
            let mark = try await board.journalMark()
            _ = try await board.type(commands.next())
            _ = try await board.type(commands.next())
            try await board.event("policy_changed", since: mark)
            _ = try await board.type(commands.next())
            try await board.event("stopped", since: mark)
            try await board.wait(for: .coinEnable, .high)
        }
    }
}

// What docs/installation.md says.
extension OperationsStories {
    private func lines(_ commands: inout Section.Commands, _ debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let chips = try await board.type(commands.next())
            #expect(chips.contains("[board-sim]"))
            let lines = try await board.type(commands.next())
            #expect(lines.contains("ROTOR_A"))
        }
    }

    private func firstStart(_ commands: inout Section.Commands, _ debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.check("systemctl stop turnstiled")
            _ = try await board.type(commands.next())
            _ = try await board.type(commands.next())
            let status = try await board.type(commands.next())
            #expect(status.contains(#"Status: "locked""#) && status.contains("; enabled;"))
            let time = try await board.type(commands.next())
            #expect(time.contains("Time zone:"))
        }
    }

    /// The board gets what Raspberry Pi OS has: a group gpio with the login user in it, and a rule
    /// that comes after the service's own and gives this group everything.
    private func whoCanTouchTheLines(
        _ commands: inout Section.Commands, _ debian: Debian
    ) async throws {
        try await Board.withService(debian) { board in
            try await board.check(
                #"""
                set -e
                groupadd gpio
                useradd --groups gpio login
                cat >/etc/udev/rules.d/99-com.rules <<'RULES'
                SUBSYSTEM=="*gpiomem*", GROUP="gpio", MODE="0660"
                SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"
                SUBSYSTEM=="gpio*", PROGRAM="/bin/sh -c '\
                    chown -R root:gpio /sys/class/gpio && chmod -R 770 /sys/class/gpio'"
                RULES
                udevadm control --reload
                udevadm trigger --settle --action=add --subsystem-match=gpio
                systemctl stop turnstiled
                """#)
            let groups = try await board.type(commands.next())
            #expect(groups == "video:\nturnstiled:\n")
            let chips = try await board.type(commands.next())
            #expect(chips == "root:turnstiled 660 /dev/gpiochip0\n")
            let asLogin = "setpriv --reuid=login --regid=login --init-groups"
            let line = try await board.run("\(asLogin) gpioinfo")
            #expect(line.status != 0 && line.output.contains("Permission denied"))
            let sysfs = try await board.run(
                """
                cd /sys/class/gpio || exit 99
                \(asLogin) sh -c 'echo 0 >export'
                """)
            #expect(sysfs.status != 0 && sysfs.status != 99, "\(sysfs.output)")
            // The service itself may.
            try await board.check("systemctl start turnstiled")
            try await board.wait(for: .coinEnable, .high)
        }
    }

    private func hardwareWatchdog(
        _ commands: inout Section.Commands, _ debian: Debian
    ) async throws {
        try await Board.withService(debian) { board in
            try await board.check("modprobe softdog")
            // The folder, the file, systemd anew.
            for _ in 0..<3 { _ = try await board.type(commands.next()) }
            let shown = try await board.type(commands.next())
            #expect(shown == "WatchdogDevice=/dev/watchdog0\nRuntimeWatchdogUSec=15s\n")
            let state = try await board.type(commands.next())
            #expect(state == "active\n")
        }
    }

    private func firstTests(_ commands: inout Section.Commands, _ debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let live = try await board.follow(commands.next())
            #expect(live.contains("turnstiled"))
            let time = try await board.type(commands.next())
            #expect(time.contains("Time zone:"))
            let mark = try await board.journalMark()
            _ = try await board.type(commands.next())
            try await board.event("started", since: mark)
        }
    }
}

extension Board {
    /// Has something happen that every query of the page finds: a paid passage, the rotor forced,
    /// a lock that does not follow, a stop.
    fileprivate nonisolated(nonsending) func makeHistory() async throws {
        let mark = try await journalMark()
        try await turnRotor()
        try await event("alarm_cleared", since: mark)
        try await insertCoins(5)
        try await turnRotor()
        try await event("passage_completed", since: mark)
        try await changeSettings(
            [
                "  inputs:\n": """
                  inputs:
                    lock_feedback: {line: LOCK_ENTRY_MOVED, active_low: false, bias: as_is}
                """ + "\n"
            ], of: .twoWay)
        try await check("systemctl restart turnstiled")
        try await wait(for: .ready, .high)
        try await tap(.releaseEntry)
        try await event("out_of_service", since: mark)
        try await tap(.serviceKey)
        try await event("in_service", since: mark)
    }

    /// Has an ordinary user write what every query of the page asks for, and pretend to be the
    /// service in every way that there is.
    fileprivate nonisolated(nonsending) func forge() async throws {
        let mark = try await journalMark()
        let script = #"""
            asNobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
            for event in coin_accepted passage_completed registers alarm_forced_passage \
                out_of_service in_service passage_backed_out; do
                for message_id in 9448b94700914c37a0e2994d92cc3ed6 fc2e22bc6ee647b6b90729ab34a250b1
                do
                    $asNobody logger --journald <<END
            MESSAGE=made up
            MESSAGE_ID=$message_id
            PRIORITY=2
            SYSLOG_IDENTIFIER=turnstiled
            TURNSTILE_EVENT=$event
            TURNSTILE_CODE=F5
            TURNSTILE_LINE=rotor_a
            TURNSTILE_KIND=paid
            TURNSTILE_VALUE=1000000
            _SYSTEMD_UNIT=turnstiled.service
            _PID=1
            _UID=0
            UNIT=turnstiled.service
            OBJECT_SYSTEMD_UNIT=turnstiled.service
            OBJECT_PID=$(systemctl show --property=MainPID --value turnstiled)
            COREDUMP_UNIT=turnstiled.service
            END
                done
            done
            """#
        try await check(script)
        let forged = try await journal(after: mark, "_UID=65534", "TURNSTILE_EVENT=coin_accepted")
        #expect(forged.count == 2 && forged.allSatisfy { $0.message == "made up" })
    }
}
