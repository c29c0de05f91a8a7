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
        #expect(Set(end.keys) == ["end", "hash", "last_checkpoint"])
        #expect(end["end"] as? Int64 == records.last?.sequence)
        #expect(end["last_checkpoint"] as? Int64 == pages.last?.checkpoint.number)
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
        #expect(kinds == [nil, nil, "coin_accepted", "coin_accepted", nil])
        let follows = try #require(objects[0]["follows"] as? Int64)
        #expect(objects[2]["sequence"] as? Int64 == follows + 1)
        #expect(
            objects[0]["hash"] as? String == (try books.snapshot().hash(of: follows)?.description))
        let none = try self.objects(lines(since: second + .seconds(1_000)))
        #expect(none.allSatisfy { $0["kind"] == nil } && none.count == 3)
    }

    @Test func `a part has the last checkpoint before it`() throws {
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
}
