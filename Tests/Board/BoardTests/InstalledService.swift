import Checkout
import Foundation
import VirtualBoard

/// A gate that the service is installed for, by the name of its settings in Tests/Board.
enum InstalledGate: String, Sendable {
    /// The least: one acceptor, one lock, one siren.
    case oneWay = "turnstiled"
    /// Everything, both ways.
    case twoWay = "two-way"

    /// Its settings, as a story begins.
    func settings() throws -> String {
        let file = Checkout.root.appending(path: "Tests/Board/\(rawValue).yaml")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// What the outputs carry while nobody wants anything of it.
    var atRest: Set<BoardLine> {
        switch self {
        case .oneWay: [.coinEnable]
        case .twoWay: [.lockExitHold, .dropArm, .lampStop, .coinEnable, .ready]
        }
    }

    /// The inputs that are active meanwhile.
    fileprivate var activeAtRest: [BoardLine] {
        switch self {
        case .oneWay: []
        case .twoWay: [.home, .vault]
        }
    }
}

/// Where the service and its settings are on the board, and where they come from.
enum InstalledService {
    static let settingsPath = "/etc/turnstiled/turnstiled.yaml"

    /// Puts on the board what `make install` has put into a directory, tells the system of it as
    /// `make install` does, and starts the service.
    static nonisolated(nonsending) func install(_ gate: InstalledGate, on board: Board) async throws
    {
        let product = try Data(contentsOf: board.debian.work.appending(path: "product.tar"))
        let afterInstall = try Data(
            contentsOf: Checkout.root.appending(path: "systemd/after-install"))
        try await board.put(product, at: "/tmp/product.tar")
        try await board.put(afterInstall, at: "/tmp/after-install", mode: 0o755)
        try await board.check(
            """
            set -e
            tar --extract --directory=/ --keep-directory-symlink --file=/tmp/product.tar
            rm /tmp/product.tar
            /tmp/after-install /usr/local/bin /etc/turnstiled
            """)
        try await board.put(gate.settings(), at: settingsPath)
        try await board.putAtRest(gate)
        try await board.check(
            "systemctl start turnstiled || { journalctl --unit=turnstiled --lines=20; exit 1; }")
        try await board.putIntoService()
    }
}

extension Board {
    /// Ends the awaiting of the reset that a gate begins its life with.
    nonisolated(nonsending) func putIntoService() async throws {
        let mark = try await journalMark()
        try await tap(.emergencyReset)
        try await event("emergency_reset", since: mark)
    }
}

extension Board {
    /// Gives `body` a board on which the service is installed and has just started; with `changes`,
    /// it has started again with these settings.
    static nonisolated(nonsending) func withService(
        _ debian: Debian, _ gate: InstalledGate = .oneWay,
        changing changes: KeyValuePairs<String, String> = [:],
        _ body: nonisolated(nonsending) (Board) async throws -> Void
    ) async throws {
        let name = "installed-\(gate.rawValue)"
        let installed = try await Snapshots.prepared(name, debian) { board in
            try await InstalledService.install(gate, on: board)
        }
        try await Board.with(debian, from: installed) { board in
            if !changes.isEmpty {
                try await board.changeSettings(changes, of: gate)
                try await board.check("systemctl restart turnstiled")
            }
            // A lock that is to be locked is pulled as the service starts.
            try await board.wait(for: .lockExit, .low)
            try await body(board)
            try await board.keepTrace()
        }
    }

    /// Writes the settings with each key of `changes` replaced by its value.
    nonisolated(nonsending) func changeSettings(
        _ changes: KeyValuePairs<String, String>, of gate: InstalledGate = .oneWay
    ) async throws {
        var settings = try gate.settings()
        for (old, new) in changes {
            guard settings.contains(old) else { throw BoardError("the settings hold no '\(old)'") }
            settings.replace(old, with: new)
        }
        try await put(settings, at: InstalledService.settingsPath)
    }

    /// Gives the inputs of a gate the levels that they carry at rest.
    nonisolated(nonsending) func putAtRest(_ gate: InstalledGate) async throws {
        try await play(gate.activeAtRest.map { Move($0, .high) })
    }

    /// A property of the service, as systemd shows it.
    nonisolated(nonsending) func property(_ name: String) async throws -> String {
        String(
            try await check("systemctl show --property=\(name) --value turnstiled")
                .prefix { $0 != "\n" })
    }

    /// The status that the service tells systemd of.
    nonisolated(nonsending) func status() async throws -> String {
        try await property("StatusText")
    }

    /// Sends the service's main process a signal.
    nonisolated(nonsending) func signal(_ name: String) async throws {
        try await check("systemctl kill --kill-who=main --signal=\(name) turnstiled")
    }
}
