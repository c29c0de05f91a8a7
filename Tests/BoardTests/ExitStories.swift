import Testing
import VirtualBoard

/// However the service ends, every output reaches its safe level, and the service comes back.
@Suite(.enabled(if: !Debian.selected.isEmpty))
struct ExitStories {
    /// Brings a person half a step into the released gate: the lock is energised.
    private nonisolated(nonsending) func beginPassage(on board: Board) async throws {
        try await board.insertCoins(5)
        let mark = try await board.journalMark()
        try await board.turnRotor(quarters: 1)
        _ = try await board.entry(after: mark, "TURNSTILE_EVENT=passage_started")
        try await board.wait(for: .lockEntry, .high)
    }

    @Test("stopped: all safe, and no failure", arguments: Debian.selected)
    func stop(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await beginPassage(on: board)
            let mark = try await board.journalMark()
            try await board.check("systemctl stop turnstiled")
            let outputs = try await board.outputs()
            #expect(outputs == .safe)
            _ = try await board.entry(after: mark, "TURNSTILE_EVENT=stopped")
            let result = try await board.property("Result")
            #expect(result == "success")
        }
    }

    @Test("killed in mid-passage: all safe, back within two seconds", arguments: Debian.selected)
    func killed(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await beginPassage(on: board)
            let mark = try await board.journalMark()
            try await board.startWaveform()
            try await board.signal("SIGKILL")
            let fell = try await board.wait(for: .lockEntry, .low)
            #expect(fell < .seconds(1))
            let exit = try await board.entry(
                after: mark, "_PID=1", "UNIT=turnstiled.service", "EXIT_CODE=killed")
            let back = try await board.entry(after: mark, "TURNSTILE_EVENT=started")
            #expect(back.time - exit.time < .seconds(2))
            // Whoever stands in the rotor keeps the gate from being at rest, but nothing is open.
            let lock = try await board.level(of: .lockEntry)
            #expect(lock == .low)
            let energised = try await board.stopWaveform()
                .filter { $0.cause == .set && $0.line == .lockEntry && $0.level == .high }
            #expect(energised.isEmpty)
        }
    }

    @Test("hung: the watchdog has it restarted, all safe meanwhile", arguments: Debian.selected)
    func hung(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await beginPassage(on: board)
            let mark = try await board.journalMark()
            try await board.signal("SIGSTOP")
            try await board.wait(for: .lockEntry, .low, within: .seconds(8))
            let back = try await board.entry(after: mark, "TURNSTILE_EVENT=started")
            #expect(back.event == "started")
            let systemd = try await board.journal(
                after: mark, "_PID=1", "UNIT=turnstiled.service")
            #expect(systemd.contains { $0.message.contains("Watchdog timeout") })
        }
    }

    @Test("power lost: the gate works again after the next boot", arguments: Debian.selected)
    func powerLost(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.check("systemctl enable turnstiled; journalctl --sync; sync")
            await board.powerCut()
            try await board.boot()
            try await board.wait(for: .coinInhibit, .high, within: .seconds(60))
            try await board.insertCoins(5)
            let outputs = try await board.outputs()
            #expect(outputs == .released)
        }
    }
}
