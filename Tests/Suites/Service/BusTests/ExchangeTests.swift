import StateMachines
import System
import Testing
import Turnstile

@testable import Bus

/// What one thread leaves for the other is there once, in order, and bounded.
@Suite struct ExchangeTests {
    private let exchange = try! Exchange()
    private static let person = Operator(number: 1, name: "a")!

    private func isReadable(_ event: EventFD) -> Bool { event.wait(within: .zero) }

    private static func question(_ number: UInt64) -> Question {
        Question(number: number, operation: .request(.selfTest), person: person)
    }

    private static func records(_ count: Int) -> [BusRecord] {
        (0..<count).map { BusRecord(.rotorNoise, sequence: UInt64($0), time: 0) }
    }

    @Test func `the loop is handed one question in a round, and asked again for the rest`() {
        for number in 1...3 { exchange.ask(Self.question(UInt64(number))) }
        for number in 1...3 {
            #expect(isReadable(exchange.forLoop))
            // What the test has looked at is as it was.
            exchange.forLoop.signal()
            #expect(exchange.takeWork().question?.number == UInt64(number))
        }
        #expect(!isReadable(exchange.forLoop))
        #expect(exchange.takeWork().question == nil)
    }

    @Test func `looks and notices come at once, and once`() {
        exchange.requestSnapshot()
        exchange.note(.absent("none"))
        let work = exchange.takeWork()
        #expect(work.wantsSnapshot && work.notices == [.absent("none")])
        #expect(!exchange.takeWork().wantsSnapshot)
    }

    @Test func `somebody is there from when the bus was joined until it is lost`() {
        #expect(!exchange.isJoined)
        exchange.note(.joined(":1.1"))
        #expect(exchange.isJoined)
        exchange.note(.absent("gone"))
        #expect(!exchange.isJoined)
    }

    @Test func `records beyond the bound are counted, the oldest kept`() {
        exchange.post(Self.records(1_000), hasChanged: false)
        exchange.post(Self.records(100), hasChanged: true)
        let news = exchange.takeNews()
        #expect(news.records == Self.records(1_000) + Self.records(24))
        #expect(news.lost == 76)
        #expect(news.hasChanged)
        exchange.post(Self.records(1), hasChanged: false)
        #expect(exchange.takeNews().lost == 0)
    }

    @Test func `what was confirmed stays so`() {
        exchange.confirm(7)
        exchange.confirm(6)
        #expect(exchange.takeNews().confirmed == 7)
        #expect(exchange.takeNews().confirmed == 7)
    }

    @Test func `that nothing is to be seen is something to tell`() {
        #expect(exchange.takeNews().seen == nil)
        exchange.postSnapshot(nil)
        let seen = exchange.takeNews().seen
        #expect(seen != nil && seen! == nil)
    }

    @Test func `every change wakes the thread`() {
        exchange.answer(Reply(to: 1, .unavailable("")))
        #expect(isReadable(exchange.forBus))
        exchange.close()
        #expect(isReadable(exchange.forBus))
        #expect(exchange.takeNews().isClosing)
        #expect(exchange.takeNews().isClosing)
    }
}
