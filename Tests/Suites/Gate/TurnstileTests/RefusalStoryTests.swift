import Stories
import Testing
import Turnstile

/// Why coins are refused, and who is told; and the end of somebody's patience.
@Suite struct RefusalStoryTests {
    @Test func `coins that are refused again are told of again`() {
        var story = Story(
            Story.policy {
                $0.coinWhileUnlocked = .store
                $0.maxStored = 2
                $0.passWait = .seconds(1)
                $0.lateCoinWindow = .seconds(5)
            })
        story.insertCoin(pulses: 10)
        story.wait(.seconds(2))
        #expect(story.records.last == .coinsRefused(.storeFull))
        story.turn(1, 2, 3)
        story.insertCoin(pulses: 1)
        story.turn(0)
        #expect(story.isOn(.coinEnable))
        story.insertCoin(pulses: 4)
        story.wait(.seconds(1))
        #expect(story.records.last == .coinsRefused(.storeFull))
        #expect(story.records.filter { $0 == .coinsRefused(.storeFull) }.count == 2)
    }

    @Test func `coins that are taken for whoever goes in are refused anew when they do not`() {
        var story = Story(
            Story.policy {
                $0.coinWhileUnlocked = .thank
                $0.maxStored = 1
                $0.passWait = .seconds(1)
            })
        story.insertCoin(pulses: 5)
        story.wait(.seconds(2))
        #expect(story.records.last == .coinsRefused(.storeFull))
        story.turn(1)
        #expect(story.isOn(.coinEnable))
        story.turn(0)
        story.wait(.seconds(2))
        #expect(story.records.last == .coinsRefused(.storeFull))
    }

    @Test func `a lamp that fails does not hide why coins are refused`() {
        var story = Story(
            Story.policy { $0.maxStored = 1 }, equipment: .oneWay.with(outputs: .lampGo))
        story.insertCoin(pulses: 5)
        story.wait(.seconds(6))
        story.send(.lineFailed(.output(.lampGo), .unreadable))
        #expect(story.status.limitation == .coinsRefused(.storeFull))
    }

    @Test func `whoever goes back too late has the gate no longer`() {
        var story = Story(Story.policy { $0.rotorStep = .zero })
        story.press(.releaseEntry)
        story.turn(1)
        story.wait(.seconds(40))
        story.close(.rotorA)
        #expect(story.records.contains(.waitTimedOut(.entry)))
        #expect(story.state == .locked)
        #expect(!story.isOn(.lockEntry))
    }

    @Test func `what an acceptor sends as it is switched on is no coin`() {
        var story = Story(Story.policy { $0.earlyCoinWindow = .seconds(1) })
        story.insertCoin(pulses: 2)
        #expect(story.records.last == .coinEarly(Story.coin(pulses: 2)))
        #expect(story.turnstile.gate.credit == 0)
        story.wait(.seconds(1))
        story.insertCoin(pulses: 1)
        #expect(story.records.last == .coinAccepted(Story.coin(pulses: 1)))

        story.open(.stop)
        story.close(.stop)
        story.insertCoin(pulses: 3)
        #expect(story.records.last == .coinEarly(Story.coin(pulses: 3)))
    }

    @Test func `what it sends is no fault, though the table does not know it`() {
        var story = Story(
            Story.policy {
                $0.earlyCoinWindow = .seconds(1)
                $0.coins[.first].values = .exact([1: 50])
            })
        story.insertCoin(pulses: 3)
        #expect(story.records.last == .coinUnknown(.first, pulses: 3))
    }

    @Test func `a coin counts whose first pulse comes as the time is over`() {
        var story = Story(Story.policy { $0.earlyCoinWindow = .milliseconds(1) })
        story.wait(.milliseconds(1))
        story.insertCoin(pulses: 2)
        #expect(story.records.last == .coinAccepted(Story.coin(pulses: 2)))
    }
}
