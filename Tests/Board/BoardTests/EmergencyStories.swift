import Testing
import VirtualBoard

/// The emergency loop of a gate with two locks and an arm that drops.
@Suite(.onBoards)
struct EmergencyStories {
    /// Both locks released, the arm dropped, coins refused.
    private static let open: Set<BoardLine> = [.lockEntryHold, .lampGo]

    @Test(
        "fire during a passage: all open, and locked only by reset, clear lane and a raised arm",
        arguments: Debian.selected)
    func fireDuringPassage(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay) { board in
            try await board.insertCoins(5)
            try await board.turnRotor(.entry, 0..<1)
            try await board.tap(.releaseExit)
            let mark = try await board.journalMark()
            try await board.startWaveform()
            try await board.edge(.fire, .high, brings: .dropArm, .low)
            try await board.release(.home)  // the arm hangs

            // Whatever is tried meanwhile, and whoever walks through.
            try await board.tap(.emergencyReset)
            try await board.tap(.serviceKey)
            try await board.tap(.stop)
            try await board.tap(.releaseEntry)
            try await board.turnRotor(.entry, 1..<4)
            try await board.turnRotor(.exit, 0..<2)
            try await board.release(.fire)
            try await board.event("emergency_loop_closed", since: mark)
            try await board.tap(.emergencyReset)
            let energised = try await board.energised()
            #expect(energised == Self.open)
            var status = try await board.status()
            #expect(status == "awaiting clear lane, credit 250")

            try await board.play([
                Board.Move(.rotorB, .low), Board.Move(after: .milliseconds(100), .rotorA, .low),
            ])
            try await board.event("out_of_service", since: mark)
            status = try await board.status()
            #expect(status == "out of service (F4 arm_not_home), credit 250")
            try await board.press(.home)
            try await board.event("in_service", since: mark)

            let changes = try await board.stopWaveform()
            let alarmed = try #require(changes.first { $0.line == .fire }?.time)
            for line in [BoardLine.lockExitHold, .dropArm] {
                let opened = try #require(changes.first { $0.line == line && $0.time > alarmed })
                #expect(opened.level == .low)
                #expect(opened.time - alarmed < .milliseconds(1))
            }
            let pictures = changes.pictures(
                from: [.lockEntryHold, .lockExitHold, .dropArm, .lampGo, .coinEnable, .ready],
                lasting: .milliseconds(200))
            let blocked: Set<BoardLine> = [.lockExitHold, .dropArm, .lampStop]
            let atRest = InstalledGate.twoWay.atRest
            #expect(Array(pictures.dropFirst()) == [Self.open, atRest, blocked, atRest])
            let telling = try await board.telling(since: mark)
            #expect(
                telling == [
                    "emergency_started", "credit_returned value=250", "stored_dropped count=1",
                    "refused loop_open emergency_reset_key", "stop_began", "stop_ended",
                    "refused emergency release_entry", "passage_in_emergency entry emergency",
                    "emergency_loop_closed", "request_deferred emergency_reset_key",
                    "passage_in_emergency exit emergency", "emergency_reset",
                    "fault_arm_not_home F4 home", "out_of_service F4 home",
                    "fault_cleared F4 home", "in_service",
                ])
            status = try await board.status()
            #expect(status == "locked, credit 250")
        }
    }

    @Test(
        "a loop that chatters is an emergency; a lock that must rest opens again and again",
        arguments: Debian.selected)
    func chatters(on debian: Debian) async throws {
        let changes: KeyValuePairs = [
            "{line: FIRE, active_low: false, bias: as_is, debounce: 0ms}":
                "{line: FIRE, active_low: false, bias: as_is, debounce: 20ms}",
            "max_on: 40s": "max_on: 40s, emergency_on: 1s, emergency_off: 1s",
        ]
        try await Board.withService(debian, changing: changes) { board in
            let mark = try await board.journalMark()
            try await board.startWaveform()
            // Never open for as long as it would have to be.
            let touches = (0..<12).flatMap { _ in
                [
                    Board.Move(after: .milliseconds(60), .fire, .high),
                    Board.Move(after: .milliseconds(5), .fire, .low),
                ]
            }
            try await board.play(touches, until: [.lockEntry], .high)
            try await board.event("emergency_started", since: mark)
            // Off, and on again.
            try await board.play([], until: [.lockEntry], .low)
            try await board.play([], until: [.lockEntry], .high)
            let turns = try await board.stopWaveform().filter {
                $0.line == .lockEntry && $0.cause == .set
            }
            #expect(turns.prefix(3).map(\.level) == [.high, .low, .high])
            for (turn, next) in zip(turns.prefix(3), turns.dropFirst()).prefix(2) {
                #expect(abs((next.time - turn.time) / .seconds(1) - 1) < 0.1)
            }
            let status = try await board.status()
            #expect(status.hasPrefix("awaiting reset") || status.hasPrefix("emergency"))
            #expect(status.contains("entry cannot be held open"))
        }
    }

    @Test(
        "a wire that is broken when the service starts is an emergency from the first moment",
        arguments: Debian.selected)
    func brokenWire(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay) { board in
            try await board.check("systemctl stop turnstiled")
            try await board.press(.fire)
            let mark = try await board.journalMark()
            try await board.startWaveform()
            try await board.check("systemctl start turnstiled")
            let energised = try await board.energised()
            #expect(energised.subtracting([.lockEntry]) == Self.open)
            let status = try await board.status()
            #expect(status == "emergency")
            let driven = try await board.stopWaveform().filter { $0.cause == .set }
            let engaged = driven.filter {
                [.lockExit, .lockExitHold, .dropArm, .coinEnable].contains($0.line)
                    && $0.level == .high
            }
            #expect(engaged.isEmpty)

            try await board.release(.fire)
            try await board.event("emergency_loop_closed", since: mark)
            try await board.tap(.emergencyReset)
            try await board.event("emergency_reset", since: mark)
            let telling = try await board.telling(since: mark).filter {
                $0.hasPrefix("emergency") || $0 == "started"
            }
            #expect(
                telling == [
                    "started", "emergency_started", "emergency_loop_closed", "emergency_reset",
                ])
        }
    }
}
