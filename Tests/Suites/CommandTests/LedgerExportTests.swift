import Foundation
import System
import Testing
import Turnstile

@testable import Ledger
@testable import turnstilectl

/// What the command writes of a ledger, for other programs.
@Suite struct LedgerExportTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    private var ledger: String { folder.appending(path: "ledger.db").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let file = try Opening(place: Place(path: ledger), gate: "north", bootID: "b").open().file
        let coin = Record.coinAccepted(Coin(.first, pulses: 1, value: 50))
        var contents = file.contents
        contents.count(coin)
        try file.write(
            [Entry(record: coin, time: MonotonicTimer.now)], missing: 0, contents: contents,
            wallOffset: SystemWallClock.offset)
    }

    private func export(_ arguments: String...) throws -> Command {
        try Command(["ledger", "export", "--ledger", ledger] + arguments, at: nil)
    }

    @Test func `all is written to standard output, or to a file`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let told = try export()
        #expect(told.code == 0 && told.errors == "")
        #expect(told.output.contains(#""kind": "coin_accepted", "fields": {"value": 50, "#))
        let file = folder.appending(path: "all.jsonl")
        #expect(try export(file.path).output == "")
        #expect(try String(contentsOf: file, encoding: .utf8) == told.output)
        let transmission = try export("--format", "eva-dts", "--currency", "CHF", "--decimals", "0")
        #expect(transmission.output.contains("\r\nID4*0**CHF\r\n"))
        #expect(transmission.output.contains("\r\nCA11*50*1*1*0*1*1*0\r\n"))
    }

    @Test func `a time chooses the records`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try export("--since", "2001-01-01").output.contains("coin_accepted"))
        #expect(try !export("--until", "2001-01-01").output.contains("coin_accepted"))
        #expect(try !export("--since", "2999-12-31").output.contains("coin_accepted"))
    }

    @Test func `what cannot be done is said`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for (arguments, code, words) in [
            (["--format", "eva-dts", "--since", "2026-01-01"], 64, "are for jsonl"),
            (["--since", "yesterday"], 64, "write 2026-11-22"),
            (["--format", "csv"], 64, "csv"), (["--currency", "EUR"], 64, "for eva-dts"),
            (["--format", "eva-dts", "--currency", "euro"], 64, "three letters"),
            (["--decimals", "9"], 64, "0 to 4"),
            (["\(folder.path)/none/all.jsonl"], 73, "No such file"),
        ] {
            let told = try Command(["ledger", "export", "--ledger", ledger] + arguments, at: nil)
            #expect(told.code == Int32(code) && told.errors.contains(words), "\(told)")
        }
        let gone = try Command("ledger", "export", "--ledger", "\(ledger)-gone", at: nil)
        #expect(gone.code == 66 && gone.errors.contains("-gone"), "\(gone)")
    }

    @Test func `the ledger is where the settings say`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let settings = folder.appending(path: "gate.yaml")
        let sample = try String(
            contentsOf: Command.repository.appending(path: "config/two-way.yaml"), encoding: .utf8)
        try "\(sample)\nledger: {path: \(ledger)}\n".write(
            to: settings, atomically: true, encoding: .utf8)
        let told = try Command("ledger", "export", "--settings", settings.path, at: nil)
        #expect(told.code == 0 && told.output.contains("coin_accepted"), "\(told)")
        try "\(sample)\nledger: {path: off}\n".write(
            to: settings, atomically: true, encoding: .utf8)
        let off = try Command("ledger", "export", "--settings", settings.path, at: nil)
        #expect(off.code == 66 && off.errors.contains("off"), "\(off)")
    }

    @Test func `a day is read as it is where the gate is`() throws {
        let day = try Moment.read("2026-11-22")
        #expect(day.end - day.start == .seconds(86_400))
        let time = try Moment.read("2026-11-22T06:30")
        #expect(time.start == day.start + .seconds(6 * 3_600 + 1_800) && time.end == time.start)
        for text in [
            "", "2026", "2026-13-01", "2026-02-30", "2026-1-1", "2026-11-22T", "2026-11-22T6:30",
            "2026-11-22T24:00", "2026-11-22 06:30", "T06:30", "2026-11-22T06:30T", "x026-11-22",
        ] {
            #expect(throws: (any Error).self, "\(text)") { try Moment.read(text) }
        }
    }
}
