public import Foundation

extension Board {
    /// How a script ended.
    public struct Outcome: Sendable {
        /// Its exit status; 128 and the signal's number if one ended it, 124 if time ran out.
        public var status: Int32
        /// What it wrote to standard output and standard error.
        public var output: String
    }

    /// Runs a bash script as root; `limit` counts on the board's clock.
    public nonisolated(nonsending) func run(
        _ script: String, within limit: Duration = .seconds(60)
    ) async throws -> Outcome {
        let reply = try await call(
            "RUN", ["\(limit.inMilliseconds)"], payload: Data(script.utf8),
            within: limit * 10 + .seconds(60))
        return Outcome(status: reply.status, output: reply.text)
    }

    /// Runs a bash script as root, which must succeed; returns what it wrote.
    @discardableResult
    public nonisolated(nonsending) func check(
        _ script: String, within limit: Duration = .seconds(60)
    ) async throws -> String {
        let outcome = try await run(script, within: limit)
        guard outcome.status == 0 else {
            throw BoardError("'\(script)': exit status \(outcome.status)\n\(outcome.output)")
        }
        return outcome.output
    }

    /// Writes a file on the board.
    public nonisolated(nonsending) func put(
        _ data: Data, at path: String, mode: Int = 0o644
    ) async throws {
        let reply = try await call(
            "PUT", [String(mode, radix: 8), path], payload: data, within: .seconds(120))
        guard reply.status == 0 else { throw BoardError("put \(path): \(reply.text)") }
    }

    /// Writes a text file on the board.
    public nonisolated(nonsending) func put(_ text: String, at path: String) async throws {
        try await put(Data(text.utf8), at: path)
    }

    /// Reads a file of the board.
    public nonisolated(nonsending) func get(_ path: String) async throws -> Data {
        let reply = try await call("GET", [path], within: .seconds(120))
        guard reply.status == 0 else { throw BoardError("get \(reply.text)") }
        return reply.data
    }
}

extension Duration {
    /// In whole milliseconds, rounded down.
    var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
