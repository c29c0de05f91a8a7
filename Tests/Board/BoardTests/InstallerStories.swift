import Foundation
import Testing
import VirtualBoard

/// What the doctor finds on a board that is broken in one way, and what measuring finds of lines
/// that do what is known.
@Suite(.onBoards)
struct InstallerStories {
    /// One thing that is wrong with a board.
    struct Harm: CustomStringConvertible, Sendable {
        /// The finding that tells of it.
        let name: String
        /// Shell commands that do it.
        let script: String
        /// Shell commands that undo it.
        let undo: String
        /// What the finding mentions.
        let mention: String

        var description: String { "\(name): \(script)" }
    }

    private static let settings = InstalledService.settingsPath
    private static let unit = "/etc/systemd/system/turnstiled.service.d/harm.conf"

    /// Replaces a text in the settings.
    private static func change(
        _ name: String, _ old: String, to new: String, mentions mention: String
    ) -> Harm {
        Harm(
            name: name,
            script: "cp -p \(settings) /tmp/kept; sed -i 's/\(old)/\(new)/' \(settings)",
            undo: "mv /tmp/kept \(settings)", mention: mention)
    }

    /// Adds lines to the unit.
    private static func dropIn(_ name: String, _ line: String, mentions mention: String) -> Harm {
        Harm(
            name: name,
            script: """
                mkdir -p $(dirname \(unit)); printf '[Service]\\n\(line)\\n' >\(unit)
                systemctl daemon-reload; systemctl restart turnstiled
                """,
            undo: "rm \(unit); systemctl daemon-reload; systemctl restart turnstiled",
            mention: mention)
    }

    private static func move(_ name: String, _ file: String, mentions mention: String) -> Harm {
        Harm(
            name: name, script: "mv \(file) /tmp/moved", undo: "mv /tmp/moved \(file)",
            mention: mention)
    }

    /// Something that shows where no service runs.
    private static func stopped(_ harm: Harm) -> Harm {
        Harm(
            name: harm.name, script: "systemctl stop turnstiled; \(harm.script)",
            undo: "\(harm.undo); systemctl start turnstiled", mention: harm.mention)
    }

    static let harms: [Harm] = [
        change("settings", "price: 250", to: "price: much", mentions: "fare.price"),
        change("settings", "pass_wait:", to: "pas_wait:", mentions: "pass_wait"),
        change("settings in force", "price: 250", to: "price: 300", mentions: "fare.price"),
        stopped(change("chip", "label: board-sim", to: "label: bord-sim", mentions: "bord-sim")),
        stopped(change("line rotor_a", "line: ROTOR_A", to: "line: ROTOR_AA", mentions: "ROTOR_A")),
        Harm(
            name: "service", script: "systemctl stop turnstiled",
            undo: "systemctl start turnstiled", mention: "does not run"),
        Harm(
            name: "device access", script: "chmod 666 /dev/gpiochip0",
            undo: "chmod 660 /dev/gpiochip0", mention: "gpiochip0"),
        Harm(
            name: "state folder", script: "chmod 777 /var/lib/turnstiled",
            undo: "chmod 750 /var/lib/turnstiled", mention: "/var/lib/turnstiled"),
        Harm(
            name: "runtime folder", script: "chown root /run/turnstiled",
            undo: "chown turnstiled /run/turnstiled", mention: "/run/turnstiled"),
        move("bus policy", "/etc/dbus-1/system.d/io.turnstiled1.conf", mentions: "io.turnstiled1"),
        Harm(
            name: "udev rule", script: "mv $(find /usr /etc -name 60-turnstiled.rules) /tmp/",
            undo: "mv /tmp/60-turnstiled.rules /etc/udev/rules.d/", mention: "rule"),
        dropIn("watchdog", "WatchdogSec=0", mentions: ""),
        dropIn("real time", "CPUSchedulingPolicy=other", mentions: ""),
        stopped(
            Harm(
                name: "ledger",
                script: """
                    cp -p /var/lib/turnstiled/ledger.db /tmp/
                    dd if=/dev/zero of=/var/lib/turnstiled/ledger.db bs=1k count=4 conv=notrunc
                    """,
                undo: "mv /tmp/ledger.db /var/lib/turnstiled/ledger.db", mention: "ledger.db")),
        stopped(
            Harm(
                name: "line coin_pulse",
                script: """
                    systemd-run --quiet --unit=thief gpiomon \\
                        $(gpioinfo --version | grep -q 'v1' && gpiofind COIN || echo COIN)
                    until gpioinfo | grep COIN | grep -q gpiomon; do sleep 0.1; done
                    """,
                undo: "systemctl stop thief", mention: "gpiomon")),
    ]

