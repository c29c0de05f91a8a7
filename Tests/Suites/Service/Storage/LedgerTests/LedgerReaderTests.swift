import Glibc
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
                "ledger_begun", "'what?' is not one", "version '99' is not", "'sneeze' is not one",
                "started",
            ])
    }

    @Test func `a row that somebody wrote by hand ends no reading`() throws {
        try folder.make(Array(repeating: .coin(50), count: 9) + [.started])
        let rows = [
            "vocabulary = -1", "vocabulary = 0", "vocabulary = 4",
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

    @Test func `records are read whatever is said of the money, and a whole ledger is not`() throws
    {
        try folder.make([.started, .coin(50)])
        try folder.execute("UPDATE state SET value = 7 WHERE name = 'credit'")
        #expect(try read().map(\.name) == ["ledger_begun", "started", "coin_accepted"])
        let error = try #require(throws: LedgerError.self) {
            try LedgerReader(path: folder["ledger.db"]).open()
        }
        #expect(error.problem.hasPrefix("it is damaged: credit held for people: 7"))
    }

    // Where others read it.

    @Test func `it is as it was when it was opened, whatever is written meanwhile`() throws {
        let file = try folder.opening().open().file
        try file.write([.started, .coin(50)], closing: .interval)
        let snapshot = try LedgerReader(path: folder["ledger.db"]).open()
        try file.write([.coin(100), .coinsCollected], closing: .collection(0, expected: 150))
        #expect(snapshot.sequences == 1...3)
        #expect(snapshot.balances.credit == 50 && snapshot.registers.sinceInit.valueIn == 50)
        var names: [String] = []
        try snapshot.forEach { names.append($0.name) }
        #expect(names == ["ledger_begun", "started", "coin_accepted"])
        #expect(try snapshot.checkpoints().map(\.checkpoint.occasion) == [.begun, .interval])
        let later = try LedgerReader(path: folder["ledger.db"]).open()
        #expect(later.sequences == 1...5 && later.collection == 1)
        names = []
        try later.forEach(in: 2...4) { names.append($0.name) }
        #expect(names == ["started", "coin_accepted", "coin_accepted"])
        #expect(
            try later.checkpoints(keptForGood: true).map(\.checkpoint.occasion)
                == [.begun, .collection(1, expected: 150)])
    }

    @Test func `whoever takes their time to read it holds up no service that starts`() throws {
        do {
            let file = try folder.opening().open().file
            try file.write([Record](repeating: .started, count: 600), closing: .interval)
            // As after a loss of power: with a log that the next service puts in its place.
            try folder.copy("ledger.db", to: "left.db")
        }
        let reader = LedgerReader(path: folder["left.db"])
        let snapshot = try reader.open()
        // One of another make reads it in one go, and is not waited for either.
        let other = try Database(path: folder["left.db"], .read)
        try other.execute("BEGIN; SELECT count(*) FROM records")
        var (count, wasOpened) = (0, false)
        try snapshot.forEach { _ throws(LedgerError) in
            count += 1
            if wasOpened { return }
            try folder.opening("left.db").open().file.remember()
            wasOpened = true
        }
        #expect(count == 601 && wasOpened)
        #expect(try other.number("SELECT count(*) FROM records") == 601)
        #expect(try LedgerVerification().verify(reader).flaw == nil)
    }

    @Test func `records that go while they are read are missed`() throws {
        var opening = folder.opening()
        opening.limits.count = 10
        let file = try opening.open().file
        try file.write([Record](repeating: .started, count: 1_000))
        var told: [Int64] = []
        let error = try #require(throws: LedgerError.self) {
            try LedgerReader(path: folder["ledger.db"]).open().forEach {
                record throws(LedgerError) in
                told.append(record.sequence)
                guard told.count == 1 else { return }
                let entries = [Entry](repeating: Entry(record: .started, time: .zero), count: 400)
                for entries in [[], entries, entries] {
                    try file.write(
                        entries, missing: 0, contents: file.state.contents, wallOffset: .zero,
                        closing: .interval)
                }
            }
        }
        #expect(error.problem == "records from 513 on were deleted during the read")
        #expect(told == Array(1...512))
    }

    /// Has somebody else verify the ledger, who may read it and write nothing.
    private func verifyAsOther(_ name: String = "ledger.db") async {
        await #expect(processExitsWith: .success) { [path = folder[name] as String] in
            try #require(setuid(65_534) == 0)
            let verdict = try LedgerVerification().verify(LedgerReader(path: path))
            #expect(verdict.flaw == nil && verdict.records == 1...10)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"), arguments: [false, true])
    func `others verify it who may write neither it nor its folder`(isLive: Bool) async throws {
        try folder.makeSigned()
        try #require(unsafe chmod(folder[""], 0o755) == 0)
        let names = try folder.names
        await verifyAsOther()
        #expect(try folder.names == names)
        guard isLive else { return }
        let ledger = try Ledger(folder.opening())
        try ledger.opened()
        await verifyAsOther()
        try ledger.store([.started])
        await #expect(processExitsWith: .success) { [path = folder["ledger.db"] as String] in
            try #require(setuid(65_534) == 0)
            #expect(try LedgerReader(path: path).open().sequences == 1...11)
        }
        #expect(ledger.close())
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"), arguments: [0o750, 0o755] as [mode_t])
    func `whoever may not read it is told of the group`(folderMode: mode_t) async throws {
        try folder.makeSigned()
        for name in ["", "ledger.db"] { try #require(unsafe chown(folder[name], 2, 1) == 0) }
        try #require(unsafe chmod(folder["ledger.db"], 0o640) == 0)
        try #require(unsafe chmod(folder[""], folderMode) == 0)
        await #expect(processExitsWith: .success) { [path = folder["ledger.db"] as String] in
            try #require(setuid(65_534) == 0)
            let error = #expect(throws: LedgerError.self) { try LedgerReader(path: path).open() }
            #expect(
                error?.problem == """
                    this runs as nobody, who may not read it: run this as root, or after: \
                    sudo usermod -aG daemon nobody
                    """)
            #expect(error?.remedy == .person)
        }
    }

    @Test(
        .enabled(if: geteuid() == 0, "needs root"),
        arguments: ["a b?c.db", "100%.db", "%20.db", "ä ö#ü.db", "a&b=c;d.db", "'quoted'\".db"])
    func `a copy may have any name`(name: String) async throws {
        try folder.makeSigned()
        try folder.copy("ledger.db", to: name)
        #expect(try folder.verify(name).flaw == nil)
        try #require(unsafe chmod(folder[""], 0o555) == 0)
        await verifyAsOther(name)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `a copy with a log that cannot be read without its folder says what to do`() async throws {
        do {
            let file = try folder.opening().open().file
            try file.write([.started], closing: .stop)
            try folder.copy("ledger.db", to: "copy.db")
        }
        try folder.remove("copy.db-shm")
        try #require(unsafe chmod(folder[""], 0o555) == 0)
        await #expect(processExitsWith: .success) { [path = folder["copy.db"] as String] in
            try #require(setuid(65_534) == 0)
            let error = try #require(throws: LedgerError.self) {
                try LedgerReader(path: path).open()
            }
            #expect(
                error.problem
                    == "it has a log beside it, \(path)-wal, which can be read only where its "
                    + "folder may be written: copy both to another folder")
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
