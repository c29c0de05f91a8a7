import Foundation
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// What a ledger keeps, over the end of the service and over crashes.
@Suite struct LedgerTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    /// A ledger that is open.
    private func open() throws -> Ledger {
        let ledger = try Ledger(folder.opening())
        try ledger.opened()
        return ledger
    }

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

    @Test func `a new one holds nothing, and says that it is new`() throws {
        let ledger = try Ledger(folder.opening())
        var answers: [StoreAnswer] = []
        while answers.count < 3 { answers += try ledger.nextAnswers() }
        guard case .branch(let branch) = answers[0],
            case .noted(.begun(let gate, let identity)) = answers[1]
        else {
            Issue.record("not told: \(answers)")
            return
        }
        #expect(gate == "gate" && identity.count == 32 && branch.count == 32)
        #expect(branch != identity && answers[2...] == [.opened(Balances(), Registers())])
        #expect(ledger.close())
        let begun = try folder.rows("SELECT kind, details FROM records", columns: 2)
        #expect(
            begun == [
                [
                    .text("ledger_begun"),
                    .text("TURNSTILE_GATE=gate\nTURNSTILE_LEDGER=\(identity)"),
                ]
            ])
        let head = try #require(try LedgerReader(path: folder["ledger.db"]).open().hash(of: 1))
        #expect(
            String(decoding: try folder.bytes(of: "ledger.db.known"), as: UTF8.self)
                == "\(identity)\n1\n\(Folder.key.verificationKey)\n\(branch)\n\(head)\n")
        // It is new only once.
        #expect(try folder.opening().open().notes == [])
    }

    @Test func `what is known is brought into another ledger, and nothing of that one is left`()
        throws
    {
        try folder.make([.started, .coin(5_000), .alarmRaised(.forcedPassage)])
        let expected = Contents([.started, .coin(50)])
        try folder.opening().open().file.write(
            [], missing: 0, contents: expected, wallOffset: .zero, closing: .gap)
        #expect(try folder.contents() == expected)
    }

    @Test func `the next service takes over what the last one held and counted`() throws {
        do {
            let ledger = try open()
            ledger.write(Self.story, at: MonotonicTimer.now, confirms: false)
            #expect(ledger.close())
        }
        let expected = Contents(Self.story)
        #expect(expected.balances.counted[.first]?.value == 50)
        #expect(expected.balances.isFareBegun)
        #expect(try folder.contents() == expected)
    }

    @Test func `nothing is written before the gate has taken over a coin that was counted`()
        throws
    {
        do {
            let ledger = try open()
            ledger.write(Self.story, at: MonotonicTimer.now, confirms: false)
            #expect(ledger.close())
        }
        let coin = try #require(Contents(Self.story).balances.counted[.first])
        let ledger = try open()
        // One more than can wait, so that the answer tells when the writer is through with them.
        let others = [Record](
            repeating: .coinUnknown(.first, pulses: 9), count: Writer.waitingAtMost + 1)
        ledger.write(others, at: MonotonicTimer.now, confirms: false)
        ledger.confirm(1)
        while try !ledger.nextAnswers().contains(.unconfirmed(1)) {}
        try folder.copy("ledger.db", to: "meanwhile")
        #expect(try folder.contents(of: "meanwhile") == Contents(Self.story))
        ledger.write([.coinLate(coin)], at: MonotonicTimer.now, confirms: false)
        ledger.takeOver()
        #expect(ledger.close())
        let credit = try folder.contents().balances.credit
        #expect(credit == Contents(Self.story).balances.credit + coin.value)
    }

    @Test func `what was confirmed is in the files, whatever becomes of the service`() throws {
        let ledger = try open()
        for (number, record) in Self.story.enumerated() {
            try ledger.store([record])
            let copy = "after-\(number)"
            try folder.copy("ledger.db", to: copy)
            #expect(try folder.contents(of: copy) == Contents(Array(Self.story[...number])))
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
        #expect(try folder.contents().balances.credit == 100)
    }

    @Test func `the records tell what happened when, in which life and boot`() throws {
        let happened = MonotonicTimer.now
        for boot in ["one", "two"] {
            let ledger = try Ledger(folder.opening(bootID: boot))
            try ledger.opened()
            ledger.write([.started, .coin(100)], at: happened, confirms: false)
            ledger.close()
        }
        let sql =
            "SELECT sequence, boot_id, life, monotonic_ns, kind, details FROM records "
            + "WHERE sequence > 1"
        let time = Value.number(happened.nanoseconds)
        let coin = Value.text(
            """
            TURNSTILE_VALUE=100
            TURNSTILE_PULSES=2
            TURNSTILE_ACCEPTOR=1
            TURNSTILE_LINE=coin_pulse
            """)
        #expect(
            try folder.rows(sql, columns: 6) == [
                [.number(2), .text("one"), .number(1), time, .text("started"), .text("")],
                [.number(3), .text("one"), .number(1), time, .text("coin_accepted"), coin],
                [.number(4), .text("two"), .number(2), time, .text("started"), .text("")],
                [.number(5), .text("two"), .number(2), time, .text("coin_accepted"), coin],
            ])
        let seconds = try folder.rows(
            "SELECT wall_ns / 1000000000 FROM records LIMIT 1", columns: 1)
        let wall = try #require(seconds.first?.first??.number)
        #expect(abs(wall - Int64(Date().timeIntervalSince1970)) < 3_600)
    }

    @Test func `the oldest records go behind a checkpoint, and the registers stay`() throws {
        var opening = folder.opening()
        opening.limits.count = 10
        var contents = Contents()
        do {
            let file = try opening.open().file
            for number in 1...25 {
                let entry = Entry(record: .coin(50 * number), time: .zero)
                contents.count(entry.record)
                try file.write(
                    [entry], missing: 0, contents: contents, wallOffset: .zero,
                    closing: number.isMultiple(of: 4) ? .interval : nil)
            }
        }
        // There are 26, and a checkpoint covers the first 13 of them.
        #expect(
            try folder.rows("SELECT sequence FROM records", columns: 1)
                == (14...26).map { [.number($0)] })
        #expect(try folder.contents() == contents)
        #expect(contents.registers.sinceInit.accepted.total == 25)
    }

    @Test(arguments: [1, 7, 40])
    func `killed in the middle of writing, it has all that was confirmed`(
        coins: Int
    ) async throws {
        let path = folder["ledger.db"]
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, coins] in
            let ledger = try Ledger(path: path, gate: "gate", bootID: "boot")
            try ledger.opened()
            for _ in 0..<coins { try ledger.store([.coin(50)]) }
            for _ in 0..<coins {
                ledger.write([.coin(50)], at: .zero, confirms: true)
                ledger.write([.creditUsed(value: 50)], at: .zero, confirms: false)
            }
            kill(getpid(), SIGKILL)
        }
        let registers = try folder.contents().registers.sinceInit
        #expect(registers.valueIn >= Int64(50 * coins))
        let recorded = try folder.kinds().count { $0 == "coin_accepted" }
        #expect(recorded == Int(registers.valueIn / 50))
    }
}
