import Testing
import VirtualBoard

/// What happens at the inputs while the service starts anew is not lost.
@Suite(.onBoards)
struct KeptInputStories {
    private static let gate = "/run/may-start"
    private static let kill = "kill -KILL $(pidof turnstiled)"

    /// Has the service wait, as it starts, until the story lets it.
    private nonisolated(nonsending) func delayStarts(on board: Board) async throws {
        try await board.check("mkdir --parents /etc/systemd/system/turnstiled.service.d")
        try await board.put(
            """
            [Service]
            ExecStartPre=+/bin/sh -c 'until test -e \(Self.gate); do sleep 0.05; done'

            """, at: "/etc/systemd/system/turnstiled.service.d/delay.conf")
        try await board.check("systemctl daemon-reload")
    }

    /// Ends the service with `end`, which leads to a new start, and returns when that waits.
    private nonisolated(nonsending) func startWaiting(
        _ board: Board, by end: String
    ) async throws {
        try await board.check("rm --force \(Self.gate)")
        try await board.check(end)
        try await board.check(
            """
            until systemctl show --property=SubState turnstiled | grep --quiet start-pre
            do sleep 0.05; done
            """)
    }

    /// The same, then plays `moves` while there is no service, and lets the next one come.
    private nonisolated(nonsending) func whileGone(
        _ board: Board, by end: String, _ moves: [Board.Move]
    ) async throws {
        try await startWaiting(board, by: end)
        try await board.play(moves)
        try await board.check("touch \(Self.gate)")
    }

    @Test(
        "killed: coins that fall and a person who goes on meanwhile are counted",
        arguments: Debian.each)
    func killed(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await delayStarts(on: board)
            let mark = try await board.journalMark()
            try await board.tap(.releaseEntry)
            try await board.wait(for: .lockEntry, .high)
            try await board.turnRotor(.entry, 0..<2)
            try await board.event("passage_started", since: mark)
            let killed = try await board.journalMark()
            try await whileGone(
                board, by: Self.kill,
                Board.coin() + Board.coin() + Board.turn(.entry, 2..<4))
            let said = try await board.event("inputs_kept", since: killed)
            #expect(said["TURNSTILE_COUNT"] == "6")
            try await board.wait(for: .coinEnable, .high)
            let telling = try await board.telling(since: killed)
            let coins = telling.filter { $0.hasPrefix("coin_") }
            #expect(coins.count == 2, "\(telling)")
            #expect(telling.contains { $0.hasPrefix("passage_recovered") }, "\(telling)")
            #expect(!telling.contains { $0.hasPrefix("alarm") }, "\(telling)")
            let status = try await board.status()
            #expect(status == "locked, credit 100")
        }
    }

    @Test(
        "killed again and restarted: a loop that opened and closed meanwhile is an emergency",
        arguments: Debian.selected)
    func emergency(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await delayStarts(on: board)
            for end in [Self.kill, "systemctl restart --no-block turnstiled"] {
                let mark = try await board.journalMark()
                try await whileGone(
                    board, by: end,
                    [
                        .init(.fire, .high),
                        .init(after: .milliseconds(200), .fire, .low),
                        .init(after: .milliseconds(200), .fire, .low),
                    ])
                try await board.event("emergency_loop_closed", since: mark)
                try await board.wait(for: .lockEntry, .high)
                let status = try await board.status()
                #expect(status == "awaiting reset, entry cannot be held open")
                try await board.tap(.emergencyReset)
                try await board.event("emergency_reset", since: mark)
            }
        }
    }

    @Test(
        "only inputs are held between two processes, and a stop gives them back",
        arguments: Debian.each)
    func held(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await delayStarts(on: board)
            let mark = try await board.journalMark()
            try await startWaiting(board, by: Self.kill)
            let held = try await board.check("gpioinfo | grep turnstiled")
            #expect(held.split(separator: "\n").count == 8, Comment(rawValue: held))
            #expect(!held.contains("output"), Comment(rawValue: held))
            try await board.check("touch \(Self.gate)")
            try await board.event("started", since: mark)
            try await board.wait(for: .coinEnable, .high)
            try await board.check("systemctl stop turnstiled")
            let left = try await board.run("gpioinfo | grep turnstiled")
            #expect(left.status == 1, Comment(rawValue: left.output))
        }
    }

    @Test(
        "other settings: what was held for the old ones is given back", arguments: Debian.selected)
    func otherSettings(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.changeSettings(["debounce: 5ms": "debounce: 6ms"])
            var mark = try await board.journalMark()
            try await board.check("systemctl restart turnstiled")
            try await board.event("started", since: mark)
            try await board.wait(for: .coinEnable, .high)
            try await delayStarts(on: board)
            mark = try await board.journalMark()
            try await whileGone(board, by: Self.kill, Board.coin())
            let said = try await board.event("inputs_kept", since: mark)
            #expect(said["TURNSTILE_COUNT"] == "2")
        }
    }
}
