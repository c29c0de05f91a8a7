import Foundation
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// What a ledger keeps, over the end of the service and over crashes.
@Suite struct LedgerTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func open() throws -> Ledger { try Ledger(path: folder["ledger.db"], bootID: "boot") }

    /// A coin too many, a passage, a second coin that is not credited yet; all registers that
    /// there are, in use.
    private static let story: [Record] = [
        .started, .coinCounted(Coin(.first, pulses: 6, value: 300)), .coin(300),
        .creditUsed(value: 250), .released(.entry, by: .credit(fare: 250)),
        .passageStarted(.entry), .passageCompleted(.entry, .paid), .vaultReplaced,
        .coinLate(Coin(.second, pulses: 1, value: 500)),
        .coinRejected(Coin(.third, pulses: 2, value: 100)),
        .coinInhibited(Coin(.third, pulses: 2, value: 100)), .coinUnknown(.third, pulses: 7),
        .coinNoise(.second, width: .milliseconds(3)), .creditExpired(value: 100),
        .creditForfeited(value: 50), .alarmRaised(.forcedPassage),
        .faultRaised(.line(.output(.alarm), .mismatch)), .creditUsed(value: 250),
        .passageStarted(.entry), .coinCounted(Coin(.first, pulses: 1, value: 50)),
    ]

    @Test func `a new one holds nothing`() throws {
        let ledger = try open()
        #expect(ledger.holdings == Holdings())
        #expect(ledger.books == Books())
    }

    @Test func `the next service takes over what the last one held and counted`() throws {
        do {
            let ledger = try open()
            ledger.write(Self.story, at: MonotonicTimer.now, confirms: false)
            ledger.close()
        }
        let expected = Contents(Self.story)
        #expect(expected.holdings.counted[.first]?.value == 50)
        #expect(expected.holdings.isFareBegun)
        let ledger = try open()
        #expect(ledger.holdings == expected.holdings)
        #expect(ledger.books == expected.books)
        #expect(!folder.exists("ledger.db-wal") || ledger.books.sinceInit.faresUsed == 250)
    }

    @Test func `what was confirmed is in the files, whatever becomes of the service`() throws {
        let ledger = try open()
        for (number, record) in Self.story.enumerated() {
            try ledger.store([record])
            let copy = "after-\(number)"
            try folder.copy("ledger.db", to: copy)
            let expected = Contents(Array(Self.story[...number]))
            let recovered = try Ledger(path: folder[copy], bootID: "boot")
            #expect(recovered.holdings == expected.holdings)
            #expect(recovered.books == expected.books)
        }
    }

    @Test func `what is again as it was at the start is written as well`() throws {
        do {
            let ledger = try open()
            try ledger.store([.coin(100)])
        }
        do {
            let ledger = try open()
            try ledger.store([.coin(50)])
            try ledger.store([.creditForfeited(value: 50)])
        }
        #expect(try open().holdings.credit == 100)
    }

    @Test func `the records tell what happened when, in which life and boot`() throws {
        let happened = MonotonicTimer.now
        for boot in ["one", "two"] {
            let ledger = try Ledger(path: folder["ledger.db"], bootID: boot)
            ledger.write([.started, .coin(100)], at: happened, confirms: false)
            ledger.close()
        }
        let sql = "SELECT sequence, boot_id, life, monotonic_ns, kind, details FROM records"
        let time = Value.number(happened.nanoseconds)
        let coin = Value.text(
            """
            TURNSTILE_VALUE=100
            TURNSTILE_PULSES=2
            TURNSTILE_ACCEPTOR=1
            TURNSTILE_LINE=coin_pulse
            """)
        #expect(
            try rows(sql, of: folder["ledger.db"], columns: 6) == [
                [.number(1), .text("one"), .number(1), time, .text("started"), .text("")],
                [.number(2), .text("one"), .number(1), time, .text("coin_accepted"), coin],
                [.number(3), .text("two"), .number(2), time, .text("started"), .text("")],
                [.number(4), .text("two"), .number(2), time, .text("coin_accepted"), coin],
            ])
        let seconds = try rows(
            "SELECT wall_ns / 1000000000 FROM records LIMIT 1", of: folder["ledger.db"], columns: 1)
        let wall = try #require(seconds.first?.first??.number)
        #expect(abs(wall - Int64(Date().timeIntervalSince1970)) < 3_600)
    }

    @Test func `the oldest records go, and the registers stay`() throws {
        let file = try LedgerFile(path: folder["ledger.db"], bootID: "boot", recordsKept: 10)
        var contents = Contents()
        for number in 1...25 {
            let entry = Entry(record: .coin(50 * number), time: .zero)
            contents.count(entry.record)
            try file.write([entry], missing: 0, contents: contents, wallOffset: .zero)
        }
        #expect(
            try rows("SELECT sequence FROM records", of: folder["ledger.db"], columns: 1)
                == (16...25).map { [.number($0)] })
        let reopened = try LedgerFile(path: folder["ledger.db"], bootID: "boot")
        #expect(reopened.contents == contents)
        #expect(contents.books.sinceInit.accepted.total == 25)
    }

    @Test(arguments: [1, 7, 40])
    func `killed in the middle of writing, it has all that was confirmed`(
        coins: Int
    ) async throws {
        let path = folder["ledger.db"]
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, coins] in
            let ledger = try Ledger(path: path, bootID: "boot")
            for _ in 0..<coins { try ledger.store([.coin(50)]) }
            for _ in 0..<coins {
                ledger.write([.coin(50)], at: .zero, confirms: true)
                ledger.write([.creditUsed(value: 50)], at: .zero, confirms: false)
            }
            kill(getpid(), SIGKILL)
        }
        let ledger = try open()
        let registers = ledger.books.sinceInit
        #expect(registers.valueIn >= Int64(50 * coins))
        #expect(Int64(ledger.holdings.credit) == registers.creditHeld)
        #expect(Int64(ledger.holdings.fareInUse) == registers.fareInUse)
        let recorded = try rows(
            "SELECT count(*) FROM records WHERE kind = 'coin_accepted'", of: path, columns: 1)
        #expect(recorded == [[.number(registers.valueIn / 50)]])
    }
}
