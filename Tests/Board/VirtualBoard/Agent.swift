import Foundation

/// The host's end of the agent that runs on the board: Tests/Board/guest/board-agent.c.
final class Agent {
    /// What the agent answered: an exit status or errno, and data.
    struct Reply {
        var status: Int32
        var data: Data

        /// The data as text.
        var text: String { String(decoding: data, as: UTF8.self) }
    }

    private let channel: Channel
    private var lastRequest = 0

    /// An agent that is reached through `channel`.
    init(_ channel: Channel) { self.channel = channel }

    /// Ends the connection.
    func close() { channel.close() }

    /// Waits until the agent of a board that boots says that it is up.
    nonisolated(nonsending) func awaitStart() async throws {
        while try await channel.line() != "AGENT" {}
    }

    /// Reads until the connection ends.
    nonisolated(nonsending) func awaitEnd() async {
        while (try? await channel.line()) != nil {}
    }

    /// Sends a request without waiting for its answer.
    func send(_ verb: String, _ arguments: [String] = [], payload: Data = Data()) throws {
        lastRequest += 1
        let head = [verb, "\(lastRequest)", "\(payload.count)"] + arguments
        try channel.send(Data((head.joined(separator: " ") + "\n").utf8) + payload)
    }

    /// Sends a request and waits for its answer.
    nonisolated(nonsending) func call(
        _ verb: String, _ arguments: [String] = [], payload: Data = Data()
    ) async throws -> Reply {
        try send(verb, arguments, payload: payload)
        while true {
            // What does not begin with "=" is the greeting of an agent that was restarted.
            let line = try await channel.line()
            let head = line.dropFirst().split(separator: " ").compactMap { Int($0) }
            guard line.hasPrefix("="), head.count == 3 else { continue }
            let data = try await channel.bytes(head[2])
            if head[0] == lastRequest { return Reply(status: Int32(head[1]), data: data) }
        }
    }
}
