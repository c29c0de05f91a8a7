import Testing
import VirtualBoard

/// What the owner of a gate writes into its settings.
@Suite(.enabled(if: !Debian.selected.isEmpty))
struct SettingsStories {
    @Test("a wrong fare stops the start with status 78 and the reason", arguments: Debian.selected)
    func wrongFare(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.changeSettings("price: 250", to: "price: -250")
            let mark = try await board.journalMark()
            let start = try await board.run("systemctl restart turnstiled")
            #expect(start.status != 0)
            let state = try await board.property("ActiveState")
            let status = try await board.property("ExecMainStatus")
            #expect(state == "failed" && status == "78")
            let reasons = try await board.journal(after: mark, "--unit=turnstiled").map(\.message)
            #expect(
                reasons.contains { $0.contains("turnstiled.yaml:7:10: ") && $0.contains("price") })
            let outputs = try await board.outputs()
            #expect(outputs == .safe)
        }
    }

    @Test("a reload brings a new fare into force", arguments: Debian.selected)
    func reload(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.changeSettings("price: 250", to: "price: 100")
            let mark = try await board.journalMark()
            try await board.check("systemctl reload turnstiled")
            _ = try await board.entry(after: mark, "TURNSTILE_EVENT=policy_changed")
            try await board.insertCoins(2)
            let outputs = try await board.outputs()
            #expect(outputs == .released)
        }
    }

    @Test("a wrong fare is refused on reload, and the old one stays", arguments: Debian.selected)
    func refusedReload(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.changeSettings("price: 250", to: "price: much")
            let mark = try await board.journalMark()
            try await board.check("systemctl reload turnstiled")
            let refusal = try await board.entry(
                after: mark, "TURNSTILE_EVENT=configuration_refused")
            #expect(refusal.message.contains("turnstiled.yaml:7:10: "))
            try await board.insertCoins(5)
            try await board.wait(for: .lockEntry, .high)
            let state = try await board.property("ActiveState")
            #expect(state == "active")
        }
    }
}
