import Testing
import VirtualBoard

/// The mechanic's key.
@Suite(.onBoards)
struct ServiceModeStories {
    /// What the outputs carry while none is on: the way out is locked, the arm is held up.
    private static let off: Set<BoardLine> = [.lockExitHold, .dropArm]
    /// The mechanic has the gate: both ways are open.
    private static let inService: Set<BoardLine> = [.lockEntryHold, .dropArm, .lampStop]

    @Test(
        "the key is held: every output is tested in turn, and the gate is the mechanic's",
        arguments: Debian.selected)
    func selfTest(on debian: Debian) async throws {
        try await Board.withService(debian, .twoWay) { board in
            let mark = try await board.journalMark()
            try await board.startWaveform()
            try await board.press(.serviceKey)
            try await board.event("self_test_finished", since: mark)
            try await board.release(.serviceKey)
            let status = try await board.status()
            #expect(status == "service")
            let pictures = try await board.stopWaveform().pictures(
                from: InstalledGate.twoWay.atRest, lasting: .milliseconds(500))
            let tests: [Set<BoardLine>] = [
                Self.off.union([.lockEntryHold]), [.dropArm], [.lockExitHold],
            ]
            let indicators: [BoardLine] = [
                .alarm, .buzzer, .lampGo, .lampStop, .coinEnable, .coinReject, .ready,
                .countPulse, .coinMeter,
            ]
            #expect(
                pictures == [InstalledGate.twoWay.atRest] + tests
                    + indicators.map { Self.off.union([$0]) } + [Self.inService])

            // An open door is the mechanic's business, until they leave it open.
            try await board.press(.vaultDoor)
            try await board.turnRotor()
            try await board.event("passage_completed", since: mark)
            try await board.edge(.serviceKey, .high, brings: .alarm, .high)
            try await board.release(.serviceKey)
            try await board.edge(.vaultDoor, .low, brings: .alarm, .low)
            try await board.play([], until: [.countPulse, .lockExit], .low)
            let energised = try await board.energised()
            #expect(energised == InstalledGate.twoWay.atRest)
            let telling = try await board.telling(since: mark)
            #expect(
                telling == [
                    "service_started service_key", "self_test_finished", "vault_opened",
                    "passage_completed entry service", "service_ended", "alarm_vault_open A8",
                    "vault_closed", "alarm_cleared A8",
                ])
        }
    }
}
