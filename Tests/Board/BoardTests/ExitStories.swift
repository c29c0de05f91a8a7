import Testing
import VirtualBoard

/// However the service ends, every output reaches its safe level, and the service comes back.
@Suite(.onBoards)
struct ExitStories {
    /// Settings by which as many outputs as can be are energised at one time, and for a while.
    private static let lively: KeyValuePairs = [
        "enforcement: strong": "enforcement: weak", "alarm_hold: 2s": "alarm_hold: 60s",
        "relock_at: middle": "relock_at: complete", "lock_pull: 150ms": "lock_pull: 1000ms",
        "count_pulse: 100ms": "count_pulse: 1000ms",
    ]

    /// All but the lamp "stop", since the lamp "go" is on, and what ejects coins, since they are
    /// taken.
    private static let nearlyAll = BoardLine.outputs.filter {
        ![.lampStop, .coinReject].contains($0)
    }

    /// Brings a gate to where all these outputs are energised: the cabinet is open, somebody has
    /// forced the rotor, somebody has just gone out, the next one may come in, a coin is counted.
    private nonisolated(nonsending) func energiseNearlyAll(on board: Board) async throws {
        try await board.press(.cabinet)
        try await board.play(
            Board.turn(.entry, 0..<2) + [
                .init(after: .milliseconds(100), .rotorB, .low),
                .init(after: .milliseconds(100), .rotorA, .low), .init(.home, .high),
            ])
        try await board.tap(.releaseExit)
        try await board.tap(.releaseEntry)
        let coin = Board.coin().dropLast()  // it is counted while the rotor turns
        try await board.play(coin + Board.turn(.exit), until: Self.nearlyAll)
    }

    /// Checks that the outputs were driven to their safe levels once systemd had seen the process
    /// end, and that nothing was energised before; then that the gate is at rest again.
    private nonisolated(nonsending) func expectSafeRestart(
        of board: Board, since mark: Board.JournalMark
    ) async throws {
        let exit = try await board.entry(
            after: mark, "_PID=1", "UNIT=turnstiled.service", "COMMAND=ExecStart")
        let back = try await board.event("started", since: mark)
        #expect(back.time - exit.time < .seconds(2))
        try await board.play([], until: Array(InstalledGate.twoWay.atRest))
        let driven = try await board.stopWaveform().filter {
            $0.cause == .set && $0.time > exit.time
        }
        for output in BoardLine.outputs {
            let first = try #require(driven.first { $0.line == output }, "\(output) was not driven")
            #expect(first.level == .low, "\(output)")
        }
    }

    @Test("stopped: all safe, and no failure", arguments: Debian.each)
    func stop(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay, changing: Self.lively) { board in
            try await energiseNearlyAll(on: board)
            let mark = try await board.journalMark()
            try await board.check("systemctl stop turnstiled")
            let energised = try await board.energised()
            #expect(energised.isEmpty)
            let telling = try await board.telling(since: mark)
            #expect(telling == ["stopped", "registers stop"])
            let result = try await board.property("Result")
            #expect(result == "success")
        }
    }

    @Test("killed: all safe, back within two seconds", arguments: Debian.each)
    func killed(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay, changing: Self.lively) { board in
            var mark = try await board.journalMark()
            var process = try await board.property("MainPID")
            try await board.startWaveform()
            try await energiseNearlyAll(on: board)
            try await board.check("kill -KILL \(process)")
            try await expectSafeRestart(of: board, since: mark)

            // The other two.
            mark = try await board.journalMark()
            process = try await board.property("MainPID")
            try await board.startWaveform()
            try await board.play(
                [.init(.coinJam, .high)], until: [.coinReject, .lampStop, .alarm, .lockExitHold])
            try await board.check("kill -KILL \(process)")
            try await board.release(.coinJam)
            try await expectSafeRestart(of: board, since: mark)
        }
    }

    @Test("hung: the watchdog has it restarted, all safe meanwhile", arguments: Debian.each)
    func hung(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay, changing: Self.lively) { board in
            let mark = try await board.journalMark()
            let process = try await board.property("MainPID")
            try await board.startWaveform()
            try await energiseNearlyAll(on: board)
            try await board.check("kill -STOP \(process)")
            try await expectSafeRestart(of: board, since: mark)
            let systemd = try await board.journal(
                after: mark, "_PID=1", "UNIT=turnstiled.service")
            #expect(systemd.contains { $0.message.contains("Watchdog timeout") })
        }
    }

    @Test("power lost: the gate works again after the next boot", arguments: Debian.selected)
    func powerLost(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay, changing: Self.lively) { board in
            try await board.check("systemctl enable turnstiled; journalctl --sync; sync")
            try await energiseNearlyAll(on: board)
            try await board.powerCut()
            try await board.boot()
            let mark = try await board.journalMark()
            try await board.putAtRest(.twoWay)
            try await board.play(
                [], until: Array(InstalledGate.twoWay.atRest), within: .seconds(60))
            try await board.tap(.releaseExit)
            try await board.turnRotor(.exit)
            let passage = try await board.event("passage_completed", since: mark)
            #expect(passage.telling == "passage_completed exit free")
        }
    }
}