    /// What the doctor says, as JSON: a verdict for each finding, and what was found.
    private struct Findings: Decodable {
        struct Finding: Decodable {
            var name: String
            var verdict: String
            var found: String
        }

        var findings: [Finding]

        /// The findings of this name that are not well; there is one for each chip.
        func bad(_ name: String) -> [Finding] {
            findings.filter {
                ($0.name == name || name == "chip" && $0.name.hasPrefix("chip "))
                    && $0.verdict != "ok"
            }
        }
    }

    private nonisolated(nonsending) func examine(_ board: Board) async throws -> Findings {
        let outcome = try await board.run("turnstilectl doctor --json")
        return try JSONDecoder().decode(Findings.self, from: Data(outcome.output.utf8))
    }

    @Test("the doctor names what is broken, one thing at a time", arguments: Debian.selected)
    func doctor(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.joinedBus()
            let well = try await examine(board)
            let wrong = well.findings.filter { $0.verdict == "wrong" }
            #expect(wrong.isEmpty, "\(wrong)")
            for harm in Self.harms {
                // What is wrong from the start cannot tell of harm.
                #expect(well.bad(harm.name).isEmpty, "\(well.bad(harm.name))")
                try await board.check("{ \(harm.script)\n} >/dev/null 2>&1")
                let found = try await examine(board).bad(harm.name)
                let isNamed = found.contains {
                    harm.mention.isEmpty || $0.found.contains(harm.mention)
                }
                #expect(isNamed, "\(harm): \(found)")
                try await board.check("{ \(harm.undo)\n} >/dev/null 2>&1")
            }
            try await board.press(.fire)
            let found = try await examine(board).bad("input fire")
            #expect(found.first?.verdict == "wrong", "\(found)")
        }
    }

    /// What the trial of outputs finds.
    private nonisolated(nonsending) func tryOutputs(_ board: Board) async throws -> [String] {
        let outcome = try await board.run("turnstilectl doctor --try-outputs --json")
        let findings = try JSONDecoder().decode(Findings.self, from: Data(outcome.output.utf8))
        return findings.findings.filter { $0.name == "outputs let go" }
            .map { "\($0.verdict): \($0.found)" }
    }

    @Test("outputs are tried where no service runs", arguments: Debian.selected)
    func outputs(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.joinedBus()
            let running = try await tryOutputs(board)
            #expect(running == ["warning: not checked: a service runs, and drives them"])
            try await board.check("systemctl stop turnstiled")
            // This chip has a line that nobody holds carry what it is pulled to.
            #expect(
                try await tryOutputs(board) == [
                    "ok: the kernel keeps them at their safe level: lock_entry, alarm, coin_inhibit"
                ])
            try await board.play([Board.Move(.lockEntry, .high)])
            try await board.check(
                """
                systemd-run --quiet --unit=thief gpiomon \
                    $(gpioinfo --version | grep -q 'v1' && gpiofind ALARM || echo ALARM)
                until gpioinfo | grep ALARM | grep -q gpiomon; do sleep 0.1; done
                """)
            let mixed = try await tryOutputs(board)
            #expect(
                Set(mixed) == [
                    "warning: not checked: they are in use: alarm",
                    "wrong: released, their level energises: lock_entry",
                    "ok: the kernel keeps them at their safe level: coin_inhibit",
                ])
            // What was driven safe last is what was let go.
            try await board.check("systemctl stop thief; systemctl start turnstiled")
        }
    }

    @Test("coins are measured by their pulses", arguments: Debian.selected)
    func coins(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.joinedBus()
            for script in ["true", "systemctl stop turnstiled"] {
                // Through the service, and without it.
                try await board.check(script)
                try await measure("coin_pulse", on: board)
                for count in [1, 3, 2] { try await dropCoin(pulses: count, on: board) }
                let page = try await measured(board)
                #expect(page.contains("6 pulses, 3 coins"), "\(page)")
                #expect(page.contains("pulse_width: 60ms"), "\(page)")
                #expect(page.contains("it bounces"), "\(page)")
                #expect(page.contains("came: 1: 1 coin, 2: 1 coin, 3: 1 coin"), "\(page)")
            }
        }
    }

    /// Has a coin make pulses of 60 ms, and a second of silence.
    private nonisolated(nonsending) func dropCoin(pulses: Int, on board: Board) async throws {
        let moves: [Board.Move] = (0..<pulses).flatMap { _ in
            [
                Board.Move(after: .milliseconds(80), .coin, .high),
                // It bounces as it closes.
                Board.Move(after: .milliseconds(1), .coin, .low),
                Board.Move(after: .milliseconds(1), .coin, .high),
                Board.Move(after: .milliseconds(58), .coin, .low),
            ]
        }
        try await board.play(moves + [Board.Move(after: .seconds(1), .coin, .low)])
    }

    @Test("exchanged sensors are found as somebody turns the arm", arguments: Debian.selected)
    func sensors(on debian: Debian) async throws {
        let exchange: KeyValuePairs = [
            "rotor_a:             {line: ROTOR_A": "rotor_a:             {line: ROTOR_X",
            "rotor_b:             {line: ROTOR_B": "rotor_b:             {line: ROTOR_A",
            "line: ROTOR_X": "line: ROTOR_B",
        ]
        try await Board.withService(debian) { board in
            try await board.check("systemctl stop turnstiled")
            try await measure("rotor_a rotor_b", on: board)
            for _ in 0..<3 { try await board.turnRotor(.entry) }
            let right = try await measured(board)
            #expect(right.contains("3 turns inwards, 0 outwards\nthe sensors are as"), "\(right)")
            try await board.changeSettings(exchange)
            try await measure("rotor_a rotor_b", on: board)
            for _ in 0..<3 { try await board.turnRotor(.entry) }
            let wrong = try await measured(board)
            #expect(wrong.contains("the sensors are exchanged"), "\(wrong)")
        }
    }

    @Test("sensors are measured through the service", arguments: Debian.selected)
    func sensorsOfService(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.joinedBus()
            let debounced = try await board.check(
                """
                busctl get-property io.turnstiled1 /io/turnstiled1 io.turnstiled1.Gate \\
                    KernelDebounces
                """)
            try await measure("rotor_a rotor_b", on: board)
            for _ in 0..<3 { try await board.turnRotor(.entry) }
            let page = try await measured(board)
            #expect(page.contains("3 turns inwards, 0 outwards\nthe sensors are as"), "\(page)")
            let isUnknown = debounced == "b true\n"
            #expect(page.contains("whether they bounce: not known") == isUnknown, "\(page)")
            #expect(page.contains("the kernel debounces rotor_a, rotor_b") == isUnknown)
            #expect(page.contains("rotor_a: {debounce: ") != isUnknown, "\(page)")
        }
    }

    /// An edge as it is told.
    private struct Edge: Decodable {
        var line: String
        var level: Bool
        var since_nsec: Int64?
        var bounce: Bool?
    }

    @Test("whoever follows the lines sees each edge", arguments: Debian.selected)
    func follow(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.joinedBus()
            let refused = try await board.run(
                "runuser --user nobody -- turnstilectl lines --follow")
            #expect(refused.status == 77, "\(refused.output)")
            try await board.check(
                """
                rm -f /tmp/edges /tmp/said
                turnstilectl lines --follow --json --count 5 coin_pulse lock_entry \\
                    >/tmp/edges 2>/tmp/said &
                for try in $(seq 100); do
                    grep -q 'as the service reports' /tmp/said && exit 0
                    sleep 0.1
                done
                cat /tmp/said; exit 1
                """)
            try await dropCoin(pulses: 1, on: board)
            try await board.play([Board.Move(.releaseEntry, .high)], until: [.lockEntry])
            let text = try await board.check(
                """
                for try in $(seq 100); do
                    [ "$(wc -l </tmp/edges)" -ge 5 ] && break
                    sleep 0.1
                done
                cat /tmp/edges
                """)
            let edges = try text.split(separator: "\n").map {
                try JSONDecoder().decode(Edge.self, from: Data($0.utf8))
            }
            #expect(edges.map(\.line) == Array(repeating: "coin_pulse", count: 4) + ["lock_entry"])
            #expect(edges.map(\.level) == [true, false, true, false, true])
            #expect(edges.map(\.bounce) == [false, true, true, false, nil])
            let width = try #require(edges.dropLast().last?.since_nsec)
            #expect(width > 50_000_000, "\(width)")
        }
    }

    /// Begins to measure, and waits until the lines are heard.
    private nonisolated(nonsending) func measure(_ lines: String, on board: Board) async throws {
        try await board.check(
            """
            rm -f /tmp/enter /tmp/page; mkfifo /tmp/enter
            sleep infinity >/tmp/enter & echo $! >/tmp/holder
            turnstilectl lines measure \(lines) </tmp/enter >/tmp/page 2>&1 &
            echo $! >/tmp/measuring
            for try in $(seq 100); do grep -q 'press Enter' /tmp/page && exit 0; sleep 0.1; done
            cat /tmp/page; exit 1
            """)
    }

    /// Presses Enter, and returns what was measured.
    private nonisolated(nonsending) func measured(_ board: Board) async throws -> String {
        try await board.check(
            """
            echo >/tmp/enter
            measuring=$(cat /tmp/measuring)
            for try in $(seq 100); do kill -0 $measuring 2>/dev/null || break; sleep 0.1; done
            kill $(cat /tmp/holder); cat /tmp/page
            """)
    }
}
