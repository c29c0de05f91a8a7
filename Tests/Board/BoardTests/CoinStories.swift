import Testing
import VirtualBoard

/// Coins, what is none, and what becomes of them.
@Suite(.onBoards)
struct CoinStories {
    @Test(
        "each acceptor has a table of its own; noise is told from coins",
        arguments: Debian.selected)
    func acceptors(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay) { board in
            let mark = try await board.journalMark()
            try await board.startWaveform()
            try await board.insertCoin(pulses: 2, of: .milliseconds(25), into: .coin2)
            try await board.insertCoin(pulses: 3, of: .milliseconds(25), into: .coin2)
            try await board.event("fault_cleared", since: mark)
            try await board.insertCoin(pulses: 3, of: .milliseconds(60), into: .coin3)
            // Sparks: the sixth one is too much.
            try await board.play(
                (0..<6).flatMap { _ in
                    [
                        Board.Move(after: .milliseconds(50), .coin, .high),
                        Board.Move(after: .milliseconds(5), .coin, .low),
                    ]
                }, until: [.coinEnable, .ready], .low)
            try await board.event("fault_noise_burst", since: mark)
            try await board.wait(for: .coinEnable, .high, within: .seconds(12))
            let metered = try await board.stopWaveform().pulses(of: .coinMeter)
            #expect(metered.are(3, of: .milliseconds(100)))
            let telling = try await board.telling(since: mark)
            #expect(
                telling == [
                    "coin_accepted coin_pulse_2 value=100 pulses=2",
                    "coin_unknown coin_pulse_2 pulses=3", "fault_unknown_pulse_count F9",
                    "fault_cleared F9", "coin_accepted coin_pulse_3 value=50 pulses=3",
                ] + Array(repeating: "coin_noise coin_pulse", count: 5) + [
                    "fault_noise_burst F8 coin_pulse", "noise_over coin_pulse pulses=6",
                    "fault_cleared F8 coin_pulse",
                ])
            let status = try await board.status()
            #expect(status == "locked, credit 150")
        }
    }

    @Test(
        "a jam and a missing vault refuse coins, but let in whoever has a card",
        arguments: Debian.selected)
    func refused(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay) { board in
            let mark = try await board.journalMark()
            try await board.startWaveform()
            // One coin is on its way when the acceptors are inhibited; the next hangs on a string.
            try await board.play(
                [.init(.coinJam, .high)] + Board.coin()
                    + [.init(after: .milliseconds(2500), .coin, .low)] + Board.coin(),
                until: [.alarm])
            let refusing: Set<BoardLine> = [.lockExitHold, .dropArm, .lampStop, .alarm]
            let energised = try await board.energised().subtracting([.coinMeter])
            #expect(energised == refusing)
            try await board.wait(for: .alarm, .low)
            try await board.tap(.releaseEntry)
            try await board.turnRotor()
            try await board.edge(.coinJam, .low, brings: .coinEnable, .high)

            try await board.edge(.vault, .low, brings: .coinEnable, .low)
            try await board.tap(.releaseEntry)
            try await board.turnRotor()
            try await board.edge(.vault, .high, brings: .coinEnable, .high)
            let ejected = try await board.stopWaveform().pulses(of: .coinReject)
            #expect(ejected.count == 1)
            let passage = [
                "released entry contact", "passage_started entry", "passage_completed entry free",
            ]
            let telling = try await board.telling(since: mark)
            #expect(
                telling == [
                    "fault_coin_jam F6 coin_jam", "coin_late coin_pulse value=50 pulses=1",
                    "coin_inhibited coin_pulse value=50 pulses=1", "alarm_coin_stringing A7",
                    "alarm_cleared A7",
                ] + passage + [
                    "fault_cleared F6 coin_jam", "vault_removed",
                    "fault_vault_missing F10 vault_present", "alarm_vault_open A8",
                ] + passage + [
                    "vault_replaced", "registers collection", "fault_cleared F10 vault_present",
                    "alarm_cleared A8",
                ])
            let status = try await board.status()
            #expect(status == "locked, credit 50")
        }
    }
}
