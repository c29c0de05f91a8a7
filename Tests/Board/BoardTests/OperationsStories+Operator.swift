import Testing
import VirtualBoard

// What docs/first-passage.md and docs/operator.md say.
extension OperationsStories {
    /// The packages have a story of their own: here the service is there, and was never started.
    func firstPassage(_ commands: inout Section.Commands, _ debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.check(
                """
                systemctl disable --now turnstiled
                rm -rf /var/lib/turnstiled/* /run/turnstiled/*
                """)
            // The example, and the journal anew.
            _ = try await board.typeHere(commands.next())
            _ = try await board.type(commands.next())
            let storage = try await board.check("ls /var/log/journal/*/system.journal")
            #expect(!storage.isEmpty)
            _ = try await board.typeHere(commands.next())
            // It is that of another board.
            try await board.changeSettings([:])
            let checked = try await board.type(commands.next())
            #expect(checked.contains("good"))
            let found = try await board.run(commands.next().withoutSudo)
            #expect(found.output.contains("it does not run"), "\(found.output)")

            let followed = try await board.typeAside(commands.next()) {
                for _ in 0..<5 { try await board.tap(.serviceKey) }
            }
            #expect(followed.contains(/service_key +SERVICE_KEY +active/))
            let turned = try await board.typeAside(commands.next()) {
                try await board.turnRotor()
                try await board.turnRotor()
            }
            #expect(turned.contains("the sensors are as they are named"))

            _ = try await board.type(commands.next())
            let open = try await board.typeOnBus(commands.next())
            #expect(open.contains("open until the emergency reset"))
            try await board.putIntoService()
            let locked = try await board.typeOnBus(commands.next())
            #expect(locked.contains("● locked"))

            let coins = try await board.typeAside(commands.next()) {
                for _ in 0..<3 {
                    // A second apart, as the command asks for.
                    let pause = Board.Move(after: .seconds(1), .coin, .low)
                    try await board.play(Board.coin() + [pause])
                }
            }
            #expect(coins.contains("3 pulses, 3 coins"))
            let reloaded = try await board.type(commands.next())
            #expect(reloaded == "nothing has changed\n")
            let told = try await board.typeAside("timeout 20 \(commands.next()) || true") {
                try await board.insertCoins(2)
                try await board.turnRotor()
            }
            #expect(told.contains("somebody passed (entry), paid"))
            let well = try await board.run(commands.next().withoutSudo)
            #expect(well.status < 2 && well.output.contains("runs, PID"), "\(well.output)")
        }
    }

    /// Each query finds what it is to find, and each request is done.
    func operatorsQuestions(_ commands: inout Section.Commands, _ debian: Debian) async throws {
        try await Board.withService(debian, .twoWay) { board in
            try await board.joinedBus()
            try await board.haveADay()
            // It is some other time on this board.
            let times = [
                "2026-11-24T06:10:30": "now", "2026-11-24T06:10": "00:00",
                "2026-11-24T06:11": "23:59:59", "06:11": "00:00", "06:15": "23:59:59",
            ]
            while !commands.rest.isEmpty {
                let command = try times.sorted { $0.key.count > $1.key.count }
                    .reduce(commands.next()) { $0.replacing($1.key, with: $1.value) }
                let shown = try await board.type(command)
                #expect(!shown.isEmpty && !shown.contains("No entries"), "\(command)")
                if command.contains(/^turnstilectl (?:grant|withdraw|mode|enforcement)/) {
                    #expect(shown == "done\n", "\(command)")
                }
                if command == "turnstilectl acknowledge" { #expect(shown == "no alarm is up\n") }
                if command.hasPrefix("turnstilectl collect") {
                    #expect(shown.contains("\nfor count of collection 1\nexpected 250\n"))
                }
            }
            let recorded = try await board.type("turnstilectl records --since 00:00")
            let status = try await board.type("turnstilectl status")
            #expect(recorded.contains(" credited\n"), "\(recorded)")
            #expect(status.contains("\nrecorded last\n"), "\(status)")
        }
    }
}

extension String {
    /// The command as root types it.
    fileprivate var withoutSudo: String { replacing("sudo ", with: "") }
}

extension Board {
    /// Types a command that names the documents where the packages put them; `make install` puts
    /// them elsewhere.
    fileprivate nonisolated(nonsending) func typeHere(_ command: String) async throws -> String {
        try await type(command.replacing("/usr/share/doc", with: "/usr/local/share/doc"))
    }

    /// Types a command once the service is on the bus.
    fileprivate nonisolated(nonsending) func typeOnBus(_ command: String) async throws -> String {
        try await joinedBus()
        return try await type(command)
    }

    /// Types a command, has something happen as soon as it says that it listens, and returns what
    /// it shows until its end.
    fileprivate nonisolated(nonsending) func typeAside(
        _ command: String, while body: nonisolated(nonsending) () async throws -> Void
    ) async throws -> String {
        _ = try await check(
            """
            rm -f /tmp/aside /tmp/aside.over
            (\(command.withoutSudo); touch /tmp/aside.over) >/tmp/aside 2>&1 </dev/null &
            for i in $(seq 100); do
                case "\(command)" in *records*) sleep 1; break ;; esac
                grep --quiet turnstilectl: /tmp/aside && break
                sleep 0.1
            done
            """)
        try await body()
        return try await check(
            """
            for i in $(seq 600); do [ ! -e /tmp/aside.over ] || break; sleep 0.1; done
            [ -e /tmp/aside.over ] && cat /tmp/aside
            """)
    }

    /// Has something happen that every question of the page is about: credit that nobody came for,
    /// somebody whom an operator lets in, a coin that is none, a fault, a collection.
    fileprivate nonisolated(nonsending) func haveADay() async throws {
        let mark = try await journalMark()
        try await insertCoins(5)
        try await event("credit_returned", since: mark)
        try await turnRotor()
        try await event("passage_completed", since: mark)
        try await insertCoin(pulses: 2, of: .milliseconds(60), into: .coin3)
        try await event("coin_unknown", since: mark)
        try await check("turnstilectl grant entry")
        try await turnRotor()
        try await event("passage_completed", since: mark, "KIND=free")
        try await press(.fault)
        try await event("out_of_service", since: mark)
        try await release(.fault)
        try await tap(.serviceKey)
        try await event("in_service", since: mark)
        try await release(.vault)
        try await event("vault_removed", since: mark)
        try await press(.vault)
        try await event("registers", since: mark, "OCCASION=collection")
        try await event("alarm_cleared", since: mark)
    }
}
