import Testing
import VirtualBoard

/// What the owner of a gate writes into its settings.
@Suite(.onBoards)
struct SettingsStories {
    @Test("a wrong fare stops the start with status 78 and the reason", arguments: Debian.selected)
    func wrongFare(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.changeSettings(["price: 250": "price: -250"])
            let mark = try await board.journalMark()
            let start = try await board.run("systemctl restart turnstiled")
            #expect(start.status != 0)
            let state = try await board.property("ActiveState")
            let status = try await board.property("ExecMainStatus")
            #expect(state == "failed" && status == "78")
            let errors = try await board.journal(
                after: mark, "--unit=turnstiled", "TURNSTILE_EVENT=configuration_mistake")
            #expect(errors.map(\.priority) == [3, 3])
            #expect(errors.first?.message.contains("turnstiled.yaml:7:10: fare.price: ") == true)
            #expect(
                errors.last?.message.hasSuffix("1 mistake, so the service does not start") == true)
            let outputs = try await board.energised()
            #expect(outputs.isEmpty)
        }
    }

    @Test("a reload brings a new fare into force", arguments: Debian.selected)
    func reload(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.changeSettings(["price: 250": "price: 100"])
            let mark = try await board.journalMark()
            try await board.check("systemctl reload turnstiled")
            _ = try await board.entry(after: mark, "TURNSTILE_EVENT=policy_changed")
            let changes = try await board.journal(
                after: mark, "--unit=turnstiled", "TURNSTILE_EVENT=configuration_changed")
            #expect(changes.map { $0["TURNSTILE_KEY"] } == ["fare.price"])
            #expect(changes.first?["TURNSTILE_OLD"] == "250")
            #expect(changes.first?["TURNSTILE_NEW"] == "100")
            try await board.payFare(coins: 2)
            let outputs = try await board.energised()
            #expect(outputs == [.lockEntry])
        }
    }

    @Test(
        "a wrong fare is refused on reload, and a right one waits until the gate is idle",
        arguments: Debian.selected)
    func deferredReload(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let mark = try await board.journalMark()
            try await board.payFare()
            try await board.turnRotor(.entry, 0..<1)
            try await board.changeSettings(["price: 250": "price: much"])
            let reload = try await board.run("systemctl reload turnstiled")
            #expect(reload.status != 0)
            let mistake = try await board.event("configuration_mistake", since: mark)
            #expect(mistake.priority == 3)
            #expect(mistake.message.contains("turnstiled.yaml:7:10: fare.price: "))
            // Whoever signals the service himself is refused by it.
            try await board.signal("HUP")
            let refusal = try await board.event("configuration_refused", since: mark)
            #expect(refusal.message.contains("turnstiled.yaml:7:10: "))
            try await board.changeSettings(["price: 250": "price: 100"])
            try await board.check("systemctl reload turnstiled")
            try await board.event("policy_deferred", since: mark)
            try await board.turnRotor(.entry, 1..<4)
            try await board.payFare(coins: 2)
            let energised = try await board.energised()
            #expect(energised == [.lockEntry])
            let coin = "coin_accepted coin_pulse value=50 pulses=1"
            let telling = try await board.telling(since: mark)
            #expect(
                telling == Array(repeating: coin, count: 5) + [
                    "credit_used value=250", "released entry credit value=250",
                    "passage_started entry", "configuration_mistake", "configuration_mistake",
                    "configuration_refused", "configuration_changed", "policy_deferred",
                    "passage_completed entry paid", "policy_changed", coin, coin,
                    "credit_used value=100", "released entry credit value=100",
                ])
            let status = try await board.status()
            #expect(status == "released (entry), coins refused (store full)")
        }
    }
}
