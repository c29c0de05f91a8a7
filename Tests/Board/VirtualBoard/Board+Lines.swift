import Foundation

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

    /// Drives input lines, timed on the board's own clock, and waits until all of `lines` carry the
    /// level that is the answer. Returns the time from the last move to the answer, on the board's
    /// clock.
    @discardableResult
    public nonisolated(nonsending) func play(
        _ moves: [Move], until lines: [BoardLine] = [], _ answer: Level = .high,
        within limit: Duration = .seconds(5)
    ) async throws -> Duration {
        let score = moves.map { move in
            "\(Int(move.after / .microseconds(1))) \(move.line.rawValue) \(move.level.rawValue)\n"
        }
        let length = moves.reduce(.zero) { $0 + $1.after }
        let awaited =
            lines.isEmpty
            ? [] : [answer.rawValue, limit.inMilliseconds] + lines.map(\.rawValue)
        let reply = try await call(
            "PLAY", awaited.map(String.init), payload: Data(score.joined().utf8),
            within: (length + limit) * 10 + .seconds(60))
        let what = "\(moves.map { "\($0.line) \($0.level)" }): \(lines) \(answer)"
        guard reply.status != 124 else { throw BoardError("\(what): not within \(limit)") }
        guard reply.status == 0, let nanoseconds = Int(reply.text) else {
            throw BoardError("\(what): errno \(reply.status) \(reply.text)")
        }
        return .nanoseconds(nanoseconds)
    }

    /// Drives two input lines by turns, `count` times each: both high, both low, and so on, half a
    /// period after one another, in an order that is drawn each time. A move comes whatever the
    /// board is doing, and whoever is to answer it, but for a call of another process that the
    /// kernel does not interrupt.
    public nonisolated(nonsending) func beat(
        _ lines: (BoardLine, BoardLine), times count: Int, every period: Duration
    ) async throws {
        let reply = try await call(
            "BEAT",
            [2 * count, Int(period / .microseconds(2)), lines.0.rawValue, lines.1.rawValue]
                .map(String.init),
            within: period * count * 60 + .seconds(60))
        guard reply.status == 0 else { throw BoardError("\(lines): errno \(reply.text)") }
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
        try await levels(of: [line])[0]
    }

    /// The outputs that carry a high level, all read at one time.
    public nonisolated(nonsending) func energised() async throws -> Set<BoardLine> {
        let levels = try await levels(of: BoardLine.outputs)
        return Set(zip(BoardLine.outputs, levels).filter { $0.1 == .high }.map(\.0))
    }

    private nonisolated(nonsending) func levels(
        of lines: [BoardLine]
    ) async throws -> [Level] {
        let reply = try await call("LEVEL", lines.map { "\($0.rawValue)" })
        guard reply.status == 0, reply.text.count == lines.count else {
            throw BoardError("levels of \(lines): errno \(reply.status) \(reply.text)")
        }
        return reply.text.map { $0 == "1" ? .high : .low }
    }

    /// Waits until a line carries this level, and returns how long that took, on the board's
    /// clock.
    @discardableResult
    public nonisolated(nonsending) func wait(
        for line: BoardLine, _ level: Level, within limit: Duration = .seconds(5)
    ) async throws -> Duration {
        try await play([], until: [line], level, within: limit)
    }

    /// Drives an input and waits until an output answers; both are timed on the board's clock.
    @discardableResult
    public nonisolated(nonsending) func edge(
        _ input: BoardLine, _ level: Level, brings output: BoardLine, _ answer: Level,
        within limit: Duration = .seconds(5)
    ) async throws -> Duration {
        try await play([Move(input, level)], until: [output], answer, within: limit)
    }
}
