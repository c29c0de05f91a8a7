import Checkout
import Foundation
import StateMachines
import Testing
import Turnstile

@testable import Audit
@testable import Ledger

/// An export in JSON Lines has all that there is, and can be verified without the ledger.
@Suite struct JSONLinesExportTests {
    let books: Books

    init() throws { books = try Books() }

    private func fill() throws {
        try books.write([.started] + Record.paidPassage(with: 100, 50), .interval)
        try books.write([.vaultReplaced], .collection(0, expected: 150))
        // No coin has no pulses, as those have that stand for a form.
        let forms = Record.forms.filter { Contents([$0]).registers.check().isEmpty }
        #expect(forms.count > 80)
        try books.write(forms, .day(20_500_101))
        try books.write([.coin(200)])
    }

    private func lines(since: Duration? = nil, until: Duration? = nil) throws -> [String] {
        var lines: [String] = []
        let export = JSONLinesExport(try books.snapshot(), since: since, until: until)
        try export.write { lines.append($0) }
        return lines
    }

    private func objects(_ lines: [String]) throws -> [[String: Any]] {
        try lines.map {
            try #require(
                JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
    }

    @Test func `every record and checkpoint is there, in its place`() throws {
        try fill()
        let lines = try lines()
        #expect(lines.allSatisfy { $0.hasSuffix("}\n") && $0.filter { $0 == "\n" }.count == 1 })
        let objects = try objects(lines)
        let snapshot = try books.snapshot()
        #expect(objects[0]["format"] as? String == "turnstiled-ledger-1")
        #expect(objects[0]["ledger"] as? String == snapshot.number)
        #expect(objects[0]["key"] as? String == snapshot.key?.description)
        var records: [LedgerRecord] = []
        try snapshot.forEach { records.append($0) }
        let told = objects.filter { $0["kind"] != nil }
        #expect(told.map { $0["sequence"] as? Int64 } == records.map(\.sequence))
        #expect(told.map { $0["kind"] as? String } == records.map(\.name))
        #expect(told.allSatisfy { $0["fields"] != nil })
        let coin = try #require(told.first { $0["kind"] as? String == "coin_accepted" })
        #expect((coin["fields"] as? [String: Any])?["value"] as? Int == 100)
        let pages = try snapshot.checkpoints()
        let places = objects.indices.filter { objects[$0]["note"] != nil }
        let notes = pages.map { $0.signed.note.description }
        #expect(places.map { objects[$0]["note"] as? String } == notes)
        for place in places where place > 1 {
            #expect(objects[place]["sequence"] as? Int == objects[place - 1]["sequence"] as? Int)
        }
        let end = try #require(objects.last)
        #expect(end["last_checkpoint"] as? Int64 == pages.last?.checkpoint.number)
        let registers = try #require(end["registers"] as? [[String: Any]])
        let passages = registers.first { $0["name"] as? String == "passages" }
        let values = snapshot.registers
        #expect(passages?["since_init"] as? Int64 == values.sinceInit.passagesMade)
        #expect(registers.count == values.values.count)
    }

    @Test func `it names the branch, which is another one after a restore`() throws {
        try books.write([.started, .coin(50)], .interval)
        let branch = try #require(objects(lines())[0]["branch"] as? String)
        let known = try books.snapshot().branch
        #expect(branch != "" && branch == known)
        let (copy, place) = (books.path + ".copy", books.path + ".restored")
        _ = try LedgerReader(path: books.path).backUp(to: copy)
        _ = try LedgerKeeper(path: place, gate: "north", bootID: "boot").restore(copy)
        var restored: [String] = []
        let snapshot = try LedgerReader(path: place).open()
        try JSONLinesExport(snapshot).write { restored.append($0) }
        let other = try #require(objects(restored)[0]["branch"] as? String)
        #expect(other != "" && other == snapshot.branch && other != branch)
    }

    @Test func `a part has the records of its time, and goes on from a hash`() throws {
        try books.write([.started, .coin(50), .coin(50), .coin(100)])
        let second = Books.wallOffset + .seconds(1)
        let objects = try objects(lines(since: second, until: second + .seconds(2)))
        let kinds = objects.map { $0["kind"] as? String }
        #expect(kinds == [nil, "coin_accepted", "coin_accepted", nil])
        let follows = try #require(objects[0]["follows"] as? Int64)
        #expect(objects[1]["sequence"] as? Int64 == follows + 1)
        #expect(
            objects[0]["hash"] as? String == (try books.snapshot().hash(of: follows)?.description))
        let none = try self.objects(lines(since: second + .seconds(1_000)))
        #expect(none.allSatisfy { $0["kind"] == nil } && none.count == 2)
    }

    @Test func `a part has the checkpoint that it goes on from`() throws {
        try books.write([.started, .coin(50)], .interval)
        try books.write([.coin(100)])
        let second = Books.wallOffset + .seconds(2)
        let objects = try objects(lines(since: second))
        #expect(objects.map { $0["for"] as? String } == [nil, "interval", nil, nil])
        #expect(objects[1]["sequence"] as? Int64 == objects[0]["follows"] as? Int64)
    }

