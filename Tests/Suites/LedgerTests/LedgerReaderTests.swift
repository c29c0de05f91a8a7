import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// What is in a ledger is read as the values that were written.
@Suite struct LedgerReaderTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func read() throws -> [LedgerRecord] {
        var records: [LedgerRecord] = []
        try LedgerReader(path: folder["ledger.db"]).forEach { records.append($0) }
        return records
    }

    @Test func `every form of a record is read as it was written, also while it is open`() throws {
        let happened = Instant(nanoseconds: 5_000_000_123)
        let file = try folder.opening(bootID: "b").open().file
        var contents = file.contents
        let entries = Record.forms.map { Entry(record: $0, time: happened) }
        for entry in entries { contents.count(entry.record) }
        try file.write(entries, missing: 3, contents: contents, wallOffset: .seconds(7))
        let records = try read()
        #expect(
            records.map(\.content) == [.note(.begun), .note(.recordsMissing)]
                + Record.forms.map { .record($0) })
        let last = try #require(records.last)
        #expect(last.sequence == Int64(records.count) && last.bootID == "b" && last.life == 1)
        #expect(last.time == happened && last.wallTime == .nanoseconds(12_000_000_123))
        #expect(last.version == Vocabulary.version && last.name == Record.forms.last?.name)
    }

    @Test func `what cannot be read is told, and the rest follows`() throws {
        try folder.make([.coin(50), .coin(100), .coin(150), .started])
        try folder.execute("UPDATE records SET details = 'what?' WHERE sequence = 2")
        try folder.execute("UPDATE records SET vocabulary = 99 WHERE sequence = 3")
        try folder.execute("UPDATE records SET kind = 'sneeze' WHERE sequence = 4")
        let problems = try read().map { record -> String in
            switch record.content {
            case .record(let record): record.name
            case .note(let note): note.rawValue
            case .unreadable(let error): "\(error)".components(at: 4)
            }
        }
        #expect(
            problems == [
                "ledger_begun", "'what?' is none of", "version '99' is not", "'sneeze' is none of",
                "started",
            ])
    }

    @Test func `a row that somebody wrote by hand ends no reading`() throws {
        try folder.make(Array(repeating: .coin(50), count: 9) + [.started])
        let rows = [
            "vocabulary = -1", "vocabulary = 0", "vocabulary = 3",
            "vocabulary = 9223372036854775807", "kind = ''", "details = ''",
            "details = substr(details, 1, length(details) - 3)",
            "details = details || char(10) || details", "details = CAST(x'80ff3d0a' AS TEXT)",
        ]
        for (index, change) in rows.enumerated() {
            try folder.execute("UPDATE records SET \(change) WHERE sequence = \(index + 2)")
        }
        let contents = try read().map(\.content)
        #expect(contents.count == 11 && contents.last == .record(.started))
        for content in contents[1...9] {
            guard case .unreadable(let error) = content else {
                Issue.record("\(content)")
                continue
            }
            #expect(!error.description.isEmpty)
        }
    }

    @Test func `who asked is read as they were called`() throws {
        for name in ["\u{301}anna", "=x=y", "Ännchen"] {
            let person = Requester.person(try #require(Operator(number: .max, name: name)))
            try folder.make([.done(.grant, by: person), .policyChanged(by: person)])
            #expect(
                try read().suffix(2).map(\.content) == [
                    .record(.done(.grant, by: person)), .record(.policyChanged(by: person)),
                ])
        }
    }

    @Test func `what is no ledger is refused`() throws {
        try folder.execute("CREATE TABLE t (x)", on: "ledger.db")
        #expect(throws: LedgerError.self) { try read() }
    }
}

extension String {
    /// The first words.
    fileprivate func components(at count: Int) -> String {
        split(separator: " ").prefix(count).joined(separator: " ")
    }
}
