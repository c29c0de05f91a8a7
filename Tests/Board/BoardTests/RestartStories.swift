import Testing
import VirtualBoard

/// A new start ends no emergency and locks nobody in, whatever is broken.
@Suite(.onBoards)
struct RestartStories {
    /// Both locks released, the arm dropped, coins refused.
    private static let open: Set<BoardLine> = [.lockEntryHold, .lampGo]
    /// What holds people back while it is energised.
    private static let barring: Set<BoardLine> = [.lockExit, .lockExitHold, .dropArm]
    private static let state = "/var/lib/turnstiled/state"

    /// Opens the loop and closes it again; returns when the disk knows that the reset is awaited.
    private nonisolated(nonsending) func awaitReset(on board: Board) async throws {
        let mark = try await board.journalMark()
        try await board.press(.fire)
        try await board.event("emergency_started", since: mark)
        try await board.release(.fire)
        try await board.event("emergency_loop_closed", since: mark)
        try await board.check("until grep -q 'emergency on' \(Self.state); do sleep 0.1; done")
    }

    /// Checks that the gate stands open as before the start, that nothing barred the way meanwhile,
    /// and that the lock was released soon enough after the start of the process.
    private nonisolated(nonsending) func expectStillOpen(
        _ board: Board, since mark: Board.JournalMark
    ) async throws {
        try await board.event("emergency_recovered", since: mark)
        try await board.play([], until: Array(Self.open))
        try await board.wait(for: .lockEntry, .low)
        let energised = try await board.energised()
        #expect(energised == Self.open)
        let status = try await board.status()
        #expect(status == "awaiting reset")
        let changes = try await board.stopWaveform().filter { $0.cause == .set }
        #expect(!changes.contains { Self.barring.contains($0.line) && $0.level == .high })
        let began = try await processStart(on: board)
        let released = try #require(
            changes.last { $0.line == .lockEntryHold && $0.level == .high })
        #expect(released.time - began < .milliseconds(300))
        try await board.tap(.emergencyReset)
        try await board.event("emergency_reset", since: mark)
    }

    /// When the service's process began to be its own. Where systemd has a helper prepare it, and
    /// says when that handed over, the helper's time is not the service's.
    private nonisolated(nonsending) func processStart(on board: Board) async throws -> Duration {
        for moment in ["Handoff", "Start"] {
            let time = try await board.property("ExecMain\(moment)TimestampMonotonic")
            if let time = Int(time), time > 0 { return .microseconds(time) }
        }
        throw BoardError("systemd does not say when the service's process began")
    }

    @Test("killed and restarted: the emergency still awaits its reset", arguments: Debian.selected)
    func restarts(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay) { board in
            for restart in ["kill -KILL $(pidof turnstiled)", "systemctl restart turnstiled"] {
                try await awaitReset(on: board)
                let mark = try await board.journalMark()
                try await board.startWaveform()
                try await board.check(restart)
                try await expectStillOpen(board, since: mark)
            }
        }
    }

    @Test("power lost: the emergency still awaits its reset", arguments: Debian.selected)
    func powerLost(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay) { board in
            try await board.check("systemctl enable turnstiled; journalctl --sync; sync")
            try await awaitReset(on: board)
            try await board.powerCut()
            try await board.boot()
            try await board.putAtRest(.twoWay)
            try await board.play([], until: Array(Self.open), within: .seconds(60))
            let status = try await board.status()
            #expect(status == "awaiting reset")
            let started = try await board.journal("TURNSTILE_EVENT=emergency_recovered")
            #expect(started.count == 1)
            let locked = try await board.energised().intersection(Self.barring)
            #expect(locked.isEmpty)
        }
    }

    @Test("a gate without a state awaits the reset, and says why", arguments: Debian.selected)
    func unreadable(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay) { board in
            let mark = try await board.journalMark()
            try await board.check(
                """
                systemctl stop turnstiled
                for slot in 0 8; do
                    dd if=/dev/zero of=/run/turnstiled/state bs=512 count=1 seek=$slot \
                        conv=notrunc status=none
                done
                systemctl start turnstiled
                """)
            let complaint = try await board.event("state_unreadable", since: mark)
            #expect(complaint.message.contains("/run/turnstiled/state: it is damaged"))
            try await board.event("state_unknown", since: mark)
            try await board.play([], until: Array(Self.open))
            try await board.putIntoService()
            try await board.play([], until: Array(InstalledGate.twoWay.atRest))
        }
    }

    @Test(
        "the disk hangs and the service is killed: no line is held, and the next one serves",
        arguments: Debian.selected)
    func hungDisk(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            // Somebody is let in by contact, so that there is something to be written.
            try await board.check("fsfreeze --freeze /var/lib/turnstiled")
            let mark = try await board.journalMark()
            try await board.tap(.releaseEntry)
            try await board.wait(for: .lockEntry, .high)
            let process = try await board.property("MainPID")
            try await board.check("kill -KILL \(process)")
            try await board.wait(for: .lockEntry, .low)
            // Its threads hang on: the kernel has not let the process go.
            let remains = try await board.check("cat /proc/\(process)/comm")
            #expect(remains == "turnstiled\n")
            try await board.event("started", since: mark)
            try await board.edge(.fire, .high, brings: .lockEntry, .high)
            try await board.release(.fire)
            try await board.tap(.emergencyReset)
            try await board.event("emergency_reset", since: mark)
            try await board.tap(.releaseEntry)
            try await board.wait(for: .lockEntry, .high)
            try await board.turnRotor()
            try await board.event("passage_completed", since: mark)
            try await board.check("fsfreeze --unfreeze /var/lib/turnstiled")
        }
    }

    @Test("the disk hangs and the service is stopped: safe at once", arguments: Debian.selected)
    func stopOnHungDisk(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.check("fsfreeze --freeze /var/lib/turnstiled")
            try await board.tap(.releaseEntry)
            try await board.wait(for: .lockEntry, .high)
            let mark = try await board.journalMark()
            try await board.startWaveform()
            let seconds = try await board.check(
                """
                began=$(date +%s); systemctl stop turnstiled; echo $(($(date +%s) - began))
                """)
            let waited = try #require(Int(seconds.prefix { $0.isNumber }))
            #expect(waited <= 12, "systemd gives up those who hang after its own times")
            let stopped = try await board.event("stopped", since: mark)
            let registers = try await board.event("registers", since: mark)
            let safe = try #require(
                try await board.stopWaveform().first { $0.line == .lockEntry && $0.level == .low })
            #expect(registers.time - safe.time < .milliseconds(500))
            #expect(safe.time - stopped.time < .milliseconds(500))
            try await board.check("fsfreeze --unfreeze /var/lib/turnstiled")
        }
    }

    @Test("the settings are broken: what was in force is made safe", arguments: Debian.selected)
    func brokenSettings(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            // A line that keeps its level, as it does on a board whose kernel does not reset it.
            try await board.check("echo 'nonsense: true' >>\(InstalledService.settingsPath)")
            let mark = try await board.journalMark()
            try await board.startWaveform()
            try await board.signal("KILL")
            let exit = try await board.entry(
                after: mark, "_PID=1", "UNIT=turnstiled.service", "COMMAND=ExecStart")
            let again = try await board.entry(
                after: mark, "_PID=1", "UNIT=turnstiled.service", "EXIT_STATUS=78")
            #expect(again.time > exit.time)
            let driven = try await board.stopWaveform().filter {
                $0.cause == .set && $0.time > exit.time
            }
            for line in [BoardLine.lockEntry, .coinEnable, .alarm] {
                #expect(driven.contains { $0.line == line && $0.level == .low }, "\(line)")
            }
            let outcome = try await board.run("turnstiled --safe-state")
            #expect(outcome.status == 78)
            #expect(outcome.output.contains("unknown key 'nonsense'"))
        }
    }
}
