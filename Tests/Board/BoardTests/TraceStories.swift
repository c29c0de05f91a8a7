import Testing
import VirtualBoard

/// What the gate heard and decided is recorded, over whatever ends the service, and replays.
@Suite(.onBoards)
struct TraceStories {
    private static let folder = "/var/lib/turnstiled/trace"
    private static let anna = "cd /home/anna; runuser --user anna -- bash -ec"

    /// Waits until what happened is in the files.
    private nonisolated(nonsending) func awaitFlush(_ board: Board) async throws {
        try await board.check(
            """
            size() { cat \(Self.folder)/* | wc --bytes; }
            before=-1
            until [ "$(size)" = $before ]; do before=$(size); sleep 2; done
            """)
    }

    @Test(
        "a member of the group replays what was recorded, over a kill and a loss of power",
        arguments: Debian.selected)
    func replayed(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.check(
                "systemctl enable turnstiled; useradd --create-home --groups turnstile-audit anna")
            for end in ["kill -KILL $(pidof turnstiled)", "systemctl restart turnstiled"] {
                let mark = try await board.journalMark()
                try await board.payFare()
                try await board.turnRotor()
                try await board.event("passage_completed", since: mark)
                try await awaitFlush(board)
                try await board.check(end)
                try await board.event("started", since: mark)
                try await board.wait(for: .coinEnable, .high)
            }
            var replay = try await board.check("\(Self.anna) 'turnstilectl trace replay'")
            #expect(replay.contains(", 2 passages: all as recorded"), "\(replay)")

            try await awaitFlush(board)
            try await board.check("journalctl --sync; sync")
            try await board.powerCut()
            try await board.boot()
            try await board.wait(for: .coinEnable, .high)
            try await awaitFlush(board)
            replay = try await board.check("\(Self.anna) 'turnstilectl trace replay'")
            #expect(replay.contains(", 2 passages: all as recorded"), "\(replay)")
            let shown = try await board.check("\(Self.anna) 'turnstilectl trace show'")
            let starts = shown.split(separator: "\n").filter { $0.contains(": turnstiled ") }
            #expect(starts.count == 4, "\(shown)")
            #expect(shown.contains("lane: released → passing"), "\(shown)")
            let cut = try await board.check(
                """
                \(Self.anna) 'turnstilectl trace cut --since 10min -o cut.trace
                turnstilectl trace replay cut.trace
                turnstilectl trace export --html -o page.html; head --bytes=15 page.html'
                """)
            #expect(cut.contains("all as recorded") && cut.contains("<!"), "\(cut)")
            let stranger = try await board.run("runuser --user nobody -- turnstilectl trace show")
            #expect(stranger.status == 77, "\(stranger)")
        }
    }

    @Test("what root puts together for a report replays elsewhere", arguments: Debian.selected)
    func reported(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let mark = try await board.journalMark()
            try await board.payFare()
            try await board.turnRotor()
            try await board.event("passage_completed", since: mark)
            try await awaitFlush(board)
            let shown = try await board.check(
                "cd /tmp && turnstilectl diagnostics --yes -o report.tar 2>&1")
            #expect(!shown.contains("is left out"), "\(shown)")
            let files = try await board.check(
                """
                mkdir /tmp/elsewhere && cd /tmp/elsewhere && tar --extract --file=../report.tar
                find . -type f -printf '%f\n'; stat --format=%a ../report.tar
                """)
            for file in ["incident.trace", "settings.yaml", "journal.txt", "ledger.jsonl"] {
                #expect(files.contains("\(file)\n"), "\(files)")
            }
            #expect(files.hasSuffix("\n600\n"), "\(files)")
            // Whoever hears of it may read what is unpacked, and nothing else.
            let replay = try await board.check(
                """
                cd /tmp/elsewhere && chmod --recursive a+rX .
                cd "$(dirname "$(find . -name incident.trace)")"
                runuser --user nobody -- turnstilectl trace replay incident.trace
                runuser --user nobody -- turnstilectl settings show settings.yaml
                grep --count 'somebody passed' journal.txt
                """)
            #expect(replay.contains(", 1 passage: all as recorded"), "\(replay)")
            #expect(replay.hasSuffix("\n1\n"), "\(replay)")
        }
    }

    @Test(
        "where nothing can be recorded it says so, and the gate works", arguments: Debian.selected)
    func hindered(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.check(
                """
                systemctl stop turnstiled
                rm --recursive \(Self.folder); touch \(Self.folder)
                """)
            let mark = try await board.journalMark()
            try await board.check("systemctl start turnstiled")
            try await board.wait(for: .coinEnable, .high)
            try await board.tap(.releaseEntry)
            try await board.turnRotor()
            try await board.event("passage_completed", since: mark)
            let failure = try await board.entry(after: mark, "TURNSTILE_EVENT=trace_not_kept")
            #expect(failure.message.contains("Not a directory"), "\(failure)")

            try await board.check("rm \(Self.folder); sleep 11")
            try await board.tap(.releaseEntry)
            try await board.turnRotor()
            try await awaitFlush(board)
            let shown = try await board.check("turnstilectl trace show 2>&1")
            #expect(shown.contains("steps missing"), "\(shown)")
            #expect(shown.contains("somebody passed"), "\(shown)")
        }
    }
}
