import Foundation

/// QEMU's own control channel, QMP: a line of JSON per message.
final class Monitor {
    private struct Message: Decodable {
        struct Failure: Decodable { var desc: String }
        struct Details: Decodable { var status: String? }
        var event: String?
        var data: Details?
        var error: Failure?
    }

    private struct Request: Encodable {
        var execute: String
        var arguments: [String: Argument]
    }

    /// An argument of a command.
    enum Argument: Encodable {
        /// Text.
        case text(String)
        /// The switches of the migration, by name.
        case capabilities([String])

        func encode(to encoder: any Encoder) throws {
            struct Capability: Encodable {
                var capability: String
                var state = true
            }
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .capabilities(let names):
                try container.encode(names.map { Capability(capability: $0) })
            }
        }
    }

    private let channel: Channel

    /// A monitor that is reached through `channel`.
    init(_ channel: Channel) { self.channel = channel }

    /// Ends the connection.
    func close() { channel.close() }

    /// Opens the conversation, and has QEMU tell of the migration's progress by events.
    nonisolated(nonsending) func start() async throws {
        _ = try await channel.line()  // the greeting
        try await execute("qmp_capabilities")
        try await execute(
            "migrate-set-capabilities", ["capabilities": .capabilities(["events"])])
    }

    /// Has QEMU carry out one command and waits for its answer.
    nonisolated(nonsending) func execute(
        _ command: String, _ arguments: [String: Argument] = [:]
    ) async throws {
        let request = try JSONEncoder().encode(Request(execute: command, arguments: arguments))
        try channel.send(request + Data("\n".utf8))
        while true {
            let message = try await next()
            if let error = message.error { throw BoardError("QEMU: \(command): \(error.desc)") }
            if message.event == nil { return }
        }
    }

    /// Waits until the machine's state has gone out, or has come in.
    nonisolated(nonsending) func awaitMigration() async throws {
        while true {
            let message = try await next()
            guard message.event == "MIGRATION" else { continue }
            if message.data?.status == "completed" { return }
            if message.data?.status == "failed" { throw BoardError("QEMU: migration failed") }
        }
    }

    private nonisolated(nonsending) func next() async throws -> Message {
        try JSONDecoder().decode(Message.self, from: Data(try await channel.line().utf8))
    }
}