    @Test func `what cannot be read is told as it stands`() throws {
        try books.write([.coin(50), .coin(100)])
        try books.execute("UPDATE records SET details = 'what? \"' WHERE kind = 'coin_accepted'")
        try books.execute("UPDATE records SET vocabulary = 1 WHERE sequence = 3")
        let told = try objects(lines()).filter { $0["kind"] as? String == "coin_accepted" }
        #expect(told.map { $0["details"] as? String } == ["what? \"", "what? \""])
    }

    // The script that whoever has an export alone can verify it with.

    private static let python = ["/usr/bin", "/usr/local/bin", "/root/.pyenv/shims"]
        .map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    private static let script = Checkout.root.appending(path: "docs/verify-export.py").path

    private func verify(
        _ lines: [String], _ hashes: String...
    ) throws -> (isGood: Bool, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.python))
        process.arguments = [Self.script] + hashes
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = errors
        try process.run()
        // Whoever stops reading early is no reason to end here as well.
        signal(SIGPIPE, SIG_IGN)
        try? input.fileHandleForWriting.write(contentsOf: Data(lines.joined().utf8))
        try input.fileHandleForWriting.close()
        let told = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus == 0, String(decoding: told, as: UTF8.self))
    }

    @Test(.enabled(if: python != nil)) func `a script verifies the whole of it`() throws {
        try fill()
        let slip = try books.snapshot().checkpoints()[2].checkpoint
        let verdict = try verify(lines(), slip.hash.description)
        #expect(verdict.isGood, "\(verdict.errors)")
        #expect(try verify(lines(until: Books.wallOffset + .seconds(9))).isGood)
        #expect(try verify(lines(since: Books.wallOffset + .seconds(9))).isGood)
        let other = try verify(lines(), Digest(of: "another one").description)
        #expect(!other.isGood && other.errors.contains("is not in it"))
        let empty = try verify([])
        #expect(!empty.isGood && empty.errors.contains("nothing to verify"))
    }

    @Test(.enabled(if: python != nil)) func `a script says in words which line is wrong`() throws {
        try fill()
        let lines = try lines()
        let record = try #require(lines.firstIndex { $0.contains("\"kind\"") })
        let checkpoint = try #require(lines.firstIndex { $0.contains("\"note\"") })
        func told(_ place: Int, _ replacement: String?) throws -> String {
            var altered = lines
            altered.replaceSubrange(place...place, with: replacement.map { [$0 + "\n"] } ?? [])
            return try verify(altered).errors
        }
        let (number, last) = (record + 1, lines.count - 1)
        let other = lines[record].replacing("\"life\": ", with: "\"life\": 7")
        let unsigned = lines[checkpoint].replacing("starts ", with: "starts 1", maxReplacements: 1)
        for (place, replacement, words) in [
            (record, other, "line \(number): record 1 (ledger_begun) does not fit record 0: "),
            (record, nil, "record 2 (started) follows record 0: what was between is missing"),
            (record, "{", "line \(number): it cannot be read: it is damaged, or cut short"),
            (record, "7", "line \(number): it is no line of an export: "),
            (record, lines[0], "line \(number): the chain begins once more"),
            (checkpoint, unsigned, "checkpoint 1 has other registers than those that were signed"),
            (0, nil, "line 1: the first line is missing"),
            (last, nil, "the end is missing: the export was cut short"),
        ] as [(Int, String?, String)] {
            let errors = try told(place, replacement)
            #expect(errors.contains(words) && !errors.contains("Traceback"), "\(errors)")
        }
    }

    @Test(.enabled(if: python != nil)) func `a script finds whatever was altered`() throws {
        try fill()
        let lines = try lines()
        for place in lines.indices {
            var altered = lines
            altered.remove(at: place)
            let isRecord = lines[place].contains("\"kind\"")
            // Without its place a checkpoint is missed by nobody but the signed numbers.
            if isRecord || place == 0 || place == lines.count - 1 {
                #expect(try !verify(altered).isGood, "without \(lines[place])")
            }
            guard let digit = lines[place].lastIndex(of: "5"), isRecord else { continue }
            altered = lines
            altered[place].replaceSubrange(digit...digit, with: "6")
            #expect(try !verify(altered).isGood, "\(lines[place])")
        }
        let pages = lines.indices.filter { lines[$0].contains("\"note\"") }
        let last = try #require(pages.last)
        let end = "\\u000aregisters "
        for (words, others) in [("starts ", "starts 1"), (end, end + "A")] {
            var altered = lines
            altered[last].replace(words, with: others, maxReplacements: 1)
            #expect(altered != lines)
            #expect(try !verify(altered).isGood, "\(words)")
        }
    }

    @Test(.enabled(if: python != nil)) func `a ledger that was pruned is verified`() throws {
        var limits = RecordLimits()
        limits.count = 5
        let books = try Books(limits: limits)
        for _ in 0..<20 { try books.write([.coin(50), .coin(100), .started], .day(20_261_122)) }
        var lines: [String] = []
        let snapshot = try books.snapshot()
        try JSONLinesExport(snapshot).write { lines.append($0) }
        #expect(try #require(snapshot.sequences).lowerBound > 10)
        let verdict = try verify(lines)
        #expect(verdict.isGood, "\(verdict.errors)")
        #expect(lines.filter { $0.contains("\"note\"") }.count == 21)
    }
}
