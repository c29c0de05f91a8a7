import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// How the loop's thread and the writer understand each other.
@Suite struct MailboxTests {
    @Test func `records come in order, with how many confirmations they ask for`() throws {
        let mailbox = try LedgerMailbox(LedgerMail())
        mailbox.leave([.started, .coin(50)], at: .zero, confirms: true)
        mailbox.leave([.inService], at: .zero, confirms: false)
        var taken: [Entry] = []
        let work = mailbox.take(&taken)
        #expect(taken.map(\.record) == [.started, .coin(50), .inService])
        #expect(work.asked == 1 && !work.isLast)
        mailbox.close()
        taken = []
        #expect(mailbox.take(&taken).isLast)
        #expect(taken.isEmpty)
    }

    @Test func `what was asked for after the writer looked is not confirmed by what it wrote`()
        throws
    {
        let mailbox = try LedgerMailbox(LedgerMail())
        mailbox.leave([.coin(50)], at: .zero, confirms: true)
        var taken: [Entry] = []
        let first = mailbox.take(&taken)
        mailbox.leave([.coin(100)], at: .zero, confirms: true)
        mailbox.answer(.durable, asked: first.asked)
        #expect(mailbox.takeAnswers() == [])
        mailbox.answer(.failed("full"), asked: first.asked)
        taken = []
        mailbox.answer(.durable, asked: mailbox.take(&taken).asked)
        #expect(mailbox.takeAnswers() == [.failed("full"), .durable])
        #expect(mailbox.takeAnswers() == [])
    }
}
