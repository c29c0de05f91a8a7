import Testing
import VirtualBoard

/// What people have paid outlives whatever ends the service.
@Suite(.onBoards)
struct LedgerStories {
    private static let coin = "coin_accepted coin_pulse value=50 pulses=1"
    private static let paid =
        Array(repeating: coin, count: 5) + [
            "credit_used value=250", "released entry credit value=250",
        ]
    private static let passed = [
        "credit_used value=250", "released entry credit value=250", "passage_started entry",
        "passage_completed entry paid",
    ]

    @Test(
        "killed before the passage: who has paid is let in again, once", arguments: Debian.selected)
    func killed(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            var mark = try await board.journalMark()
            try await board.payFare()
            let released = try await board.energised()
            #expect(released == [.lockEntry])
            let paid = try await board.telling(since: mark)
            #expect(paid == Self.paid)

            mark = try await board.journalMark()
            try await board.signal("KILL")
            try await board.event("released", since: mark)
            var status = try await board.status()
            #expect(status == "released (entry), coins refused (store full)")
            try await board.turnRotor()
            try await board.event("passage_completed", since: mark)
            let passed = try await board.journalMark()
            try await board.signal("KILL")
            try await board.event("started", since: passed)
            try await board.wait(for: .coinEnable, .high)
            status = try await board.status()
            #expect(status == "locked")
            let ofLines = ["hardware_ready", "lost_edges_go_unseen", "debounced_by_core"]
            let telling = try await board.telling(since: mark).filter { !ofLines.contains($0) }
            #expect(
                telling == [
                    "started", "passage_in_doubt entry paid not_made", "credit_returned value=250",
                    "credit_recovered value=250",
                ] + Self.passed + ["started"])
        }
    }

    @Test(
        "power lost after the coins: the credit is there after the boot", arguments: Debian.selected
    )
    func powerLost(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.check("systemctl enable turnstiled; journalctl --sync; sync")
            let mark = try await board.journalMark()
            try await board.insertCoins(5)
            try await board.powerCut()
            try await board.boot()
            try await board.event("credit_recovered", since: mark)
            let status = try await board.status()
            #expect(status == "locked, credit 250, coins refused (store full)")
            try await board.turnRotor()
            try await board.event("passage_completed", since: mark)
            let telling = try await board.telling(since: mark)
            #expect(telling.suffix(4) == Self.passed[...])
        }
    }

    @Test(
        "a member of the group proves the books while the service runs, and over a loss of power",
        arguments: Debian.selected)
    func proved(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.joinedBus()
            try await board.check(
                """
                systemctl enable turnstiled
                useradd --create-home --groups turnstile,turnstile-audit anna
                """)
            let mark = try await board.journalMark()
            try await board.payFare()
            try await board.turnRotor()
            try await board.event("passage_completed", since: mark)
            let anna = "cd /home/anna; runuser --user anna -- bash -ec"
            let report = try await board.check("\(anna) 'turnstilectl report --by kind'")
            #expect(report.contains("all accounted for"), "\(report)")
            let slip = try await board.check(
                """
                \(anna) 'turnstilectl ledger key > gate.key
                turnstilectl collect --coins 50=5 --yes > slip.txt; cat slip.txt'
                """)
            #expect(slip.contains("in all       250      250"), "\(slip)")
            let verify = "turnstilectl ledger verify --key gate.key --checkpoint slip.txt"
            let proof = try await board.check(
                """
                \(anna) '\(verify)
                turnstilectl ledger backup copy.db; \(verify) copy.db'
                """)
            #expect(
                proof.split(separator: "\n").count { $0 == "all accounted for" } == 2, "\(proof)")
            let stranger = try await board.run(
                "runuser --user nobody -- turnstilectl ledger verify")
            #expect(stranger.status != 0 && stranger.output.contains("usermod"), "\(stranger)")

            try await board.check("journalctl --sync; sync")
            try await board.powerCut()
            try await board.boot()
            try await board.wait(for: .coinEnable, .high)
            let after = try await board.check("\(anna) '\(verify)'")
            #expect(after.hasSuffix("all accounted for\n"), "\(after)")
        }
    }

    @Test(
        "an auditor reads the books and operates nothing, an operator the other way round",
        arguments: Debian.selected)
    func audited(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.joinedBus()
            try await board.check(
                "useradd --groups turnstile-audit eva; useradd --groups turnstile anna")
            try await board.payFare()
            try await board.turnRotor()
            let books = ["report", "ledger verify", "trace show"]
            for (user, may, mayNot, hint) in [
                ("eva", books, ["grant entry"], "the group turnstile;"),
                ("anna", ["grant entry"], books, "turnstile-audit"),
            ] {
                let command = "cd /; runuser --user \(user) -- turnstilectl"
                for words in may { try await board.check("\(command) \(words)") }
                for words in mayNot {
                    let refused = try await board.run("\(command) \(words)")
                    #expect(refused.status == 77, "\(user): \(words): \(refused)")
                    #expect(refused.output.contains(hint), "\(user): \(words): \(refused)")
                }
            }
        }
    }

    @Test(
        "a reader that locks the ledger's index is named, and then coins are taken again",
        arguments: Debian.selected)
    func lockedIndex(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let mark = try await board.journalMark()
            // Where SQLite locks it to write: struct flock of 64 bits has a shared lock of a byte.
            try await board.check(
                """
                useradd --groups turnstile-audit eva
                cat >/tmp/lock.pl <<'END'
                use Fcntl;
                open my $index, '<', '/var/lib/turnstiled/ledger.db-shm' or die $!;
                my $lock = pack 's s x4 q q l x4', F_RDLCK, 0, 120, 1, 0;
                fcntl($index, F_SETLK, $lock) or die $!;
                open my $done, '>', '/tmp/locked'; close $done;
                sleep;
                END
                cd /
                runuser --user eva -- perl /tmp/lock.pl >/dev/null 2>&1 </dev/null &
                for i in $(seq 100); do [ ! -e /tmp/locked ] || break; sleep 0.1; done
                test -e /tmp/locked
                """)
            let reader = try await board.check("pidof perl")
            try await board.play(Board.coin(), until: [.coinEnable], .low)
            let failure = try await board.event("store_failed", since: mark)
            let number = reader.filter(\.isNumber)
            #expect(failure.message.contains("process \(number) has locked"), "\(failure.message)")
            try await board.check("kill \(number)")
            try await board.event("fault_cleared", since: mark)
            try await board.wait(for: .coinEnable, .high)
            let registers = try await board.gate("Registers")
            #expect(registers.contains(#""value_in" 50 "#), "\(registers)")
        }
    }

    @Test("who writes is not as urgent as who answers", arguments: Debian.selected)
    func urgency(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            // Of each thread, the oldest first: its real-time priority and its policy, 1 for fifo.
            let threads = try await board.check(
                """
                cd /proc/$(systemctl show --property=MainPID --value turnstiled)/task
                for thread in $(ls | sort -n); do
                    cut --delimiter=' ' --fields=40,41 $thread/stat
                done
                """)
            // Who answers; who keeps the state, who the ledger, who records, who is on the bus.
            #expect(threads == "50 1\n0 0\n0 0\n0 0\n0 0\n")
        }
    }

    @Test("a full disk refuses coins until there is room", arguments: Debian.selected)
    func full(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.check(
                """
                systemctl stop turnstiled
                mount -t tmpfs -o size=256k,mode=0750 tmpfs /var/lib/turnstiled
                chown turnstiled:turnstile-audit /var/lib/turnstiled
                systemctl start turnstiled
                """)
            try await board.wait(for: .coinEnable, .high)
            try await board.insertCoins(4)
            let mark = try await board.journalMark()
            try await board.check("head --bytes=1M /dev/zero >/var/lib/turnstiled/fill || true")
            try await board.play(Board.coin(), until: [.coinEnable], .low)
            try await board.event("fault_storage_failed", since: mark)
            var status = try await board.status()
            #expect(status == "locked, credit 250, coins refused (F18 storage_failed)")
            var energised = try await board.energised()
            #expect(energised == [])
            // Whoever needs no money goes in.
            try await board.tap(.releaseEntry)
            try await board.turnRotor()
            try await board.event("passage_completed", since: mark)

            try await board.check("rm /var/lib/turnstiled/fill")
            try await board.event("fault_cleared", since: mark)
            try await board.event("released", since: mark, "AUTHORISATION=credit")
            energised = try await board.energised()
            #expect(energised == [.lockEntry])
            status = try await board.status()
            #expect(status == "released (entry), coins refused (store full)")
            let failure = try await board.entry(after: mark, "TURNSTILE_EVENT=store_failed")
            #expect(failure.message.hasPrefix("the ledger /var/lib/turnstiled/ledger.db: "))
            #expect(failure.message.contains("full"))
        }
    }

    @Test(
        "a damaged ledger refuses coins, is left as it is, and hinders nobody else",
        arguments: Debian.selected)
    func damaged(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let mark = try await board.journalMark()
            let file = "/var/lib/turnstiled/ledger.db"
            let before = try await board.check(
                """
                systemctl stop turnstiled
                dd if=/dev/urandom of=\(file) bs=512 count=1 conv=notrunc status=none
                sha256sum \(file)
                systemctl start turnstiled
                """)
            let failure = try await board.event("store_failed", since: mark)
            #expect(failure.message.contains("file is not a database"))
            try await board.event("fault_storage_failed", since: mark)
            let status = try await board.status()
            #expect(status == "locked, coins refused (F18 storage_failed)")
            let outputs = try await board.energised()
            #expect(outputs.isEmpty)
            // Whoever needs no money goes in.
            try await board.tap(.releaseEntry)
            try await board.turnRotor()
            try await board.event("passage_completed", since: mark)
            try await board.check("systemctl stop turnstiled")
            let result = try await board.property("Result")
            #expect(result == "success")
            let after = try await board.check("sha256sum \(file)")
            #expect(after == before)
        }
    }
}
