/// The snapshots that many stories begin with, each made once per run of the tests.
public actor Snapshots {
    private static let shared = Snapshots()
    private var made: [String: Task<Board.Snapshot, any Error>] = [:]

    /// A board of this Debian that has booted: systemd says that it is running.
    public static func booted(_ debian: Debian) async throws -> Board.Snapshot {
        try await shared.snapshot("booted", of: debian) { board in
            let state = try await board.run("systemctl is-system-running --wait")
            guard state.status == 0 else { throw BoardError("the system is \(state.output)") }
        }
    }

    /// A board that has booted and that `prepare` has seen to; `name` tells one from another.
    public static func prepared(
        _ name: String, _ debian: Debian,
        _ prepare: nonisolated(nonsending) @escaping @Sendable (Board) async throws -> Void
    ) async throws -> Board.Snapshot {
        let booted = try await booted(debian)
        return try await shared.snapshot(name, of: debian, from: booted, prepare)
    }

    private func snapshot(
        _ name: String, of debian: Debian, from base: Board.Snapshot? = nil,
        _ prepare: nonisolated(nonsending) @escaping @Sendable (Board) async throws -> Void
    ) async throws -> Board.Snapshot {
        let key = "\(debian)/\(name)"
        let task =
            made[key]
            ?? Task {
                try await Board.with(debian, from: base, isUrgent: true) { board in
                    try await prepare(board)
                    return try await board.save(as: name)
                }
            }
        made[key] = task
        return try await task.value
    }
}
