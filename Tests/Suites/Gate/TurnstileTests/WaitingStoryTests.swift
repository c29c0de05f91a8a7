import StateMachines
import Stories
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

    @Test func `those at the gate come before those whom an operator lets pass, whichever way`() {
        var story = Self.gate()
        story.press(.releaseEntry)
        #expect(story.ask(.grant(.entry)) == .deferred)
        story.press(.releaseExit)
        story.walkIn()
        #expect(story.records.last == .released(.exit, by: .contact))
        story.wait(.seconds(5))
        #expect(story.records.last == .released(.entry, by: .person(1000)))
    }

    /// A gate at which somebody always waits: contacts, an operator's grants and coins.
    private static func crowded(_ edit: (inout Policy) -> Void = { _ in }) -> Story {
        var story = Self.gate {
            $0.maxStored = 9
            $0.coinWhileUnlocked = .store
            edit(&$0)
        }
        for input in [Input.releaseEntry, .releaseExit, .releaseEntry] { story.press(input) }
        _ = story.ask(.grant(.entry))
        story.insertCoin(pulses: 5)
        return story
    }

    @Test(arguments: Direction.allCases)
    func `a mode that waits comes behind the one in the gate, and before those who wait`(
        _ direction: Direction
    ) {
        var story = Self.crowded()
        #expect(story.ask(.setMode(direction, .locked, until: nil)) == .deferred)
        #expect(story.ask(.grant(.exit)) == .deferred)
        story.walkIn()
        #expect(story.records.contains(.modeChanged(direction, .locked, by: Story.anna)))
        // Of the way that is locked nobody waits any more, and each operator is told of theirs; the
        // others go on.
        #expect(story.records.contains(.storedDropped(1)))
        #expect(story.records.contains(.storedDropped(1, grantedBy: 1000)))
        #expect(story.records.last == .released(direction.opposite, by: .contact))
    }

    @Test func `whoever leans on the arm has the gate, and passes before new terms`() {
        var story = Self.gate()
        story.turn(1)
        #expect(story.ask(.setMode(.exit, .locked, until: nil)) == .deferred)
        story.press(.releaseEntry)
        #expect(story.records.contains(.passageStarted(.entry)))
        story.turn(2, 3, 0)
        #expect(
            story.records.suffix(2) == [
                .passageCompleted(.entry, .free), .modeChanged(.exit, .locked, by: Story.anna),
            ])
    }

    @Test func `no credit expires while new terms keep the payer out`() {
        var story = Self.gate { $0.creditExpiry = .seconds(10) }
        story.insertCoin(pulses: 2)
        story.turn(3)
        #expect(story.ask(.setMode(.exit, .locked, until: nil)) == .deferred)
        story.wait(.seconds(60))
        #expect(story.credit == 100)
        story.turn(0)
        story.wait(.seconds(11))
        #expect(story.records.contains(.creditExpired(value: 100)))
    }

    @Test func `noise on a coin line keeps no new terms waiting`() {
        var story = Self.gate()
        story.open(.coinPulse)
        story.wait(.milliseconds(50))
        story.close(.coinPulse)
        func hum() {
            for _ in 0..<40 {
                story.open(.coinPulse)
                story.wait(.milliseconds(10))
                story.close(.coinPulse)
                story.wait(.milliseconds(10))
            }
        }
        hum()
        #expect(story.records.contains(.faultRaised(.noiseBurst(.first))))
        #expect(story.ask(.setMode(.exit, .locked, until: nil)) == .done)
        hum()
        #expect(story.turnstile.gate.regime.exit == .locked)
    }

    @Test func `so does the schedule, and a policy; who has paid is served by then`() {
        var story = Self.crowded()
        let new = Story.policy { $0.price = 200 }
        #expect(story.ask(.adopt(new), by: .settings) == .deferred)
        story.walkIn()
        #expect(story.records.contains(.policyChanged(by: .settings)))
        #expect(story.records.last == .released(.entry, by: .contact))
        var paying = Self.gate { $0.coinWhileUnlocked = .store }
        paying.press(.releaseEntry)
        paying.insertCoin(pulses: 5)
        _ = paying.ask(.setEnforcement(.weak, until: nil))
        paying.turn(1, 2, 3)
        #expect(!paying.records.contains(.enforcementChanged(.weak, by: Story.anna)))
        paying.turn(0)
        #expect(
            paying.records.suffix(3) == [
                .enforcementChanged(.weak, by: Story.anna), .creditUsed(value: 250),
                .released(.entry, by: .credit(fare: 250)),
            ])
    }

    @Test func `each operator is told how many of theirs are void`() {
        var story = Self.gate { $0.maxStored = 9 }
        let ben = Requester.person(Operator(number: 1001, name: "ben")!)
        for requester in [ben, Story.anna, ben, Story.anna, ben] {
            _ = story.ask(.grant(.entry), by: requester)
        }
        for input in [Input.releaseExit, .releaseEntry] { story.press(input) }
        story.open(.fire)
        #expect(
            story.records.suffix(5) == [
                .emergencyStarted, .authorisationDropped(.entry, grantedBy: 1001),
                .storedDropped(2), .storedDropped(2, grantedBy: 1000),
                .storedDropped(2, grantedBy: 1001),
            ])
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
        #expect(story.commands.count { $0 == .set(.coinMeter, isOn: true) } == 3)
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

    @Test(arguments: [20, 50, 100, 149])
    func `credit does not expire while a coin is counted`(milliseconds: Int) {
        var story = Self.gate { $0.creditExpiry = .seconds(60) }
        story.insertCoin(pulses: 4)
        story.wait(.seconds(60) - .milliseconds(milliseconds))
        story.insertCoin(pulses: 1)
        #expect(story.state == .released(.entry))
    }

    @Test func `credit that a coin kept from expiring does when that was none`() {
        var story = Self.gate { $0.creditExpiry = .seconds(60) }
        story.insertCoin(pulses: 4)
        story.wait(.seconds(59.9))
        story.open(.coinPulse)
        story.wait(.milliseconds(200))
        #expect(story.credit == 200)
        story.close(.coinPulse)
        story.wait(.seconds(61))
        #expect(story.records.last == .creditExpired(value: 200))
    }

    // MARK: A coin on its way

    /// A coin of four pulses; something happens after the second of them.
    private static func insertCoin(
        into story: inout Story, meanwhile happens: (inout Story) -> Void
    ) {
        for pulse in 1...4 {
            story.open(.coinPulse)
            story.wait(.milliseconds(50))
            story.close(.coinPulse)
            story.wait(.milliseconds(50))
            if pulse == 2 { happens(&story) }
            story.wait(.milliseconds(50))
        }
        story.wait(.milliseconds(100))
    }

    @Test func `a fare is forfeited while a coin is counted, and the coin is credit`() {
        var story = Self.gate {
            $0.coinWhileUnlocked = .store
            $0.onWaitTimeout = .forfeit
        }
        story.insertCoin(pulses: 6)
        #expect(story.state == .released(.entry) && story.credit == 50)
        story.wait(.seconds(4.8))
        Self.insertCoin(into: &story) { _ in }
        #expect(
            story.records.suffix(6) == [
                .waitTimedOut(.entry), .creditReturned(value: 250), .creditForfeited(value: 250),
                .coinAccepted(Story.coin(pulses: 4)), .creditUsed(value: 250),
                .released(.entry, by: .credit(fare: 250)),
            ])
    }

    @Test func `an emergency that begins while a coin is counted takes no money`() {
        // Its first pulse counts, and not for how long the acceptors have been refusing coins.
        var story = Self.gate { $0.lateCoinWindow = .zero }
        story.insertCoin(pulses: 2)
        Self.insertCoin(into: &story) { $0.open(.fire) }
        #expect(story.records.contains(.emergencyStarted) && !story.isOn(.coinEnable))
        #expect(story.records.last == .coinLate(Story.coin(pulses: 4)))
        #expect(story.credit == 300)
        // One whose first pulse comes later is none.
        story.insertCoin(pulses: 1)
        #expect(story.records.contains(.coinInhibited(Story.coin(pulses: 1))))
        #expect(story.credit == 300)
    }

    @Test func `a mode that the schedule changes waits for the coin that is counted`() {
        var story = Self.gate { policy in
            var closing = ScheduleEntry(days: .all, from: 60, to: 120)
            closing.entry = .locked
            policy.schedule = [closing]
        }
        story.send(.clockRead(WeekTime(.monday, minute: 59)))
        story.wait(.seconds(59.8))
        var told: Record?
        var mode: Mode?
        Self.insertCoin(into: &story) { story in
            story.wait(.milliseconds(20))
            (told, mode) = (story.records.last, story.turnstile.gate.regime.entry)
        }
        #expect(told == .scheduleDeferred && mode == .controlled)
        #expect(
            story.records.suffix(3) == [
                .coinAccepted(Story.coin(pulses: 4)),
                .modeChanged(.entry, .locked, by: .schedule), .coinsRefused(.entryLocked),
            ])
        #expect(story.credit == 200)
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
