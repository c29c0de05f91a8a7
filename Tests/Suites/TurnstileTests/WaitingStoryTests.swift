import StateMachines
import Testing
import Turnstile

/// What waits for its turn: people, coins, credit, counting pulses and a new mode.
@Suite struct WaitingStoryTests {
    private static let twoWays = Equipment(
        inputs: Equipment.oneWay.inputs.union(InputLevels([.stop, .releaseExit, .coinJam])),
        outputs: Equipment.oneWay.outputs.union(
            OutputSet([.lockExit, .buzzer, .lampGo, .coinReject, .coinMeter])))

    private static func gate(_ edit: (inout Policy) -> Void = { _ in }) -> Story {
        Story(Story.policy(edit), equipment: twoWays)
    }

    // MARK: People

    @Test func `people take turns, in before out, and one way at a time`() {
        var story = Self.gate()
        #expect(!story.isOn(.lampGo))
        story.press(.releaseEntry)
        #expect(story.isOn(.lampGo))
        #expect(story.isOn(.lockEntry) && !story.isOn(.lockExit))
        story.press(.releaseExit)
        story.press(.releaseEntry)
        story.press(.releaseEntry)
        #expect(
            story.records.suffix(3) == [
                .stored(.exit), .stored(.entry),
                .refused(.grant, by: .contact(.releaseEntry), .storeFull),
            ])
        story.walkIn()
        #expect(story.records.last == .released(.entry, by: .contact))
        story.wait(.seconds(5))
        #expect(
            story.records.suffix(2) == [.waitTimedOut(.entry), .released(.exit, by: .contact)])
        #expect(!story.isOn(.lockEntry) && story.isOn(.lockExit))
    }

    @Test func `an emergency sends away whoever waits`() {
        var story = Self.gate()
        story.press(.releaseEntry)
        story.press(.releaseExit)
        story.open(.fire)
        #expect(
            story.records.suffix(3) == [
                .emergencyStarted, .authorisationDropped(.entry), .storedDropped(1),
            ])
    }

    @Test func `a contact is told that its authorisation is void, once`() {
        var story = Self.gate()
        story.press(.releaseExit)
        story.open(.externalFault)
        story.close(.externalFault)
        story.press(.serviceKey)
        #expect(story.records.suffix(2) == [.inService, .authorisationDropped(.exit)])
        story.press(.releaseEntry)
        story.wait(.seconds(5))
        #expect(
            story.records.suffix(2) == [.released(.entry, by: .contact), .waitTimedOut(.entry)])
    }

    @Test func `the stop contact puts off whoever is let in`() {
        var story = Self.gate()
        story.press(.releaseEntry)
        story.open(.stop)
        #expect(!story.isOn(.lockEntry))
        story.close(.stop)
        #expect(story.state == .released(.entry))
        #expect(story.isOn(.lockEntry))
    }

    @Test func `whoever was put off may go back like anybody else`() {
        var story = Self.gate()
        story.press(.releaseEntry)
        story.open(.stop)
        story.wait(.seconds(60))
        story.close(.stop)
        story.turn(1, 0)
        #expect(story.state == .released(.entry))
        story.walkIn()
        #expect(story.records.last == .passageCompleted(.entry, .free))
    }

    @Test func `whoever passes freely takes the place of nobody`() {
        var story = Self.gate {
            $0.regime.exit = .free
            $0.maxStored = 1
        }
        story.turn(3)
        #expect(story.records.last == .passageStarted(.exit))
        #expect(story.isOn(.coinEnable))
    }

    @Test(arguments: [([1, 2], Alarm.tailgating), ([3, 2], .forcedPassage)])
    func `only who follows the same way slips in behind`(states: [Int], alarm: Alarm) {
        var story = Self.gate { $0.regime.enforcement = .weak }
        story.press(.releaseEntry)
        story.walkIn()
        for state in states { story.turn(state) }
        #expect(story.records.last == .alarmRaised(alarm))
        #expect(story.isOn(.buzzer) && !story.isOn(.alarm))
    }

    // MARK: Money

    private static let coin = Story.coin(pulses: 2)

    @Test(
        arguments: [
            (.store, [.coinAccepted(coin)], 100),
            (.thank, [.coinAccepted(coin), .creditForfeited(value: 100)], 0),
            (.reject, [.coinRejected(coin)], 0),
        ] as [(UnlockedCoinPolicy, [Record], Int)])
    func `the owner says what becomes of a coin while somebody may come in`(
        policy: UnlockedCoinPolicy, said: [Record], credit: Int
    ) {
        var story = Self.gate { $0.coinWhileUnlocked = policy }
        story.press(.releaseEntry)
        #expect(story.isOn(.coinEnable) == (policy != .reject))
        story.insertCoin(pulses: 2)
        #expect(Array(story.records.suffix(said.count)) == said)
        #expect(story.credit == credit)
        #expect(story.isOn(.coinReject) == (policy == .reject))
    }

    @Test func `a jam is ejected, and no coin is taken meanwhile`() {
        var story = Self.gate()
        story.open(.coinJam)
        #expect(story.isOn(.coinReject) && !story.isOn(.coinEnable))
        story.close(.coinJam)
        #expect(story.isOn(.coinEnable))
    }

    @Test func `the coin meter goes one step per unit, each long enough to be seen`() {
        var story = Self.gate()
        story.insertCoin(pulses: 3)
        story.wait(.seconds(2))
        #expect(story.commands.count { $0 == .switchOn(.coinMeter) } == 3)
        #expect(!story.isOn(.coinMeter))
    }

    @Test func `credit expires some time after the last coin, while it can be used`() {
        var story = Self.gate { $0.creditExpiry = .seconds(60) }
        story.insertCoin(pulses: 2)
        story.wait(.seconds(50))
        story.insertCoin(pulses: 1)
        story.wait(.seconds(50))
        story.open(.stop)
        story.wait(.seconds(100))
        story.close(.stop)
        story.wait(.seconds(59))
        #expect(story.credit == 150)
        story.wait(.seconds(1))
        #expect(story.records.last == .creditExpired(value: 150))
        #expect(story.credit == 0)
    }

    // MARK: The schedule

    @Test func `a new mode waits for whoever is let in`() {
        var story = Self.gate { policy in
            var closing = ScheduleEntry(days: .all, from: 60, to: 120)
            closing.entry = .locked
            policy.schedule = [closing]
        }
        story.send(.clockRead(WeekTime(.monday, minute: 59)))
        story.wait(.seconds(59))
        story.press(.releaseEntry)
        story.wait(.seconds(1))
        #expect(story.records.last == .scheduleDeferred)
        #expect(story.turnstile.gate.regime.entry == .controlled)
        story.walkIn()
        #expect(
            story.records.suffix(2) == [
                .modeChanged(.entry, .locked, by: .schedule), .coinsRefused(.entryLocked),
            ])
        #expect(story.turnstile.gate.regime.entry == .locked)
    }
}
