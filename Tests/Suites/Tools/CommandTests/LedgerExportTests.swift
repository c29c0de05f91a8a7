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

    @Test func `a link that lies where it is to be is not followed`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (link, file) = (folder.appending(path: "link"), folder.appending(path: "text"))
        try Data("a text".utf8).write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        for path in [link.path, "/dev/..\(link.path)"] {
            #expect(try export(path).code == 73)
            #expect(try Data(contentsOf: file) == Data("a text".utf8))
        }
        // Those of the system are.
        for path in ["/dev/stdout", "/dev/fd/1"] {
            #expect(try export(path).output == export().output)
        }
    }

    @Test func `a file that somebody made beforehand gets nothing of the books`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "all.jsonl")
        try Data("a text".utf8).write(to: file)
        let opened = try FileHandle(forReadingFrom: file)
        let told = try export(file.path)
        #expect(told.code == 0 && told.errors == "")
        #expect(try opened.readToEnd() == Data("a text".utf8))
        #expect(try String(contentsOf: file, encoding: .utf8) == export().output)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.allSatisfy { !$0.hasSuffix(".partial") })
    }

    @Test func `a file that its owner alone may read stays so`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "all.jsonl").path
        try Data().write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(try export(file).code == 0)
        let kept = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(kept as? Int == 0o600)
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

    @Test func `a file has all of what is long`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let long = try PaperLedger([Record](repeating: .coin(50), count: 500))
        let file = folder.appending(path: "long.jsonl")
        let arguments = ["ledger", "export", "--ledger", long.path]
        #expect(try Command(arguments + [file.path], at: nil).code == 0)
        let text = try String(contentsOf: file, encoding: .utf8)
        // It is written piece by piece.
        #expect(text.utf8.count > 1 << 16)
        #expect(text == (try Command(arguments, at: nil).output))
    }

    @Test func `a time chooses the records`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try export("--since", "2001-01-01").output.contains("coin_accepted"))
        #expect(try !export("--until", "2001-01-01").output.contains("coin_accepted"))
        #expect(try !export("--since", "2999-12-31").output.contains("coin_accepted"))
        #expect(try export("--since", "yesterday").output.contains("coin_accepted"))
        // As for a report: a day alone is its beginning.
        #expect(try !export("--until", "today").output.contains("coin_accepted"))
    }

    @Test func `nothing of the ledger's own is written over`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appending(path: "all.jsonl").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: ledger)
        let before = try Data(contentsOf: URL(filePath: ledger))
        for own in [ledger, link, "\(folder.path)/./ledger.db", "\(ledger).known"] {
            let told = try export(own)
            #expect(told.code == 73 && told.errors.contains("\(own): this is the ledger's own"))
        }
        #expect(try Data(contentsOf: URL(filePath: ledger)) == before)
        #expect(try export("-").output == export().output)
    }

    @Test func `a day is its beginning`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // Its clock shows the first moment of 1970, and this one UTC.
        let old = try PaperLedger([.coin(50)])
        for (until, isThere) in [("1970-01-02", true), ("1970-01-01", false)] {
            let told = try Command(
                "ledger", "export", "--ledger", old.path, "--until", until, at: nil)
            #expect(told.output.contains("coin_accepted") == isThere, "\(until)")
        }
    }

    @Test func `what cannot be done is said`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for (arguments, code, words) in [
            (["--format", "eva-dts", "--since", "2026-01-01"], 64, "are for jsonl"),
            (["--format", "eva-dts", "--until", "2026-01-01"], 64, "are for jsonl"),
            (["--since", "tody"], 64, "write 2026-11-22"),
            (["--since", "today", "--until", "yesterday"], 64, "is not before"),
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
        #expect(off.code == 78 && off.errors.contains("off"), "\(off)")
    }
}
