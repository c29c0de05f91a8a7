import Foundation
import Testing

/// Stepping through a trace on a terminal.
@Suite struct TraceStepTests {
    private let incident: RecordedIncident

    init() throws { incident = try RecordedIncident() }

    /// Steps through a part of the incident on a terminal of this size.
    private func steps(_ part: String, rows: Int = 40) throws -> Running {
        try Running(
            Command.terminal(
                "stty rows \(rows) cols 120; NO_COLOR=1 exec turnstilectl trace replay --step "
                    + "\(incident[.trace]) \(part)"))
    }

    @Test func `keys go to the next event and back, and from record to record`() throws {
        let program = try steps("--since 06:10 --until 06:12")
        let first = try program.await("replay, event 1 of ")
        #expect(first.contains("north gate") && first.contains("coin_pulse"), "\(first)")
        #expect(first.contains("═"), "no gate is drawn")
        program.type("\u{1B}[C")
        _ = try program.await("event 2 of ")
        program.type("\u{1B}[D")
        _ = try program.await("event 1 of ", after: "event 2 of ")
        program.type("n")
        _ = try program.await("coin of 100 (2 pulses on coin_pulse) credited")
        program.type("n")
        _ = try program.await("is noise")
        program.type("p")
        program.type("b")
        program.type("q")
        let (code, text) = program.end()
        #expect(code == 0)
        #expect(text.contains("page 2"))
    }

    @Test func `at both ends it says so`() throws {
        let program = try steps("--since 06:10 --until 06:10:04")
        _ = try program.await("event 1 of ")
        program.type("b")
        _ = try program.await("this is the first event")
        program.type("nnnnnnnn")
        _ = try program.await("this is the last event")
        program.type("?")
        _ = try program.await("next, last record")
        program.type("xq")
        #expect(program.end().code == 0)
    }

    @Test func `the pages of a trace follow one another`() throws {
        let program = try steps("--since 06:02:17 --until 06:10:04")
        _ = try program.await("page 1")
        program.type("nnnnnnnn")
        _ = try program.await("page 2")
        program.type("p")
        program.type("q")
        #expect(program.end().code == 0)
    }
}
