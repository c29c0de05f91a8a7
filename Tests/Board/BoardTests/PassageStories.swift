import Testing
import VirtualBoard

/// What people do at the gate: the lines and the journal tell the same story.
@Suite(.onBoards)
struct PassageStories {
    @Test("five coins and a passage", arguments: Debian.selected)
    func fiveCoinsAndPassage(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let atRest = try await board.energised()
            #expect(atRest == InstalledGate.oneWay.atRest)
            let mark = try await board.journalMark()
            try await board.startWaveform()

            try await board.payFare()
            let released = try await board.energised()
            #expect(released == [.lockEntry])
            try await board.turnRotor()
            _ = try await board.entry(after: mark, "TURNSTILE_EVENT=passage_completed")

            let driven = try await board.stopWaveform().filter { $0.cause == .set }
            #expect(
                driven.map { "\($0.line) \($0.level)" } == [
                    "lockEntry high", "coinEnable low",  // the fare is paid
                    "lockEntry low",  // half-way: the next arm is caught
                    "coinEnable high",  // the next one may pay
                ])
            let entries = try await board.journal(after: mark, "--unit=turnstiled")
            #expect(
                entries.map { "\($0.event ?? $0.message) \($0.credit ?? -1)" } == [
                    "coin_accepted 50", "coin_accepted 100", "coin_accepted 150",
                    "coin_accepted 200", "coin_accepted 0", "credit_used 0", "released 0",
                    "passage_started 0", "passage_completed 0",
                ])
            #expect(entries.last?.state == "locked")
            let status = try await board.status()
            #expect(status == "locked")
        }
    }

    @Test("a forced passage raises the alarm", arguments: Debian.selected)
    func forcedPassage(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let mark = try await board.journalMark()
            try await board.turnRotor(.entry, 0..<2)
            try await board.wait(for: .alarm, .high)
            let alarm = try await board.entry(
                after: mark, "TURNSTILE_EVENT=alarm_forced_passage")
            #expect(alarm.priority ?? 7 <= 4)
            #expect(alarm["TURNSTILE_ALARM"] == "forced_passage")
            // It ends by itself after alarm_hold.
            let sounded = try await board.wait(for: .alarm, .low)
            #expect(sounded < .milliseconds(2100))
            _ = try await board.entry(after: mark, "TURNSTILE_EVENT=alarm_cleared")
        }
    }

    @Test(
        "light beams see who passes, which way, and what stands in them",
        arguments: Debian.selected)
    func beams(on debian: Debian) async throws {
        try await Board.withService(
            debian, .twoWay,
            changing: [
                "rotor_a:             {line: ROTOR_A,": "beam_a: {line: BEAM_A,",
                "rotor_b:             {line: ROTOR_B,": "beam_b: {line: BEAM_B,",
                "    home:                {line: HOME, active_low: false, bias: as_is}\n": "",
                "alarm_hold: 2s": "beam_blocked: 3s",
            ]
        ) { board in
            let mark = try await board.journalMark()
            try await board.tap(.releaseEntry)
            try await board.play(Board.turn(before: .beams))
            try await board.event("passage_completed", since: mark)
            try await board.tap(.releaseExit)
            let quarter = Duration.milliseconds(100)
            try await board.play(
                Board.turn(.exit, 0..<1, before: .beams) + [.init(after: quarter, .beamB, .low)]
                    + Board.turn(.exit, before: .beams))
            try await board.event("passage_completed", since: mark, "DIRECTION=exit")
            // A bag is left in the way.
            try await board.play([.init(after: quarter, .beamA, .high)], until: [.alarm])
            let energised = try await board.energised()
            #expect(energised == InstalledGate.twoWay.atRest.union([.alarm]))
            try await board.edge(.beamA, .low, brings: .alarm, .low)
            try await board.event("alarm_cleared", since: mark)
            let telling = try await board.telling(since: mark)
            #expect(
                telling == [
                    "released entry contact", "passage_started entry",
                    "passage_completed entry free", "released exit contact",
                    "passage_started exit", "passage_backed_out exit", "passage_started exit",
                    "passage_completed exit free", "alarm_beam_blocked A6", "alarm_cleared A6",
                ])
        }
    }

    @Test(
        "fire opens the gate at once, and only key and closed loop lock it",
        arguments: Debian.each)
    func fire(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let mark = try await board.journalMark()
            try await board.edge(.fire, .high, brings: .lockEntry, .high)
            try await board.wait(for: .coinEnable, .low)
            try await board.release(.fire)
            let closed = try await board.entry(
                after: mark, "TURNSTILE_EVENT=emergency_loop_closed")
            #expect(closed.state == "awaiting_reset")
            let open = try await board.level(of: .lockEntry)
            #expect(open == .high)
            try await board.edge(.emergencyReset, .high, brings: .lockEntry, .low)
            let reset = try await board.entry(after: mark, "TURNSTILE_EVENT=emergency_reset")
            #expect(reset.state == "locked")
        }
    }

    @Test("the journal explains an entry", arguments: Debian.each)
    func catalog(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let mark = try await board.journalMark()
            try await board.press(.fault)
            let entry = try await board.entry(after: mark, "TURNSTILE_EVENT=out_of_service")
            #expect(entry.fault == "external")
            let text = try await board.check(
                "journalctl --catalog --no-pager TURNSTILE_EVENT=out_of_service")
            #expect(text.contains("Subject: ") && text.contains("Defined-By: turnstiled"))
        }
    }
}
