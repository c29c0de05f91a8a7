import Foundation
import VirtualBoard

/// Where the service and its settings are on the board, and where they come from.
enum InstalledService {
    static let settingsPath = "/etc/turnstiled/turnstiled.yaml"

    private static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The settings of the board's gate, as a story begins.
    static func settings() throws -> String {
        try String(
            contentsOf: repository.appending(path: "Tests/Board/turnstiled.yaml"), encoding: .utf8)
    }

    /// Puts on the board what `make install` has put into a directory, tells the system of it as
    /// `make install` does, and starts the service.
    static nonisolated(nonsending) func install(on board: Board) async throws {
        let product = try Data(contentsOf: board.debian.work.appending(path: "product.tar"))
        let afterInstall = try Data(
            contentsOf: repository.appending(path: "systemd/after-install"))
        try await board.put(product, at: "/tmp/product.tar")
        try await board.put(afterInstall, at: "/tmp/after-install", mode: 0o755)
        try await board.check(
            """
            set -e
            tar --extract --directory=/ --keep-directory-symlink --file=/tmp/product.tar
            rm /tmp/product.tar
            /tmp/after-install /usr/local/bin /etc/turnstiled
            """)
        try await board.put(settings(), at: settingsPath)
        try await board.check(
            "systemctl start turnstiled || { journalctl --unit=turnstiled --lines=20; exit 1; }")
    }
}

extension Board {
    /// Gives `body` a board on which the service is installed and has just started.
    static nonisolated(nonsending) func withService(
        _ debian: Debian, _ body: nonisolated(nonsending) (Board) async throws -> Void
    ) async throws {
        let installed = try await Snapshots.prepared("installed", debian) { board in
            try await InstalledService.install(on: board)
        }
        try await Board.with(debian, from: installed, body)
    }

    /// Writes the settings with each `old` replaced by `new`.
    nonisolated(nonsending) func changeSettings(_ old: String, to new: String) async throws {
        let settings = try InstalledService.settings()
        guard settings.contains(old) else { throw BoardError("the settings hold no '\(old)'") }
        try await put(
            settings.replacing(old, with: new), at: InstalledService.settingsPath)
    }

    /// A property of the service, as systemd shows it.
    nonisolated(nonsending) func property(_ name: String) async throws -> String {
        String(
            try await check("systemctl show --property=\(name) --value turnstiled")
                .prefix { $0 != "\n" })
    }

    /// Sends the service's main process a signal.
    nonisolated(nonsending) func signal(_ name: String) async throws {
        try await check("systemctl kill --kill-who=main --signal=\(name) turnstiled")
    }
}

extension Board {
    /// Drops coins of one pulse each into the acceptor.
    nonisolated(nonsending) func insertCoins(_ count: Int) async throws {
        let coin = [
            Move(.coin, .high), Move(after: .milliseconds(50), .coin, .low),
            Move(after: .milliseconds(250), .coin, .low),
        ]
        try await play((0..<count).flatMap { _ in coin })
    }

    /// Turns the rotor of the way in by some quarters, from home; four are a passage.
    nonisolated(nonsending) func turnRotor(quarters: Int = 4) async throws {
        let turn: [(BoardLine, Level)] = [
            (.rotorA, .high), (.rotorB, .high), (.rotorA, .low), (.rotorB, .low),
        ]
        try await play(turn.prefix(quarters).map { Move(after: .milliseconds(100), $0, $1) })
    }

    /// What the service's outputs carry: lock, coin inhibit, alarm.
    nonisolated(nonsending) func outputs() async throws -> Outputs {
        Outputs(
            lock: try await level(of: .lockEntry), coinInhibit: try await level(of: .coinInhibit),
            alarm: try await level(of: .alarm))
    }
}

/// What the service's outputs carry.
struct Outputs: Equatable {
    var lock: Level
    var coinInhibit: Level
    var alarm: Level

    /// Nothing is energised.
    static var safe: Outputs { Outputs(lock: .low, coinInhibit: .low, alarm: .low) }
    /// The gate is locked and takes coins.
    static var atRest: Outputs { Outputs(lock: .low, coinInhibit: .high, alarm: .low) }
    /// One person may come in; the acceptor gives coins back.
    static var released: Outputs { Outputs(lock: .high, coinInhibit: .low, alarm: .low) }
}
