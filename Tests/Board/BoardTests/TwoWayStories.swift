import Testing
import VirtualBoard

/// What people do at a gate with two ways.
@Suite(.onBoards)
struct TwoWayStories {
    @Test(
        "contacts of both ways are served in turn; locks are pulled, then held; all are counted",
        arguments: Debian.selected)
    func turns(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay) { board in
            let atRest = try await board.energised()
            #expect(atRest == InstalledGate.twoWay.atRest)
            let mark = try await board.journalMark()
            try await board.startWaveform()
            try await board.tap(.releaseEntry)
            try await board.tap(.releaseExit)
            try await board.tap(.releaseEntry)
            try await board.tap(.releaseEntry)
            try await board.event("refused", since: mark)
            let full = try await board.energised()
            #expect(full == [.lockEntryHold, .lockExitHold, .dropArm, .lampGo, .ready])
            let status = try await board.status()
            #expect(status == "released (entry), 2 waiting, coins refused (store full)")
            for way in [Way.entry, .entry, .exit] { try await board.turnRotor(way) }
            try await board.event("passage_completed", since: mark, "DIRECTION=exit")
            try await board.wait(for: .countPulse, .low)

            let after = try await board.energised()
            #expect(after == InstalledGate.twoWay.atRest)
            let changes = try await board.stopWaveform()
            // Twice for the way in, once to lock the way out again.
            let pulls = changes.pulses(of: .lockEntry) + changes.pulses(of: .lockExit)
            #expect(pulls.are(3, of: .milliseconds(150)))
            let counted = changes.pulses(of: .countPulse)
            #expect(counted.are(3, of: .milliseconds(100)))
            let telling = try await board.telling(since: mark)
            #expect(
                telling == [
                    "released entry contact", "stored exit", "stored entry",
                    "refused store_full release_entry",
                    "passage_started entry", "passage_completed entry free",
                    "released entry contact",
                    "passage_started entry", "passage_completed entry free",
                    "released exit contact",
                    "passage_started exit", "passage_completed exit free",
                ])
            try await board.expectDump(
                of: [
                    (.lockEntry, "lock_entry"), (.lockEntryHold, "lock_entry_hold"),
                    (.lockExit, "lock_exit"), (.lockExitHold, "lock_exit_hold"),
                ], from: atRest, toFollow: changes)
        }
    }

    @Test(
        "by the weekly schedule the way in is free and enforcement weak; the clock is followed",
        arguments: Debian.selected)
    func schedule(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay) { board in
            let start = try await board.journalMark()
            try await board.check("turnstilectl mode exit locked --for 1h")
            // Only ever forward: a journal that goes back in time is another story.
            try await board.check("date --set='tomorrow 05:00'")
            try await board.event("clock_adjusted", since: start)
            // An hour is that of a watch, whatever the clock on the wall was set to.
            let term = try await board.check("turnstilectl status")
            #expect(term.contains(/exit +locked for another 59 min, as root/), "\(term)")
            try await board.check("turnstilectl mode exit ordinary")
            try await board.changeSettings(
                [
                    "\npassage:":
                        """

                    schedule:
                      - {days: all, from: 06:00, to: 07:00, entry: free, enforcement: weak}

                    passage:
                    """
                ], of: .twoWay)
            try await board.check("systemctl restart turnstiled")
            let mark = try await board.journalMark()
            try await board.turnRotor(.exit, 0..<2)
            try await board.wait(for: .alarm, .high)
            try await board.turnRotor(.exit, 2..<4)
            try await board.wait(for: .alarm, .low)

            try await board.check("date --set='05:59:57'")
            let free = try await board.event("mode_changed", since: mark)
            #expect(free.state == "free")
            let energised = try await board.energised().subtracting([.lockEntry])
            #expect(energised == [.lockEntryHold, .lockExitHold, .dropArm, .lampGo, .ready])
            let status = try await board.status()
            #expect(status == "free")
            try await board.turnRotor()
            try await board.turnRotor(.exit, 0..<2)
            try await board.wait(for: .buzzer, .high)
            let siren = try await board.level(of: .alarm)
            #expect(siren == .low)
            try await board.turnRotor(.exit, 2..<4)
            try await board.wait(for: .buzzer, .low)

            try await board.check("date --set='07:00'")
            try await board.wait(for: .lockEntryHold, .low)
            try await board.wait(for: .coinEnable, .high)
            let telling = try await board.telling(since: mark)
            let forced = ["alarm_forced_passage A1", "passage_unauthorised exit unauthorised"]
            let stepped = ["clock_adjusted", "fault_clock_stepped F13", "fault_cleared F13"]
            #expect(
                telling
                    == forced + ["alarm_cleared A1"] + stepped
                    + ["mode_changed entry free", "enforcement_changed weak"]
                    + ["passage_started entry", "passage_completed entry free"]
                    + forced + ["alarm_cleared A1"] + stepped
                    + ["mode_changed entry controlled", "enforcement_changed strong"])
        }
    }
}
