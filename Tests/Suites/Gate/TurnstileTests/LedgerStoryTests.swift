import StateMachines
import Stories
import Testing
import Turnstile

/// A gate with a ledger: who is let in when, and what a new one takes over.
@Suite struct LedgerStoryTests {
    private static let fare = Story.coin(pulses: 5)

    private static func gate(_ balances: Balances = Balances(), _ levels: InputLevels = []) -> Story
    {
        Story(levels: levels, ledger: balances)
    }

    /// Five pulses, and the first so many milliseconds of the silence after them.
    private static func pulses(_ story: inout Story, silence: Int) {
        story.insertCoin(pulses: 5)
        story.wait(.milliseconds(silence - 200))
    }

    // MARK: Who is let in

    @Test func `a gate without a ledger asks for nothing`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        #expect(story.state == .released(.entry))
        #expect(!story.commands.contains(.store))
        #expect(!story.records.contains(.coinCounted(Self.fare)))
    }

    @Test func `a coin that is stored in the quiet time lets in at once`() {
        var story = Self.gate()
        for _ in 0..<5 {
            story.send(.changed(.coinPulse, isActive: true))
            story.wait(.milliseconds(50))
            story.send(.changed(.coinPulse, isActive: false))
            story.wait(.milliseconds(100))
        }
        story.wait(.milliseconds(49))
        #expect(story.latest == [])
        story.wait(.milliseconds(1))
        #expect(story.latest == [.record(.coinCounted(Self.fare)), .store])
        story.send(.durable)
        story.wait(.milliseconds(49))
        #expect(story.state == .locked)
        story.wait(.milliseconds(1))
        #expect(story.state == .released(.entry))
        #expect(!story.latest.contains(.store))
    }

    @Test func `a coin that is stored late lets in when it is`() {
        var story = Self.gate()
        story.insertCoin(pulses: 5)
        #expect(story.credit == 250)
        #expect(!story.isOn(.lockEntry))
        story.send(.durable)
        #expect(story.latest.first == .set(.lockEntry, isOn: true))
        #expect(story.credit == 0)
    }

    @Test func `an answer is none to what was due before it`() {
        var story = Self.gate()
        story.insertCoin(pulses: 2)
        // The shell is late: the second coin is counted and credited when it hears of the answer.
        for _ in 0..<3 {
            story.send(.changed(.coinPulse, isActive: true))
            story.wait(.milliseconds(50))
            story.send(.changed(.coinPulse, isActive: false))
            story.wait(.milliseconds(100))
        }
        var late = story.turnstile
        let time = story.now + .milliseconds(400)
        let commands = Array(late.handle(Event(.durable, at: time)).commands)
        #expect(commands.last == .store)
        #expect(late.status.credit == 250)
        #expect(late.status.state == .locked)
        let answer = late.handle(Event(.durable, at: time + .milliseconds(10)))
        #expect(Array(answer.commands).first == .set(.lockEntry, isOn: true))
    }

    @Test func `whoever pushes before the coin is stored passes when it is`() {
        var story = Self.gate()
        story.insertCoin(pulses: 5)
        story.turn(1)
        #expect(story.state == .locked)
        story.send(.durable)
        #expect(story.state == .passing(.entry))
        story.turn(2, 3, 0)
        #expect(story.records.last == .passageCompleted(.entry, .paid))
    }

    @Test func `credit that was given back after its wait is not let in by an answer`() {
        var story = Self.gate()
        story.insertCoin(pulses: 5)
        story.send(.durable)
        story.wait(.seconds(5))
        #expect(story.credit == 250)
        // Somebody's first pulse is counted and stored; the coin is not over.
        story.send(.changed(.coinPulse, isActive: true))
        story.wait(.milliseconds(50))
        story.send(.changed(.coinPulse, isActive: false))
        story.wait(.milliseconds(160))
        story.send(.durable)
        #expect(story.state == .locked)
        story.wait(.milliseconds(40))
        #expect(story.state == .released(.entry))
    }

    @Test func `contacts and emergencies wait for no ledger`() {
        var story = Self.gate()
        story.insertCoin(pulses: 5)
        story.send(.storageFailed)
        story.press(.releaseEntry)
        #expect(story.state == .released(.entry))
        story.open(.fire)
        #expect(story.isOn(.lockEntry))
    }

    @Test func `a ledger that fails refuses coins, until it does not`() {
        var story = Self.gate()
        story.send(.storageFailed)
        #expect(story.records.last == .faultRaised(.storageFailed))
        #expect(!story.isOn(.coinEnable))
        #expect("\(story.status)" == "locked, coins refused (F18 storage_failed)")
        story.send(.durable)
        #expect(story.records.last == .faultCleared(.storageFailed))
        #expect(story.isOn(.coinEnable))
        #expect("\(story.status)" == "locked")
    }

    // MARK: What a new gate takes over

    private static func balances(_ records: Record...) -> Balances {
        records.reduce(into: Balances()) { $0.count($1) }
    }

    @Test func `credit lets nobody in by itself, but whoever pushes`() {
        var story = Self.gate(Self.balances(.coinAccepted(Self.fare)))
        #expect(story.records == [.started, .creditRecovered(value: 250)])
        story.wait(.seconds(60))
        #expect(story.state == .locked)
        story.walkIn()
        #expect(story.records.last == .passageCompleted(.entry, .paid))
        #expect(story.credit == 0)
    }

    @Test func `a coin that was counted is credited`() {
        let story = Self.gate(Self.balances(.coinCounted(Self.fare)))
        #expect(
            story.records == [
                .started, .coinInDoubt(Self.fare), .coinLate(Self.fare),
                .creditRecovered(value: 250),
            ])
        #expect(!story.commands.contains(.store))
    }

    @Test func `a coin that was counted is in doubt, whatever else is held`() {
        let story = Self.gate(
            Self.balances(.coinAccepted(Self.fare), .coinCounted(Self.fare)))
        #expect(
            story.records == [
                .started, .coinInDoubt(Self.fare), .coinLate(Self.fare),
                .creditRecovered(value: 500),
            ])
    }

    @Test func `what was in doubt is counted, whatever was assumed`() {
        var values = RegisterValues()
        for assumption in [Assumption.made, .notMade, .underWay] {
            values.count(.passageInDoubt(.entry, .paid, assumption))
        }
        #expect(values.passagesInDoubt == 3)
    }

    @Test func `a coin that was counted is counted by the meter as well`() {
        var story = Story(
            equipment: .oneWay.with(outputs: .coinMeter),
            ledger: Self.balances(.coinCounted(Self.fare)))
        story.wait(.seconds(5))
        #expect(story.commands.count { $0 == .set(.coinMeter, isOn: true) } == 5)
    }

    @Test func `a fare that nobody had begun to use is credit again`() {
        let story = Self.gate(
            Self.balances(.coinAccepted(Self.fare), .creditUsed(value: 250)))
        #expect(
            story.records == [
                .started, .passageInDoubt(.entry, .paid, .notMade), .creditReturned(value: 250),
                .creditRecovered(value: 250),
            ])
        #expect(story.credit == 250)
    }

    @Test func `a fare whose passage had begun is used`() {
        let story = Self.gate(
            Self.balances(
                .coinAccepted(Self.fare), .creditUsed(value: 250), .passageStarted(.entry)))
        #expect(
            story.records == [
                .started, .passageInDoubt(.entry, .paid, .made), .passageLost(.entry, .paid),
            ])
        #expect(story.credit == 0)
    }

    @Test func `a fare is used if somebody stands in the rotor`() {
        let balances = Self.balances(.coinAccepted(Self.fare), .creditUsed(value: 250))
        var story = Self.gate(balances, InputLevels(.rotorA))
        // Of whom it is nobody knows until the ledger says so.
        #expect(
            story.records == [.started, .passageInDoubt(.entry, .unauthorised, .underWay)])
        story.turn(0)
        #expect(story.records.last == .passageRecovered(.entry, .paid))
    }

    @Test func `a gate is counted on from where it was, whenever it ends`() {
        // Every life ends somewhere in the next; the money of all of them is that of the coins.
        var story = Self.gate()
        story.insertCoin(pulses: 5)
        story.send(.durable)
        story.walkIn()
        story.insertCoin(pulses: 7)
        story.send(.durable)
        story.turn(1, 2)
        for end in story.records.indices {
            let known = story.records[...end].reduce(into: Balances()) { $0.count($1) }
            let next = Self.gate(known)
            var all = RegisterValues()
            for record in story.records[...end] + next.records { all.count(record) }
            #expect(all.creditHeld == Int64(next.credit))
            #expect(all.fareInUse == 0)
            #expect(all.valueIn == all.faresUsed + all.creditHeld)
        }
    }
}
