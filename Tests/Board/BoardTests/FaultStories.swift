import Testing
import VirtualBoard

/// What takes a gate out of service, and what brings it back.
@Suite(.onBoards)
struct FaultStories {
    /// Nobody may pass, and coins are refused.
    private static let blocked: Set<BoardLine> = [.lockExitHold, .dropArm, .lampStop]

    @Test("supply low, arm not at rest, sensor stuck", arguments: Debian.selected)
    func outOfService(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay) { board in
            // These two are over with their cause.
            for (line, level, fault, role) in [
                (BoardLine.powerLow, Level.high, "F11 power_low", "power_low"),
                (.home, .low, "F4 arm_not_home", "home"),
            ] {
                let mark = try await board.journalMark()
                try await board.edge(line, level, brings: .ready, .low)
                let energised = try await board.energised()
                #expect(energised == Self.blocked)
                let status = try await board.status()
                #expect(status == "out of service (\(fault))")
                try await board.edge(
                    line, level == .high ? .low : .high, brings: .coinEnable, .high)
                let code = fault.prefix { $0 != " " }
                let telling = try await board.telling(since: mark)
                #expect(
                    telling == [
                        "fault_\(fault.dropFirst(code.count + 1)) \(code) \(role)",
                        "out_of_service \(code) \(role)", "fault_cleared \(code) \(role)",
                        "in_service",
                    ])
            }

            // A stuck sensor waits for the mechanic, who must have repaired it.
            let mark = try await board.journalMark()
            try await board.edge(.rotorA, .high, brings: .ready, .low)
            let status = try await board.status()
            #expect(status == "out of service (F3 sensor_stuck)")
            try await board.tap(.serviceKey)
            try await board.release(.rotorA)
            try await board.tap(.serviceKey)
            try await board.event("in_service", since: mark)
            let energised = try await board.energised()
            #expect(energised == InstalledGate.twoWay.atRest)
            let telling = try await board.telling(since: mark)
            #expect(
                telling == [
                    "fault_sensor_stuck F3", "out_of_service F3",
                    "refused cause_present service_key", "fault_cleared F3", "in_service",
                ])
        }
    }

    @Test("a lock that does not follow is taken out of service", arguments: Debian.selected)
    func lockNotResponding(on debian: Debian) async throws {
        let moved = """
                lock_feedback: {line: LOCK_ENTRY_MOVED, active_low: false, bias: as_is}
                lock_feedback_exit: {line: LOCK_EXIT_MOVED, active_low: false, bias: as_is}
            """
        try await Board.withService(
            debian, .twoWay, changing: ["  inputs:\n": "  inputs:\n\(moved)\n"]
        ) { board in
            let mark = try await board.journalMark()
            try await board.tap(.releaseEntry)
            try await board.event("out_of_service", since: mark)
            let energised = try await board.energised()
            #expect(energised == Self.blocked)
            let status = try await board.status()
            #expect(status == "out of service (F5 lock_not_responding)")
            try await board.tap(.serviceKey)
            try await board.event("in_service", since: mark)

            // Repaired: the lock follows, out and back.
            let passage = Board.turn()
            try await board.play(
                [
                    .init(.releaseEntry, .high),
                    .init(after: .milliseconds(100), .lockEntryMoved, .high),
                    .init(.releaseEntry, .low),
                ] + passage.dropLast(3) + [.init(.lockEntryMoved, .low)] + passage.suffix(3))
            try await board.event("passage_completed", since: mark)

            // The bolt of the way out moves by itself.
            try await board.edge(.lockExitMoved, .high, brings: .ready, .low)
            let broken = try await board.journalMark()
            try await board.release(.lockExitMoved)
            try await board.tap(.serviceKey)
            try await board.event("in_service", since: broken)
            let telling = try await board.telling(since: mark)
            #expect(
                telling == [
                    "released entry contact", "fault_lock_not_responding F5 lock_entry",
                    "out_of_service F5 lock_entry", "fault_cleared F5 lock_entry", "in_service",
                    "authorisation_dropped entry", "released entry contact",
                    "passage_started entry", "passage_completed entry free",
                    "fault_lock_not_responding F5 lock_exit", "out_of_service F5 lock_exit",
                    "fault_cleared F5 lock_exit", "in_service",
                ])
        }
    }

    @Test(
        "a lock that is energised for too long is cut, and the key lets out who is inside",
        arguments: Debian.selected)
    func maximumOnTime(on debian: Debian) async throws {
        try await Board.withService(
            debian, .twoWay,
            changing: [
                "LOCK_ENTRY_HOLD, duty: continuous": "LOCK_ENTRY_HOLD, max_on: 2s",
                "pass_wait: 5s": "pass_wait: 1s",
            ]
        ) { board in
            let mark = try await board.journalMark()
            try await board.startWaveform()
            try await board.play(
                [.init(.releaseEntry, .high)] + Board.turn(.entry, 0..<1)
                    + [.init(.releaseEntry, .low)], until: [.lockEntryHold])
            try await board.event("out_of_service", since: mark)
            // Whoever is inside was told of before the cut.
            let energised = try await board.energised()
            #expect(energised == Self.blocked.union([.alarm]))
            let status = try await board.status()
            #expect(status == "out of service (F14 energised_too_long), alarm")
            try await board.tap(.serviceKey)
            try await board.wait(for: .lockEntryHold, .high)
            try await board.turnRotor(.entry, 1..<4)
            try await board.event("passage_completed", since: mark)

            let held = try await board.stopWaveform().pulses(of: .lockEntryHold)
            #expect(held.count == 2)
            #expect(Array(held.prefix(1)).are(1, of: .seconds(2)))
            let telling = try await board.telling(since: mark)
            #expect(
                telling == [
                    "released entry contact", "passage_started entry",
                    "on_time_warning lock_entry_hold", "alarm_passage_delayed A4",
                    "output_cut lock_entry_hold", "fault_energised_too_long F14 lock_entry_hold",
                    "out_of_service F14 lock_entry_hold", "fault_cleared F14 lock_entry_hold",
                    "in_service", "passage_completed entry free", "alarm_cleared A4",
                ])
        }
    }

    @Test(
        "stopped in mid-passage: nobody is locked in, nobody is let in", arguments: Debian.selected)
    func stop(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay) { board in
            let mark = try await board.journalMark()
            try await board.tap(.releaseEntry)
            try await board.turnRotor(.entry, 0..<1)
            try await board.edge(.stop, .high, brings: .ready, .low)
            var energised = try await board.energised()
            #expect(energised == Self.blocked.union([.lockEntryHold]))
            let status = try await board.status()
            #expect(status == "stopped")
            try await board.tap(.releaseExit)
            try await board.turnRotor(.entry, 1..<4)
            try await board.event("passage_completed", since: mark)
            try await board.wait(for: .countPulse, .low)
            energised = try await board.energised()
            #expect(energised == Self.blocked)
            try await board.edge(.stop, .low, brings: .ready, .high)

            // Whoever was about to come in waits, and has as long as before then.
            try await board.tap(.releaseEntry)
            try await board.edge(.stop, .high, brings: .lockEntryHold, .low)
            try await board.edge(.stop, .low, brings: .lockEntryHold, .high)
            try await board.turnRotor()
            try await board.wait(for: .lockEntryHold, .low)
            let telling = try await board.telling(since: mark)
            #expect(
                telling == [
                    "released entry contact", "passage_started entry", "stop_began",
                    "refused stopped release_exit", "passage_completed entry free", "stop_ended",
                    "released entry contact", "stop_began", "stop_ended",
                    "passage_started entry", "passage_completed entry free",
                ])
        }
    }
}
