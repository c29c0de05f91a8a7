import Audit
import Console
import Foundation
import Journal
import Keeping
import System
import Testing

@testable import turnstilectl

/// What the journal has of a gate's records.
@Suite struct KeptRecordsTests {
    private let today = CalendarDay(20_000)
    private let clock = LocalClock { _ in 0 }

    private func entry(_ second: Int, _ message: String, priority: String? = nil) -> KeptEntry {
        KeptEntry(
            time: .seconds(today.number * 86_400 + second), bootID: "",
            fields: [.init("MESSAGE", message), .init("_PID", "812")]
                + (priority.map { [.init("PRIORITY", $0)] } ?? []))
    }

    @Test func `a line says when, what, and how much it matters, below its day`() throws {
        let appearance = Appearance(isColoured: false, isUnicode: true)
        var page = KeptRecords(clock, today: today, appearance)
        #expect(page.isEmpty)
        let lines = [
            entry(-1, "in\u{1B}[2J operation"), entry(5, "coin of 50", priority: "3"),
            entry(6, "released", priority: "none"),
        ].flatMap { page.lines(of: $0) }
        #expect(
            lines.map { $0.dropFirst().map(\.text).joined() } == [
                "", "in [2J operation", "", "coin of 50", "released",
            ])
        #expect(lines.map { $0.last?.style } == [.faint, .bold, .faint, .red, .bold])
        #expect(lines[0].map(\.text) == ["\(CalendarDay(today.number - 1))"])
        #expect(!page.isEmpty)
    }

    @Test func `a program is told what the service wrote`() {
        var page = KeptRecords(clock, today: today, Appearance(isColoured: false, isUnicode: true))
        let values = page.values(of: entry(0, "released"))
        #expect(values.map { $0.0 } == ["__REALTIME_TIMESTAMP", "MESSAGE"])
        #expect(values[0].1 == .string("1728000000000000"))
    }

    @Test func `66: a folder that is not there, or without a journal`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        func run() throws -> Command {
            try Command("records", "--since", "1h", "--journal", folder.path, at: nil)
        }
        let words =
            "turnstilectl: the journal cannot be read: there is no journal in \(folder.path), or "
            + "you may not read it\n"
        let gone = try run()
        #expect(gone.code == 66 && gone.errors == words)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let empty = try run()
        #expect(empty.code == 66 && empty.errors == words)
    }
}
