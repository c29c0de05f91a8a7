import Foundation
import VirtualBoard

/// The service as apt installs it, from the packages that Tests/Board/build leaves.
enum PackagedService {
    /// Where they lie on the board; a later version in `later` there, an earlier one in `earlier`.
    static let folder = "/tmp/packages"

    /// Puts the packages on the board.
    static nonisolated(nonsending) func put(on board: Board) async throws {
        let packages = board.debian.work.appending(path: "deb")
        for part in ["", "later", "earlier"] {
            try await board.check("mkdir -p \(folder)/\(part)")
            let names = try FileManager.default
                .contentsOfDirectory(atPath: packages.appending(path: part).path)
                .filter { $0.hasSuffix(".deb") }
            guard !names.isEmpty else { throw BoardError("no package in \(packages.path)/\(part)") }
            for name in names {
                let file = packages.appending(path: part).appending(path: name)
                try await board.put(Data(contentsOf: file), at: "\(folder)/\(part)/\(name)")
            }
        }
        // The image has left out documents, which the packages bring along.
        try await board.check("rm -f /etc/dpkg/dpkg.cfg.d/99mmdebstrap")
    }

    /// What apt is asked for, in the board's shell.
    static func apt(_ arguments: String) -> String {
        "cd \(folder) && apt-get --quiet=2 --yes \(arguments) 2>&1"
    }
}

extension Board {
    /// Gives `body` a board on which the packages have been put, and nothing is installed.
    static nonisolated(nonsending) func withPackages(
        _ debian: Debian, _ body: nonisolated(nonsending) (Board) async throws -> Void
    ) async throws {
        let bare = try await Snapshots.prepared("packages", debian) { board in
            try await PackagedService.put(on: board)
        }
        try await Board.with(debian, from: bare, isUrgent: true, body)
    }

    /// Gives `body` a board on which the packages are installed and the service runs, enabled; with
    /// `changes` to its settings.
    static nonisolated(nonsending) func withPackagedService(
        _ debian: Debian, changing changes: KeyValuePairs<String, String> = [:],
        _ body: nonisolated(nonsending) (Board) async throws -> Void
    ) async throws {
        let packaged = try await Snapshots.prepared("packaged", debian) { board in
            try await PackagedService.put(on: board)
            try await board.check(
                PackagedService.apt("install ./turnstiled_*.deb ./turnstilectl_*.deb"),
                within: .seconds(300))
            try await board.changeSettings([:])
            try await board.check("systemctl --quiet enable --now turnstiled")
            try await board.putIntoService()
        }
        try await Board.with(debian, from: packaged, isUrgent: true) { board in
            if !changes.isEmpty {
                try await board.changeSettings(changes)
                try await board.check("systemctl restart turnstiled")
            }
            try await board.play([], until: [.coinEnable])
            try await board.joinedBus()
            try await body(board)
        }
    }

    /// Asks apt for something that has to succeed; returns what it says.
    @discardableResult
    nonisolated(nonsending) func apt(_ arguments: String) async throws -> String {
        try await check(PackagedService.apt(arguments), within: .seconds(300))
    }

    /// The version of the package that is installed and configured, or what is the matter with it.
    nonisolated(nonsending) func packageVersion() async throws -> String {
        let shown = try await check(
            """
            dpkg-query --show --showformat='${db:Status-Abbrev}${Version}' turnstiled 2>&1 || true
            """)
        return shown.hasPrefix("ii ") ? String(shown.dropFirst(3)) : "not installed: \(shown)"
    }

    /// Has apt begin something that goes on while the story does; ``upgraded()`` waits for its end.
    nonisolated(nonsending) func beginUpgrade() async throws {
        let apt = PackagedService.apt("install ./later/turnstiled_*.deb")
        try await check(
            """
            systemd-run --quiet --unit=upgrade --setenv=HOME=/root --property=RemainAfterExit=yes \
                bash -c '(\(apt)) >/tmp/upgrade.log; echo $? >/tmp/upgrade.status'
            """)
    }

    /// Waits until apt has said this in the upgrade.
    nonisolated(nonsending) func awaitUpgrade(toSay text: String) async throws {
        try await check(
            "until grep -q '\(text)' /tmp/upgrade.log 2>/dev/null; do sleep 0.05; done",
            within: .seconds(300))
    }

    /// Waits for the end of the upgrade, which must have succeeded; returns what apt said.
    nonisolated(nonsending) func upgraded() async throws -> String {
        try await check(
            """
            until test -s /tmp/upgrade.status; do sleep 0.1; done
            cat /tmp/upgrade.log; exit $(cat /tmp/upgrade.status)
            """, within: .seconds(300))
    }

    /// A property of the gate on the bus, as busctl shows it.
    nonisolated(nonsending) func gate(_ property: String) async throws -> String {
        try await joinedBus()
        return try await check(
            """
            busctl get-property io.turnstiled1 /io/turnstiled1 io.turnstiled1.Gate \(property)
            """)
    }
}
