import VirtualBoard

// What the journal tells.
extension Board {
    /// What the service has written since `mark`, an entry a line: see ``JournalEntry/telling``.
    /// The bus comes and goes when it likes, and a day may end at any time: both are left out.
    nonisolated(nonsending) func telling(since mark: JournalMark) async throws -> [String] {
        try await journal(after: mark, "_SYSTEMD_UNIT=turnstiled.service")
            .compactMap(\.telling).filter { !$0.hasPrefix("bus_") && $0 != "checkpoint" }
    }

    /// Waits for the service's first entry of this event since `mark`, with these fields besides.
    /// As in the documents, what anybody else writes does not count.
    @discardableResult
    nonisolated(nonsending) func event(
        _ name: String, since mark: JournalMark, _ fields: String...
    ) async throws -> JournalEntry {
        try await entry(
            after: mark, within: .seconds(40),
            ["_SYSTEMD_UNIT=turnstiled.service", "TURNSTILE_EVENT=\(name)"]
                + fields.map { "TURNSTILE_\($0)" })
    }
}

extension JournalEntry {
    /// The event and its details, as in `released entry contact` or `coin_accepted coin_pulse
    /// value=50 pulses=1`; nil for an entry that is not the service's own.
    var telling: String? {
        guard let event else { return nil }
        let details = [
            "CODE", "REFUSAL", "LINE", "DIRECTION", "MODE", "ENFORCEMENT", "AUTHORISATION", "KIND",
            "ASSUMPTION", "OCCASION",
        ].compactMap { self["TURNSTILE_\($0)"] }
        let numbers = ["VALUE", "PULSES", "COUNT"].compactMap { name in
            self["TURNSTILE_\(name)"].map { "\(name.lowercased())=\($0)" }
        }
        return ([event] + details + numbers).joined(separator: " ")
    }
}

extension [Duration] {
    /// Whether there are so many, each as long as `length`: hardly shorter, and longer by no more
    /// than the board is late when the host is busy.
    func are(_ number: Int, of length: Duration) -> Bool {
        let about = length - .milliseconds(5)...length + .milliseconds(50)
        return count == number && allSatisfy(about.contains)
    }
}
