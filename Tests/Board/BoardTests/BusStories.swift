import Testing
import VirtualBoard

/// The gate on the system's bus: who may look, who may ask, and what becomes of it when the bus
/// goes.
@Suite(.onBoards)
struct BusStories {
    /// Every method, with arguments that it takes.
    private static let methods = [
        "Grant s entry", "GrantGroup sx entry 2", "Withdraw s entry",
        "SetMode sst entry free 60000000",
        "SetEnforcement st weak 0", "ConfirmRepair", "AcknowledgeAlarms", "ResetEmergency",
        "BeginService", "EndService", "SelfTest", "TestOutput st lock_entry 0",
        "CollectCoins x -- -1", "Reload", "ReloadSettings", "FollowEdges t 0",
    ]

    private static let object = "io.turnstiled1 /io/turnstiled1 io.turnstiled1.Gate"

    private static func call(_ method: String) -> String { "busctl call \(object) \(method)" }

    @Test("everybody looks, the group asks, and nobody else", arguments: Debian.each)
    func whoMay(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.joinedBus()
            try await board.check("useradd anna && usermod --append --groups turnstile anna")
            let seen = try await board.check(
                "runuser --user nobody -- busctl get-property \(Self.object) Price Gate")
            #expect(seen == "x 250\ns \"board\"\n")
            for method in Self.methods {
                let refused = try await board.run(
                    "runuser --user nobody -- \(Self.call(method))")
                #expect(refused.status != 0, "nobody may \(method)")
                #expect(refused.output.contains("usermod"), "\(method): \(refused.output)")
                for user in ["anna", "root"] {
                    let answered = try await board.run(
                        "runuser --user \(user) -- \(Self.call(method))")
                    #expect(answered.status == 0, "\(user): \(method): \(answered.output)")
                    // Nobody is asked 20 times in a second.
                    try await board.check("sleep 0.1")
                }
            }
            let moved = try await board.run(Self.call("Simulate s 'fire open'"))
            #expect(moved.output.contains("no method 'Simulate'"), "\(moved.output)")
        }
    }

    @Test("who asked is in the record, and the ledger has it", arguments: Debian.selected)
    func whoAsked(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.joinedBus()
            try await board.check("useradd anna && usermod --append --groups turnstile anna")
            let mark = try await board.journalMark()
            let answer = try await board.check(
                "runuser --user anna -- \(Self.call("Grant s entry"))")
            #expect(answer == "ssb \"done\" \"\" true\n")
            let done = try await board.event("request_done", since: mark)
            #expect(done["TURNSTILE_OPERATOR"] == "anna")
            let outputs = try await board.energised()
            #expect(outputs.contains(.lockEntry))
        }
    }

    @Test("a bus that comes back finds the gate again", arguments: Debian.selected)
    func busRestarts(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.joinedBus()
            let mark = try await board.journalMark()
            try await board.check("systemctl kill --signal=KILL dbus.service")
            try await board.event("bus_absent", since: mark)
            // Whoever comes by meanwhile is let in.
            try await board.payFare()
            let outputs = try await board.energised()
            #expect(outputs.contains(.lockEntry))
            try await board.check("systemctl start dbus.service")
            try await board.event("bus_joined", since: mark)
            let credit = try await board.check("busctl get-property \(Self.object) Price")
            #expect(credit == "x 250\n")
            let restarts = try await board.property("NRestarts")
            #expect(restarts == "0")
        }
    }

    @Test(
        "a full disk and a hung one: it is done, and said not to be kept",
        arguments: Debian.selected)
    func notDurable(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.check(
                """
                systemctl stop turnstiled
                mount -t tmpfs -o size=256k,mode=0750 tmpfs /var/lib/turnstiled
                chown turnstiled:turnstile-audit /var/lib/turnstiled
                systemctl start turnstiled
                """)
            try await board.joinedBus()
            try await board.acknowledgeUntilDurable()
            try await board.check("head --bytes=1M /dev/zero >/var/lib/turnstiled/fill || true")
            // What the file has room for it still takes.
            try await board.check(
                """
                until \(Self.call("AcknowledgeAlarms")) | grep --quiet 'done" "" false'; do
                    sleep 0.1
                done
                """)
            try await board.check("rm /var/lib/turnstiled/fill")
            try await board.acknowledgeUntilDurable()
            try await board.check(
                """
                systemctl stop turnstiled; umount /var/lib/turnstiled; systemctl start turnstiled
                """)
            try await board.joinedBus()
            try await board.acknowledgeUntilDurable()
            let mark = try await board.journalMark()
            try await board.check("fsfreeze --freeze /var/lib/turnstiled")
            let answer = try await board.check(Self.call("Grant s entry"))
            #expect(answer == "ssb \"done\" \"\" false\n")
            try await board.event("released", since: mark)
            // The ledger's thread hangs with what SQLite has mapped, and holds up nobody else, for
            // several times as long as systemd waits for a sign of life.
            for _ in 0..<10 {
                try await board.check("sleep 0.6; \(Self.call("AcknowledgeAlarms"))")
            }
            let restarts = try await board.property("NRestarts")
            #expect(restarts == "0")
            try await board.check("fsfreeze --unfreeze /var/lib/turnstiled")
            try await board.acknowledgeUntilDurable()
        }
    }

    @Test(
        "what was called durable is there, whenever the service is killed",
        arguments: Debian.selected)
    func killedWhileAsked(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.joinedBus()
            try await board.acknowledgeUntilDurable()
            let counts = try await board.check(
                """
                count() {
                    sqlite3 -readonly /var/lib/turnstiled/ledger.db \
                        "SELECT count(*) FROM records WHERE kind = 'request_done'"
                }
                before=$(count)
                { while [ ! -e /tmp/enough ]; do
                    \(Self.call("AcknowledgeAlarms")); sleep 0.06
                done; } >/tmp/answers 2>&1 &
                for life in 1 2 3 4 5; do
                    sleep "1.$life"; systemctl kill --signal=KILL turnstiled
                done
                sleep 3; touch /tmp/enough; wait
                grep --count 'ssb "done" "" true' /tmp/answers
                echo $(($(count) - before))
                """
            ).split(separator: "\n").compactMap { Int($0) }
            try #require(counts.count == 2)
            #expect(counts[0] >= 20, "it was answered between the deaths")
            #expect(counts[1] >= counts[0])
        }
    }
}

extension Board {
    /// Asks for what changes nothing until the ledger has what came of it.
    nonisolated(nonsending) func acknowledgeUntilDurable() async throws {
        try await check(
            """
            for try in $(seq 100); do
                busctl call io.turnstiled1 /io/turnstiled1 io.turnstiled1.Gate AcknowledgeAlarms \
                    | grep --quiet 'done" "" true' && exit 0
                sleep 0.1
            done
            exit 1
            """)
    }

    /// Waits until the gate is on the bus.
    nonisolated(nonsending) func joinedBus() async throws {
        try await check(
            """
            for try in $(seq 100); do
                busctl status io.turnstiled1 >/dev/null 2>&1 && exit 0
                sleep 0.1
            done
            journalctl --unit=turnstiled --lines=30 --output=cat
            exit 1
            """)
    }
}
