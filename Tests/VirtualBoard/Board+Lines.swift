import Foundation

/// A line of the board's GPIO chip, by its offset; Tests/Board/guest/lines gives them their names.
public enum BoardLine: Int, CaseIterable, Sendable {
    /// `COIN`: the coin acceptor's pulses.
    case coin
    /// `ROTOR_A`: the sensor that a person on the way in moves first.
    case rotorA
    /// `ROTOR_B`: the other sensor of the rotor.
    case rotorB
    /// `FIRE`: the emergency loop; high is an open loop.
    case fire
    /// `RELEASE_ENTRY`: an attendant's button.
    case releaseEntry
    /// `EMERGENCY_RESET`: the key that ends an emergency.
    case emergencyReset
    /// `SERVICE_KEY`: the mechanic's key.
    case serviceKey
    /// `FAULT`: the machine's fault contact.
    case fault
    /// `LOCK_ENTRY`: driven.
    case lockEntry
    /// `LOCK_EXIT`: driven.
    case lockExit
    /// `COIN_INHIBIT`: driven.
    case coinInhibit
    /// `ALARM`: driven.
    case alarm
    /// `BENCH_IN`: what a benchmark's C loop reads.
    case benchIn
    /// `BENCH_OUT`: what it drives.
    case benchOut
}

/// The level of a line.
public enum Level: Int, Sendable {
    /// 0.
    case low
    /// 1.
    case high
}

extension Board {
    /// One change of an input line.
    public struct Move: Sendable {
        var after: Duration
        var line: BoardLine
        var level: Level

        /// `line` gets this level this long after the move before.
        public init(after: Duration = .zero, _ line: BoardLine, _ level: Level) {
            self.after = after
            self.line = line
            self.level = level
        }
    }

    /// Drives input lines, timed on the board's own clock.
    public nonisolated(nonsending) func play(_ moves: [Move]) async throws {
        let score = moves.map { move in
            "\(Int(move.after / .microseconds(1))) \(move.line.rawValue) \(move.level.rawValue)\n"
        }
        let length = moves.reduce(.zero) { $0 + $1.after }
        try expectSuccess(
            try await call(
                "PLAY", payload: Data(score.joined().utf8), within: length * 10 + .seconds(60)),
            "play")
    }

    /// Drives an input line high.
    public nonisolated(nonsending) func press(_ line: BoardLine) async throws {
        try await play([Move(line, .high)])
    }

    /// Drives an input line low.
    public nonisolated(nonsending) func release(_ line: BoardLine) async throws {
        try await play([Move(line, .low)])
    }

    /// What a line carries.
    public nonisolated(nonsending) func level(of line: BoardLine) async throws -> Level {
        let reply = try await call("LEVEL", ["\(line.rawValue)"])
        try expectSuccess(reply, "level of \(line)")
        return reply.text == "1" ? .high : .low
    }

    /// Waits until a line carries this level, and returns how long that took, on the board's
    /// clock.
    @discardableResult
    public nonisolated(nonsending) func wait(
        for line: BoardLine, _ level: Level, within limit: Duration = .seconds(5)
    ) async throws -> Duration {
        let reply = try await call(
            "WAIT", ["\(line.rawValue)", "\(level.rawValue)", "\(limit.inMilliseconds)"],
            within: limit * 10 + .seconds(60))
        return try took(reply, "\(line) \(level)", limit)
    }

    /// Drives an input and waits until an output answers; both are timed on the board's clock.
    @discardableResult
    public nonisolated(nonsending) func edge(
        _ input: BoardLine, _ level: Level, brings output: BoardLine, _ answer: Level,
        within limit: Duration = .seconds(5)
    ) async throws -> Duration {
        let reply = try await call(
            "EDGE",
            [
                input.rawValue, level.rawValue, output.rawValue, answer.rawValue,
                limit.inMilliseconds,
            ]
            .map(String.init), within: limit * 10 + .seconds(60))
        return try took(reply, "\(input) \(level): \(output) \(answer)", limit)
    }

    private func took(
        _ reply: Agent.Reply, _ what: String, _ limit: Duration
    ) throws -> Duration {
        if reply.status == 124 { throw BoardError("\(what): not within \(limit)") }
        try expectSuccess(reply, what)
        guard let nanoseconds = Int(reply.text) else { throw BoardError("\(what): \(reply.text)") }
        return .nanoseconds(nanoseconds)
    }

    private func expectSuccess(_ reply: Agent.Reply, _ what: String) throws {
        guard reply.status == 0 else { throw BoardError("\(what): errno \(reply.status)") }
    }
}
