import Foundation
import Testing
import Turnstile

@testable import Ledger

/// What is verified of one checkpoint is verified of each, whatever it was made for.
@Suite struct OccasionTests {
    let folder: Folder
    let forger: Forger
    private let other = SigningKey(name: "turnstiled", [UInt8](repeating: 8, count: 32))

    /// A ledger with a checkpoint of each occasion: see ``numbers``.
    init() throws {
        folder = try Folder()
        forger = Forger(folder: folder)
        try folder.makeSigned()
        do {
            let file = try folder.opening().open().file
            try file.write(
                [.collectionCounted(value: 240)],
                closing: .counted(0, Checkpoint.Count(expected: 0, counted: 240)))
            var contents = file.state.contents
            contents.count(.coin(50))
            try file.write(
                [], missing: 1, contents: contents, wallOffset: .zero, closing: .gap)
            try file.remember()
        }
        try folder.write(Data(other.text.utf8), to: "ledger.db.key")
        _ = try folder.opening().open()
    }

    /// The number of the checkpoint of each occasion.
    private static let numbers: [String: Int64] = [
        "begin": 1, "interval": 2, "collection 1": 3, "day 2026-11-22": 4, "stop": 5,
        "count of collection 1": 6, "gap": 7, "key": 8,
    ]

    @Test func `there is one of each, and all are as they should be`() throws {
        let found = try forger.checkpoints.map { ($0.checkpoint.occasion.text, $0.row) }
        #expect(Dictionary(uniqueKeysWithValues: found) == Self.numbers)
        #expect(try folder.verify().flaw == nil)
    }

    /// What is wrong with a ledger in one of whose checkpoints a number has become greater.
    private func flaw(of number: Int64, greater word: String, in column: String) throws -> String? {
        try forger.execute(
            """
            UPDATE checkpoints SET \(column) = replace(\(column), '\(word) ', '\(word) 1')
            WHERE number = \(number)
            """)
        return try folder.verify().flaw
    }

    @Test(arguments: numbers.values) func `one that was altered is not signed`(
        number: Int64
    ) throws {
        #expect(
            try flaw(of: number, greater: "passages", in: "note")
                == "the checkpoint \(number) is not signed with the ledger's key")
    }

    @Test(arguments: numbers.values) func `registers that were altered are not those of it`(
        number: Int64
    ) throws {
        #expect(
            try flaw(of: number, greater: "starts", in: "registers")
                == "the registers of the checkpoint \(number) differ from those that were signed")
    }

    // With the first there is no record yet.
    @Test(arguments: numbers.values.filter { $0 > 1 })
    func `records before it that were made anew are not those of it`(number: Int64) throws {
        let end = try #require(try forger.checkpoints.first { $0.row == number }).rowSequence
        try forger.execute(
            "UPDATE records SET monotonic_ns = monotonic_ns + 1 WHERE sequence = \(end)")
        try forger.rechain()
        #expect(
            try folder.verify().flaw
                == "the checkpoint \(number) is of other records than those before it")
    }

    // What the gate's own key has signed has to be possible as well.

    /// Has the gate's key sign something else.
    private func sign(_ number: Int64, _ change: (inout Checkpoint) -> Void) throws {
        var checkpoint = try #require(try forger.checkpoints.first { $0.row == number }).checkpoint
        change(&checkpoint)
        let note = SignedNote(checkpoint.text, by: Folder.key).description
        try forger.execute("UPDATE checkpoints SET note = '\(note)' WHERE number = \(number)")
    }

    @Test func `a count expects what the collection did`() throws {
        try sign(6) {
            $0.occasion = .counted(1, Checkpoint.Count(expected: 240, counted: 240))
        }
        #expect(
            try folder.verify().flaw == "the checkpoint 6 is not about the collection before it")
    }

    @Test func `no collection is left out`() throws {
        try folder.write(Data(Folder.key.text.utf8), to: "ledger.db.key")
        try folder.remove("ledger.db.known")
        do {
            let file = try folder.opening().open().file
            try file.write([.coinsCollected], closing: .collection(0, expected: 200))
        }
        // The key is the gate's once more, and signs that first.
        try sign(10) {
            #expect($0.occasion == .collection(2, expected: 200))
            $0.occasion = .collection(3, expected: 200)
        }
        #expect(
            try folder.verify().flaw == "the collection 2 is gone before the checkpoint 10")
    }

    @Test func `a slip is the checkpoint of its number in all that it says`() throws {
        var checkpoint = try #require(try forger.checkpoints.first { $0.row == 4 }).checkpoint
        checkpoint.valueIn += 50
        let slip = SignedCheckpoint(
            checkpoint: checkpoint, note: SignedNote(checkpoint.text, by: Folder.key))
        #expect(
            try folder.verify(slips: [slip]).flaw
                == "the slip 4 (day 2026-11-22) is not the checkpoint that the ledger has of that "
                + "number")
    }

    @Test func `each record is read as its own version has it`() throws {
        // The second of them is of a version that nobody knows.
        let folder = try Folder()
        let file = try folder.opening().open().file
        try file.write([.started, .started], closing: .stop)
        try folder.execute("UPDATE records SET vocabulary = 99 WHERE sequence = 3")
        var told: [Bool] = []
        try LedgerReader(path: folder["ledger.db"]).forEach { record in
            if case .record = record.content { told.append(true) }
            if case .unreadable = record.content { told.append(false) }
        }
        #expect(told == [true, false])
        let forger = Forger(folder: folder)
        try forger.rechain()
        try forger.sign(with: Folder.key)
        #expect(
            try folder.verify().flaw?.hasPrefix("the record 3 (started) cannot be read") == true)
    }

    // What is held for people.

    @Test func `a fare that was in use as the coins were collected is one in use`() throws {
        let folder = try Folder()
        let file = try folder.opening().open().file
        try file.write(
            [.started, .coin(250), .coin(50), .creditUsed(value: 250), .coinsCollected],
            closing: .collection(0, expected: 300))
        try file.write([.coin(100)])
        #expect(try folder.verify().flaw == nil)
        let signed = try #require(try Forger(folder: folder).checkpoints.last).checkpoint
        #expect(signed.held == 300)
    }

    @Test func `whether the passage of a fare was begun is what the records tell`() throws {
        let folder = try Folder()
        try folder.make([.started, .coin(250), .creditUsed(value: 250)])
        #expect(try folder.verify().flaw == nil)
        try folder.execute("UPDATE state SET value = 1 WHERE name = 'fare_begun'")
        try Forger(folder: folder).reseal()
        #expect(
            try folder.verify().flaw
                == "it contradicts its records about whether the passage of a fare was begun")
    }

    @Test(arguments: [true, false])
    func `whether a collection was counted is what the records tell`(isCounted: Bool) throws {
        let folder = try Folder()
        do {
            let file = try folder.opening().open().file
            try file.write(
                [.started, .coin(250), .coinsCollected], closing: .collection(0, expected: 250))
            if isCounted {
                try file.write(
                    [.collectionCounted(value: 250)],
                    closing: .counted(0, Checkpoint.Count(expected: 250, counted: 250)))
            }
        }
        #expect(try folder.verify().flaw == nil)
        let other = isCounted ? 1 : 0
        try folder.execute("UPDATE state SET value = \(other) WHERE name = 'count_awaited'")
        try Forger(folder: folder).reseal()
        #expect(
            try folder.verify().flaw
                == "it contradicts its records about whether the last collection was counted")
    }
}
