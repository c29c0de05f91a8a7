import Foundation

/// One entry of the journal.
public struct JournalEntry: Decodable, Sendable {
    /// Its fields by name. One that is not text is left out; of several with one name the last
    /// counts.
    public var fields: [String: String]

    /// The field of this name, or nil.
    public subscript(field: String) -> String? { fields[field] }

    /// When it was written, on the board's monotonic clock.
    public var time: Duration {
        .microseconds(self["__MONOTONIC_TIMESTAMP"].flatMap { Int($0) } ?? 0)
    }
    /// What a person reads.
    public var message: String { self["MESSAGE"] ?? "" }
    /// How urgent it is: 0 is an emergency, 7 for debugging.
    public var priority: Int? { self["PRIORITY"].flatMap { Int($0) } }
    /// The kind of record: `TURNSTILE_EVENT`.
    public var event: String? { self["TURNSTILE_EVENT"] }
    /// The gate's state after it: `TURNSTILE_STATE`.
    public var state: String? { self["TURNSTILE_STATE"] }
    /// What was done: `TURNSTILE_COMMAND`.
    public var command: String? { self["TURNSTILE_COMMAND"] }
    /// The credit after it, in minor units of the currency: `TURNSTILE_CREDIT`.
    public var credit: Int? { self["TURNSTILE_CREDIT"].flatMap { Int($0) } }
    /// The fault: `TURNSTILE_FAULT`.
    public var fault: String? { self["TURNSTILE_FAULT"] }

    /// Reads what `journalctl --output=json` writes.
    public init(from decoder: any Decoder) throws {
        fields = try decoder.singleValueContainer().decode([String: Value].self)
            .compactMapValues(\.text)
    }

    /// The value of a field: text, null for a long one, or an array.
    private struct Value: Decodable {
        var text: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self.text = text
            } else if let texts = try? container.decode([String].self) {
                self.text = texts.last
            }
        }
    }
}

extension Board {
    /// A place in the journal: what is written from now on comes after it.
    public struct JournalMark: Sendable {
        var time: String
    }

    /// The end of the journal as it is now.
    public nonisolated(nonsending) func journalMark() async throws -> JournalMark {
        // A time and no cursor: together with a match, systemd 252 skips the first entry after it.
        let time = try await check("date +@%s.%N")
        return JournalMark(time: time.trimmingCharacters(in: .newlines))
    }

    /// The journal's entries that match, oldest first; `matches` are journalctl's, such as
    /// `TURNSTILE_EVENT=coin_accepted` or `--unit=turnstiled`.
    public nonisolated(nonsending) func journal(
        after mark: JournalMark? = nil, _ matches: String...
    ) async throws -> [JournalEntry] {
        let start = mark.map { "--since=\($0.time)" } ?? "--boot"
        return try entries(
            in: try await check(
                """
                journalctl --sync
                journalctl --quiet --no-pager --output=json \(start) \
                \(matches.map { "'\($0)'" }.joined(separator: " "))
                """))
    }

    /// Waits for the first entry after `mark` that matches.
    public nonisolated(nonsending) func entry(
        after mark: JournalMark, within limit: Duration = .seconds(20), _ matches: String...
    ) async throws -> JournalEntry {
        try await entry(after: mark, within: limit, matches)
    }

    /// The same, for matches in a list.
    public nonisolated(nonsending) func entry(
        after mark: JournalMark, within limit: Duration = .seconds(20), _ matches: [String]
    ) async throws -> JournalEntry {
        let outcome = try await run(
            """
            head -n1 < <(exec journalctl --quiet --follow --no-tail --output=json \
            --since=\(mark.time) \
            \(matches.map { "'\($0)'" }.joined(separator: " ")))
            """, within: limit)
        guard let entry = try entries(in: outcome.output).first else {
            throw BoardError("no entry \(matches) within \(limit)")
        }
        return entry
    }

    private func entries(in text: String) throws -> [JournalEntry] {
        try text.split(separator: "\n").filter { $0.hasPrefix("{") }
            .map { try JSONDecoder().decode(JournalEntry.self, from: Data($0.utf8)) }
    }
}
