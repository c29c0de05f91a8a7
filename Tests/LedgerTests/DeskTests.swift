import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// How the loop's thread and the writer understand each other.
@Suite struct DeskTests {
    @Test func `records come in order, with how many confirmations they ask for`() throws {
        let desk = try Desk()
        desk.leave([.started, .coin(50)], at: .zero, confirms: true)
        desk.leave([.inService], at: .zero, confirms: false)
        var taken: [Entry] = []
        let work = desk.take(&taken)
        #expect(taken.map(\.record) == [.started, .coin(50), .inService])
        #expect(work.asked == 1 && !work.isLast)
        desk.close()
        taken = []
        #expect(desk.take(&taken).isLast)
        #expect(taken.isEmpty)
    }

    @Test func `what was asked for after the writer looked is not confirmed by what it wrote`()
        throws
    {
        let desk = try Desk()
        desk.leave([.coin(50)], at: .zero, confirms: true)
        var taken: [Entry] = []
        let first = desk.take(&taken)
        desk.leave([.coin(100)], at: .zero, confirms: true)
        desk.answer(.stored, asked: first.asked)
        #expect(desk.takeAnswers() == [])
        desk.answer(.failed("full"), asked: first.asked)
        taken = []
        desk.answer(.stored, asked: desk.take(&taken).asked)
        #expect(desk.takeAnswers() == [.failed("full"), .stored])
        #expect(desk.takeAnswers() == [])
    }
}
