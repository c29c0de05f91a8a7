import Journal
import SystemFixtures
import Testing
import Turnstile

@Suite struct NativeJournalTests {
    let journald: Receiver
    let journal: NativeJournal

    init() throws {
        journald = try Receiver()
        journal = try NativeJournal(path: journald.path, identifier: "turnstiled")
    }

    func entry(_ message: String, _ fields: [JournalEntry.Field] = []) -> JournalEntry {
        JournalEntry(
            messageID: "0123456789abcdef0123456789abcdef", priority: .notice, message: message,
            fields: fields)
    }

    @Test func `an entry is one datagram of fields`() {
        journal.write(
            entry(
                "a coin", [.init(.credit, "100"), .init(.command, "a"), .init(.command, "b")]))
        #expect(
            journald.receiveTexts() == [
                """
                MESSAGE=a coin
                PRIORITY=5
                MESSAGE_ID=0123456789abcdef0123456789abcdef
                SYSLOG_IDENTIFIER=turnstiled
                TURNSTILE_CREDIT=100
                TURNSTILE_COMMAND=a
                TURNSTILE_COMMAND=b

                """
            ])
    }

    @Test func `a value of several lines carries its length`() throws {
        journal.write(entry("één\ntwo"))
        let datagram = try #require(journald.receive())
        let head = Array("MESSAGE\n".utf8) + [9, 0, 0, 0, 0, 0, 0, 0]
        #expect(datagram.starts(with: head + Array("één\ntwo\nPRIORITY=5\n".utf8)))
    }

    @Test func `what people read steers no terminal, and a field says what it says`() throws {
        journal.write(entry("a\u{202E}b", [.init(.detail, "a\u{202E}b")]))
        let told = try #require(journald.receiveTexts().first)
        #expect(told.hasPrefix("MESSAGE=a\\u{202E}b\n"))
        #expect(told.hasSuffix("TURNSTILE_DETAIL=a\u{202E}b\n"))
    }

    @Test func `entries that nobody reads are counted, and the count is told first`() throws {
        let written = 5_000
        for number in 1...written { journal.write(entry("entry \(number)")) }
        let received = journald.receiveTexts()
        try #require(!received.isEmpty && received.count < written)
        journal.write(entry("the next"))
        let told = journald.receiveTexts()
        let lost = written - received.count
        #expect(told.count == 2)
        #expect(told[0].contains("TURNSTILE_LOST=\(lost)\n"))
        #expect(told[1].hasPrefix("MESSAGE=the next\n"))
        journal.write(entry("and one more"))
        #expect(journald.receiveTexts().count == 1)
    }

    @Test func `a journald that was gone hears how many entries it missed`() throws {
        journald.stop()
        journal.write(entry("unheard"))
        try journald.start()
        journal.write(entry("heard"))
        let told = journald.receiveTexts()
        #expect(told.count == 2)
        #expect(told.first?.contains("TURNSTILE_LOST=1\n") == true)
    }

    @Test func `whoever ends at once waits until all was read`() {
        #expect(journal.drain(within: .zero))
        journal.write(entry("the last"))
        #expect(!journal.drain(within: .milliseconds(10)))
        #expect(journald.receiveTexts().count == 1)
        #expect(journal.drain(within: .zero))
    }

    @Test func `what nobody could take was not taken`() {
        journald.stop()
        journal.write(entry("unheard"))
        #expect(!journal.drain(within: .seconds(60)))
    }
}
