import Glibc
import SystemFixtures
import Testing
import Turnstile

@testable import Journal

@Suite struct TerminalJournalTests {
    func line(
        _ priority: Priority, _ message: String, fields: [JournalEntry.Field] = [],
        isColoured: Bool = false
    ) -> String {
        JournalEntry(messageID: "", priority: priority, message: message, fields: fields)
            .terminalLine(timeOfDay: "12:00:00.000", isColoured: isColoured)
    }

    @Test func `a line has the time, the sentence, and the state after it`() {
        #expect(line(.info, "a coin") == "12:00:00.000  a coin\n")
        let fields: [JournalEntry.Field] = [.init(.state, "released"), .init(.credit, "50")]
        #expect(
            line(.info, "a coin", fields: fields)
                == "12:00:00.000  a coin — released, credit 50\n")
    }

    @Test func `what matters is marked in words, and in colour where there is colour`() {
        #expect(line(.error, "broken") == "12:00:00.000  error: broken\n")
        #expect(
            line(.error, "broken", isColoured: true)
                == "12:00:00.000  \u{1B}[31merror: broken\u{1B}[0m\n")
        #expect(line(.info, "fine", isColoured: true) == "12:00:00.000  fine\n")
    }

    @Test func `further lines are indented`() {
        #expect(line(.info, "a\nb\nc") == "12:00:00.000  a\n    b\n    c\n")
    }

    @Test func `no word steers the terminal`() {
        #expect(
            line(.info, "a\u{1B}[2J\nb\u{202E}c")
                == "12:00:00.000  a\\u{1B}[2J\n    b\\u{202E}c\n")
    }

    @Test func `entries go to the descriptor, and what a full pipe cannot take is counted`() throws
    {
        let pipe = try Pipe()
        let journal = TerminalJournal(
            descriptor: pipe.writeEnd, isColoured: false, timeOfDay: { "12:00:00.000" })
        let entry = JournalEntry(messageID: "", priority: .info, message: "a coin")
        let written = 10_000
        for _ in 0..<written { journal.write(entry) }
        let lines = pipe.drainAll().split(separator: "\n")
        try #require(lines.count < written)
        #expect(lines.allSatisfy { $0 == "12:00:00.000  a coin" })
        journal.write(entry)
        let told = pipe.drainAll().split(separator: "\n")
        #expect(told.count == 2)
        #expect(told.first?.contains("\(written - lines.count)") == true)
    }
}

@Suite struct StandardJournalTests {
    @Test func `standard error is the journal when it is the stream that systemd names`() throws {
        let pipe = try Pipe()
        var status = stat()
        // Sound: the call writes the structure that it is given.
        unsafe _ = fstat(pipe.readEnd, &status)
        #expect(isJournal(pipe.readEnd, variable: "\(status.st_dev):\(status.st_ino)"))
        #expect(!isJournal(pipe.readEnd, variable: "\(status.st_dev):\(status.st_ino + 1)"))
        #expect(!isJournal(pipe.readEnd, variable: nil))
        #expect(!isJournal(-1, variable: "0:0"))
    }

    @Test(arguments: [
        (true, nil, "xterm", true), (false, nil, "xterm", false), (true, "1", "xterm", false),
        (true, "", "xterm", true), (true, nil, "dumb", false), (true, nil, nil, false),
    ])
    func `colour needs a terminal that can, and nobody who minds`(
        isTerminal: Bool, noColour: String?, terminal: String?, expected: Bool
    ) {
        #expect(
            usesColour(isTerminal: isTerminal, noColour: noColour, terminal: terminal)
                == expected)
    }
}
