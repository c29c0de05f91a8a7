import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// A day, and a time between two collections, end with a checkpoint of their own.
@Suite struct TransactionTests {
    /// Two moments of the same day wherever this runs, and one of each of the next days.
    private static func time(_ second: Int, day: Int = 0) -> Instant {
        .zero + .seconds(1_795_348_830 + second + day * 86_400)
    }

    private static func day(_ day: Int) -> Int64 {
        Calendar.day(of: time(0, day: day) - .zero)
    }

    private func transaction(
        _ entries: [(Record, Instant)], day: Int64 = TransactionTests.day(0),
        now: Instant = TransactionTests.time(0), contents: Contents = Contents(),
        asked: Checkpoint.Occasion? = nil
    ) -> Transaction {
        Transaction(
            of: entries.map { Entry(record: $0.0, time: $0.1) }, day: day, at: now - .zero,
            wallOffset: .zero, after: contents, asked: asked)
    }

    private func same(
        _ transaction: Transaction, _ count: Int, _ day: Int64, _ occasion: Checkpoint.Occasion?
    ) -> Bool {
        transaction.count == count && transaction.day == day && transaction.occasion == occasion
    }

    @Test func `what waits is written at once, and signed where that was asked`() {
        let entries: [(Record, Instant)] = [(.started, Self.time(1)), (.coin(50), Self.time(2))]
        #expect(same(transaction(entries), 2, Self.day(0), nil))
        #expect(same(transaction(entries, asked: .interval), 2, Self.day(0), .interval))
        #expect(same(transaction([], asked: .stop), 0, Self.day(0), .stop))
        #expect(same(transaction([]), 0, Self.day(0), nil))
    }

    @Test func `the first day begins without a checkpoint`() {
        #expect(same(transaction([], day: 0), 0, Self.day(0), nil))
        let entries: [(Record, Instant)] = [(.started, Self.time(1, day: 1))]
        #expect(same(transaction(entries, day: 0, asked: .stop), 1, Self.day(1), .stop))
    }

    @Test func `a day ends between two records, and what was asked waits for that`() {
        let entries: [(Record, Instant)] = [
            (.started, Self.time(1)), (.coin(50), Self.time(2)), (.coin(50), Self.time(0, day: 1)),
        ]
        let (today, tomorrow) = (Self.day(0), Self.day(1))
        #expect(same(transaction(entries, asked: .interval), 2, today, nil))
        let rest = Array(entries[2...])
        #expect(same(transaction(rest, asked: .interval), 0, tomorrow, .day(Int(today))))
        #expect(same(transaction(rest, day: tomorrow, asked: .interval), 1, tomorrow, .interval))
    }

    @Test func `a day ends at midnight, though nothing happens`() {
        let now = Self.time(0, day: 1)
        #expect(
            same(
                transaction([], now: now, asked: .interval), 0, Self.day(1),
                .day(Int(Self.day(0)))))
        #expect(
            same(
                transaction([], day: Self.day(1), now: now, asked: .interval), 0, Self.day(1),
                .interval
            ))
    }

    @Test func `a clock that is set back ends the day as well`() {
        let entries: [(Record, Instant)] = [(.coin(50), Self.time(1))]
        let tomorrow = Self.day(1)
        #expect(same(transaction(entries, day: tomorrow), 0, Self.day(0), .day(Int(tomorrow))))
        #expect(same(transaction(entries), 1, Self.day(0), nil))
    }

    @Test(arguments: [Record.coinsCollected, .vaultReplaced])
    func `a collection ends with what should be in the vault`(collection: Record) {
        let entries: [(Record, Instant)] = [
            (.coin(50), Self.time(1)),
            (.coinLate(Coin(.second, pulses: 1, value: 500)), Self.time(2)),
            (.coinRejected(Coin(.third, pulses: 2, value: 100)), Self.time(3)),
            (collection, Self.time(4)), (.coin(100), Self.time(5)), (collection, Self.time(6)),
        ]
        var contents = Contents([.coin(1_000), .coinsCollected, .coin(250)])
        #expect(
            same(
                transaction(entries, contents: contents, asked: .stop), 4, Self.day(0),
                .collection(0, expected: 800)))
        for (record, _) in entries[..<4] { contents.count(record) }
        #expect(
            same(
                transaction(Array(entries[4...]), contents: contents), 2, Self.day(0),
                .collection(0, expected: 100)))
    }

    @Test func `what was counted ends with a checkpoint of its own`() {
        let entries: [(Record, Instant)] = [
            (.collectionCounted(value: 240), Self.time(1)), (.coin(50), Self.time(2)),
        ]
        let count = Checkpoint.Count(expected: 0, counted: 240)
        #expect(same(transaction(entries, asked: .interval), 1, Self.day(0), .counted(0, count)))
    }

    @Test func `the numbers of a checkpoint go up, and a count is of the last collection`() {
        var books = Books()
        let occasions: [Checkpoint.Occasion] = [
            .begun, .interval, .collection(0, expected: 250), .stop, .day(20_261_122), .gap,
            .key(after: Folder.key.verificationKey), .collection(0, expected: 100),
            .counted(0, Checkpoint.Count(expected: 0, counted: 90)),
        ]
        for occasion in occasions { books.count(occasion) }
        #expect(books[.checkpoint] == 9 && books[.keptCheckpoints] == 7)
        #expect(books[.collection] == 2 && books[.expected] == 100)
        #expect(
            occasions[8].numbered(books)
                == .counted(2, Checkpoint.Count(expected: 100, counted: 90)))
        #expect(occasions[7].numbered(books) == .collection(2, expected: 100))
    }
}
