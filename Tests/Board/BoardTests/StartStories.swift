import Testing
import VirtualBoard

/// The service starts before udev has given it the chip: for a while that is no mistake.
@Suite(.onBoards)
struct StartStories {
    /// Stops the service, takes the chip from its group, as it is before udev's rule has run, and
    /// starts the service again. Returns where the journal stood, and its first complaint.
    private nonisolated(nonsending) func startUnreadable(
        on board: Board
    ) async throws -> (mark: Board.JournalMark, complaint: JournalEntry) {
        try await board.check(
            """
            systemctl stop turnstiled
            chown root:root /dev/gpiochip0; chmod 600 /dev/gpiochip0
            """)
        let mark = try await board.journalMark()
        try await board.check("systemctl start --no-block turnstiled")
        let complaint = try await board.entry(
            after: mark, "TURNSTILE_EVENT=hardware_not_ready")
        return (mark, complaint)
    }

    @Test(
        "udev is late: the gate works as soon as the chip can be read", arguments: Debian.each)
    func lateUdev(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let (mark, complaint) = try await startUnreadable(on: board)
            #expect(complaint.message.contains("Permission denied"))
            let state = try await board.property("ActiveState")
            #expect(state == "activating")
            try await board.check("sleep 2; udevadm trigger --settle --subsystem-match=gpio")
            let start = try await board.entry(after: mark, "TURNSTILE_EVENT=started")
            #expect(start.time - complaint.time < .seconds(4))
            // It is the same process that waited.
            let restarts = try await board.property("NRestarts")
            #expect(restarts == "0")
            try await board.insertCoins(5)
            try await board.wait(for: .lockEntry, .high)
        }
    }

    @Test("udev never comes: status 69 after half a minute, and why", arguments: Debian.each)
    func missingUdev(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let (mark, complaint) = try await startUnreadable(on: board)
            let failure = try await board.entry(
                after: mark, within: .seconds(60), "TURNSTILE_EVENT=hardware_failed")
            #expect(failure.message.contains("Permission denied"))
            let patience = failure.time - complaint.time
            #expect(patience >= .seconds(30) && patience < .seconds(36))
            // The same complaint is made once, however often it was tried.
            let complaints = try await board.journal(
                after: mark, "TURNSTILE_EVENT=hardware_not_ready",
                "_PID=\(complaint["_PID"] ?? "")")
            #expect(complaints.count == 1)
            let exit = try await board.entry(
                after: mark, "_PID=1", "UNIT=turnstiled.service", "EXIT_CODE=exited")
            #expect(exit["EXIT_STATUS"] == "69")
            let outputs = try await board.energised()
            #expect(outputs.isEmpty)
        }
    }
}
