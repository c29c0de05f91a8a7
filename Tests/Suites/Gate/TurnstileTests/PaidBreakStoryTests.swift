import StateMachines
import Stories
import Testing

@testable import Turnstile

/// A service that starts anew while somebody is awaited who has paid.
@Suite struct PaidBreakStoryTests {
    private static let policies = RepairPolicy.allCases.map { resumes in
        Story.policy { $0.repairResumes = resumes }
    }

    /// Somebody has paid, and the gate is released for them.
    private static func paid(
        _ policy: Policy = Story.policy(), equipment: Equipment = .oneWay, pulses: Int = 5
    ) -> Story {
        var story = Story(policy, equipment: equipment, ledger: Balances())
        story.insertCoin(pulses: pulses)
        story.send(.durable)
        precondition(story.state == .released(.entry))
        return story
    }

    /// What a ledger holds that has heard all that the story recorded, after `before`.
    private static func balances(_ story: Story, after before: Balances = Balances()) -> Balances {
        story.records.reduce(into: before) { $0.count($1) }
    }

    /// The service crashes for a moment, and the ledger of the next process opens after `delay`.
    private static func crash(
        _ story: Story, for absence: Duration = .milliseconds(100), levels: InputLevels = [],
        opening delay: Duration = .milliseconds(50)
    ) -> Story {
        let held = balances(story)
        var next = story.restarted(after: absence, levels: levels, connection: .awaited)
        next.wait(delay)
        next.send(.ledgerOpened(held))
        return next
    }

    @Test(arguments: policies)
    func `a crash of a moment takes nobody's turn who has paid`(policy: Policy) {
        var story = Self.paid(policy)
        let paid = story.records
        let held = Self.balances(story)
        #expect(held.fareInUse == 250)
        story = story.restarted(after: .milliseconds(100), connection: .awaited)
        #expect(story.records == [.started])
        #expect(!story.isOn(.lockEntry))
        story.wait(.milliseconds(50))
        story.send(.ledgerOpened(held))
        #expect(
            story.records == [
                .started, .passageInDoubt(.entry, .paid, .notMade), .creditReturned(value: 250),
                .creditRecovered(value: 250), .creditUsed(value: 250),
                .released(.entry, by: .credit(fare: 250)),
            ])
        #expect(story.state == .released(.entry))
        story.walkIn()
        #expect(story.records.last == .passageCompleted(.entry, .paid))
        #expect(story.state == .locked)
        #expect(Self.balances(story, after: held) == Balances())
        var registers = RegisterValues()
        for record in paid + story.records { registers.count(record) }
        #expect(registers.valueIn == 250 && registers.faresUsed == 250)
        #expect(registers.fareInUse == 0 && registers.creditHeld == 0)
        #expect(registers.passages.total == 1)
    }

    @Test func `the ledger has as long to open as anybody waits`() {
        let wait = Story.policy().passWait
        var story = Self.crash(Self.paid(), opening: wait - .nanoseconds(1))
        #expect(story.state == .released(.entry))
        story = Self.crash(Self.paid(), opening: wait)
        #expect(story.state == .locked)
        #expect(story.credit == 250)
        #expect(story.turnstile.retained.payer == nil)
        story.walkIn()
        #expect(story.records.last == .passageCompleted(.entry, .paid))
    }

    @Test func `after a long break what they paid is credit`() {
        let wait = Story.policy().passWait
        #expect(
            Self.crash(Self.paid(), for: wait - .nanoseconds(1)).state == .released(.entry))
        let story = Self.crash(Self.paid(), for: wait)
        #expect(story.state == .locked)
        #expect(story.credit == 250)
    }

    @Test func `who comes no more has had their wait`() {
        var story = Self.crash(Self.paid(Story.policy { $0.onWaitTimeout = .forfeit }))
        story.wait(Story.policy().passWait)
        #expect(story.records.suffix(3).first == .waitTimedOut(.entry))
        #expect(story.records.last == .creditForfeited(value: 250))
        #expect(story.credit == 0)
        story.turn(1, 0)
        #expect(story.state == .locked)
    }

    @Test func `nobody is let in twice for one fare`() {
        var story = Self.crash(Self.paid())
        story.walkIn()
        let held = Self.balances(Self.paid())
        let rest = Self.balances(story, after: held)
        story = story.restarted(after: .milliseconds(100), connection: .awaited)
        story.send(.ledgerOpened(rest))
        #expect(story.records == [.started])
        story.turn(1, 0)
        #expect(story.state == .locked)
    }

    @Test func `of two fares the one that the gate was released for opens it, and no more`() {
        var story = Self.crash(Self.paid(pulses: 10))
        #expect(story.state == .released(.entry))
        #expect(story.credit == 250)
        story.walkIn()
        #expect(story.state == .locked)
        story.walkIn()
        #expect(story.records.count { $0 == .passageCompleted(.entry, .paid) } == 2)
        #expect(story.credit == 0)
    }

    @Test func `a fare of which the ledger has heard too late is used once`() {
        var story = Self.paid()
        let held = Balances.holding(250)
        story = story.restarted(after: .milliseconds(100), connection: .awaited)
        story.send(.ledgerOpened(held))
        #expect(
            story.records == [
                .started, .creditRecovered(value: 250), .creditUsed(value: 250),
                .released(.entry, by: .credit(fare: 250)),
            ])
        story.walkIn()
        #expect(Self.balances(story, after: held) == Balances())
    }

    @Test func `a fare whose passage had begun is used, whatever else is known`() {
        var story = Self.paid(pulses: 10)
        var held = Self.balances(story)
        held.isFareBegun = true
        story = story.restarted(after: .milliseconds(100), connection: .awaited)
        story.send(.ledgerOpened(held))
        #expect(story.records.contains(.passageLost(.entry, .paid)))
        #expect(story.state == .locked)
        #expect(story.credit == 250)
    }

    @Test func `who begins to pass before the crash is let out, and in no more`() {
        var story = Self.paid()
        story.turn(1)
        story = Self.crash(story, levels: InputLevels(.rotorA))
        #expect(story.state == .passing(.entry))
        story.turn(0)
        #expect(story.records.last == .passageRecovered(.entry, .paid))
        #expect(story.state == .locked)
        #expect(story.credit == 0)
    }

    @Test func `for whom stands in the rotor at the start it is not released again`() {
        var story = Self.crash(Self.paid(pulses: 10), levels: InputLevels(.rotorA))
        #expect(story.state == .passing(.entry))
        story.turn(0)
        #expect(story.records.last == .passageRecovered(.entry, .paid))
        #expect(story.state == .locked)
        #expect(story.credit == 250)
    }

    @Test func `an open loop makes credit of what they paid`() {
        var story = Self.crash(Self.paid(), levels: InputLevels(.fire))
        #expect(story.state == .emergency)
        story.close(.fire)
        story.press(.emergencyResetKey)
        #expect(story.state == .locked)
        #expect(story.credit == 250)
        #expect(!story.records.contains(.creditUsed(value: 250)))
    }

    @Test func `so does one that opens before the ledger does`() {
        let paid = Self.paid()
        var story = paid.restarted(after: .milliseconds(100), connection: .awaited)
        story.open(.fire)
        story.close(.fire)
        story.press(.emergencyResetKey)
        story.send(.ledgerOpened(Self.balances(paid)))
        #expect(story.state == .locked)
        #expect(story.credit == 250)
    }

    @Test func `while the stop contact is held they are put off`() {
        let paid = Self.paid(equipment: .oneWay.with(.stop))
        var story = Self.crash(paid, levels: InputLevels(.stop))
        #expect(!story.isOn(.lockEntry))
        story.wait(.seconds(60))
        story.close(.stop)
        #expect(story.state == .released(.entry))
        #expect(story.credit == 0)
    }

    @Test func `who was put off by the stop contact is put off over a crash`() {
        var story = Self.paid(equipment: .oneWay.with(.stop))
        story.open(.stop)
        story.wait(.seconds(60))
        story = Self.crash(story, levels: InputLevels(.stop))
        story.close(.stop)
        #expect(story.state == .released(.entry))
    }

    @Test(arguments: policies) func `a fault at the start is an outage`(policy: Policy) {
        let paid = Self.paid(policy, equipment: .oneWay.with(.powerLow))
        var short = Self.crash(paid, levels: InputLevels(.powerLow))
        #expect(!short.isOn(.lockEntry))
        short.close(.powerLow)
        #expect(short.state == .released(.entry))
        var long = Self.crash(paid, levels: InputLevels(.powerLow))
        long.wait(.seconds(10))
        long.close(.powerLow)
        #expect((long.state == .released(.entry)) == (policy.repairResumes == .previous))
        #expect(long.credit == (policy.repairResumes == .previous ? 0 : 250))
    }

    @Test func `the mechanic who takes the gate makes credit of it`() {
        let paid = Self.paid()
        var story = paid.restarted(after: .milliseconds(100), connection: .awaited)
        story.open(.serviceKey)
        story.wait(.seconds(4))
        #expect(story.records.contains(.serviceStarted(by: .serviceKey)))
        story.close(.serviceKey)
        story.send(.ledgerOpened(Self.balances(paid)))
        story.press(.serviceKey)
        #expect(story.state == .locked)
        #expect(story.credit == 250)
    }

    @Test(arguments: [Mode.free, .locked])
    func `a way in that is not controlled any more makes credit of it`(mode: Mode) {
        var paid = Self.paid()
        #expect(paid.ask(.setMode(.entry, mode, until: nil)) == .deferred)
        let story = Self.crash(paid)
        #expect(story.state == (mode == .free ? .free : .locked))
        #expect(story.credit == 250)
        #expect(!story.records.contains(.creditUsed(value: 250)))
    }

    @Test func `whoever pushes before the ledger is open is on the way when it is`() {
        let paid = Self.paid()
        var story = paid.restarted(after: .milliseconds(100), connection: .awaited)
        story.turn(1)
        #expect(story.state == .locked)
        story.send(.ledgerOpened(Self.balances(paid)))
        #expect(story.state == .passing(.entry))
        story.turn(2, 3, 0)
        #expect(story.records.last == .passageCompleted(.entry, .paid))
        story = paid.restarted(after: .milliseconds(100), connection: .awaited)
        story.turn(1, 0)
        story.send(.ledgerOpened(Self.balances(paid)))
        #expect(story.state == .released(.entry))
    }

    @Test func `who has the gate by then comes first`() {
        let paid = Self.paid()
        var story = paid.restarted(after: .milliseconds(100), connection: .awaited)
        story.press(.releaseEntry)
        story.send(.ledgerOpened(Self.balances(paid)))
        #expect(story.credit == 250)
        story.walkIn()
        #expect(story.records.last == .released(.entry, by: .credit(fare: 250)))
        story.walkIn()
        #expect(story.records.last == .passageCompleted(.entry, .paid))
    }

    @Test func `what they paid is their fare, whatever a passage costs since the start`() {
        let paid = Self.paid()
        var state = paid.turnstile.retained
        state.absence = .milliseconds(100)
        for price in [200, 300] {
            var story = Story(
                Story.policy { $0.price = price }, connection: .awaited, recovery: .known(state),
                now: paid.now)
            story.send(.ledgerOpened(Self.balances(paid)))
            #expect(story.records.last == .released(.entry, by: .credit(fare: 250)))
            #expect(story.credit == 0)
        }
    }

    @Test(arguments: [50, 250, 300])
    func `who follows somebody pays what they had paid, with the whole wait`(price: Int) {
        let paid = Self.paid()
        var state = paid.turnstile.retained
        state.absence = .milliseconds(100)
        var story = Story(
            Story.policy { $0.price = price }, connection: .awaited, recovery: .known(state),
            now: paid.now)
        story.press(.releaseEntry)
        story.send(.ledgerOpened(Self.balances(paid)))
        story.wait(.seconds(4))
        story.walkIn()
        #expect(story.records.last == .released(.entry, by: .credit(fare: 250)))
        #expect(story.credit == 0)
        story.wait(Story.policy().passWait - .milliseconds(101))
        #expect(story.state == .released(.entry))
    }

    @Test func `a second crash takes nobody's turn who follows somebody, or is put off`() {
        for input in [Input.releaseEntry, .stop] {
            let paid = Self.paid(equipment: .oneWay.with(.stop))
            let held = Self.balances(paid)
            var story = paid.restarted(after: .milliseconds(100), connection: .awaited)
            input == .stop ? story.open(.stop) : story.press(input)
            story.send(.ledgerOpened(held))
            #expect(story.turnstile.retained.payer == .init(fare: 250))
            let rest = Self.balances(story, after: held)
            story = story.restarted(
                after: .milliseconds(100), levels: input == .stop ? InputLevels(.stop) : [],
                connection: .awaited)
            story.send(.ledgerOpened(rest))
            input == .stop ? story.close(.stop) : story.walkIn()
            #expect(story.records.last == .released(.entry, by: .credit(fare: 250)))
            story.walkIn()
            #expect(story.records.last == .passageCompleted(.entry, .paid))
        }
    }

    @Test func `what was above the fare is forfeited over a crash, and no coin that came later`() {
        let policy = Story.policy {
            $0.overpay = .forfeit
            $0.coinWhileUnlocked = .store
        }
        for (pulses, later, left) in [(5, 1, 50), (7, 0, 0), (7, 1, 50), (10, 0, 250)] {
            var paid = Self.paid(policy, pulses: pulses)
            if later > 0 { paid.insertCoin(pulses: later) }
            let held = Self.balances(paid)
            var story = paid.restarted(after: .milliseconds(100), connection: .awaited)
            story.send(.ledgerOpened(held))
            story.walkIn()
            #expect(story.records.contains(.passageCompleted(.entry, .paid)))
            #expect(story.credit == left)
        }
    }

    @Test func `a crash before the ledger is open, and one after, take nothing either`() {
        let paid = Self.paid()
        let held = Self.balances(paid)
        var story = paid.restarted(after: .milliseconds(100), connection: .awaited)
        story.wait(.milliseconds(100))
        story = story.restarted(after: .milliseconds(100), connection: .awaited)
        story.send(.ledgerOpened(held))
        #expect(story.state == .released(.entry))
        let rest = Self.balances(story, after: held)
        story = story.restarted(after: .milliseconds(100), connection: .awaited)
        story.send(.ledgerOpened(rest))
        #expect(story.state == .released(.entry))
        story.walkIn()
        #expect(Self.balances(story, after: rest) == Balances())
    }

    @Test func `nobody has the gate for ever by crashes, nor by a ledger that does not open`() {
        let policy = Story.policy()
        var story = Self.paid(policy)
        var held = Balances()
        let end = story.now + policy.passWait + policy.passDelayAlarm
        while story.now < end {
            #expect(story.state == .released(.entry))
            story.wait(.seconds(4))
            held = Self.balances(story, after: held)
            story = story.restarted(after: .milliseconds(100), connection: .awaited)
            story.send(.ledgerOpened(held))
        }
        #expect(story.state == .locked)
        #expect(story.credit == 250)
        // Each of these waits for a ledger, and nobody for them.
        story = Self.paid(policy)
        let fare = Self.balances(story)
        story = story.restarted(after: .milliseconds(100), connection: .awaited)
        story.wait(.seconds(20))
        story = story.restarted(after: .milliseconds(100), connection: .awaited)
        story.send(.ledgerOpened(fare))
        #expect(story.state == .locked)
        #expect(story.credit == 250)
    }

    @Test func `nor who was put off by the stop contact, and had no wait yet`() {
        let policy = Story.policy()
        var story = Self.paid(policy, equipment: .oneWay.with(.stop))
        story.open(.stop)
        let held = Self.balances(story)
        let end = story.now + policy.passWait + policy.passDelayAlarm + .seconds(1)
        while story.now < end {
            story = story.restarted(after: .milliseconds(100), connection: .awaited)
            story.wait(.seconds(4))
        }
        story.send(.ledgerOpened(held))
        #expect(story.state == .locked)
        #expect(story.credit == 250)
    }

    @Test func `another boot knows of nobody who had paid, nor does a gate without a ledger`() {
        let paid = Self.paid()
        #expect(paid.turnstile.retained.payer?.fare == 250)
        #expect(paid.turnstile.retained.isAnybodyAwaited)
        #expect(paid.turnstile.retained.lasting == RetainedState())
        var story = Story()
        story.insertCoin(pulses: 5)
        #expect(story.state == .released(.entry))
        #expect(story.turnstile.retained == RetainedState())
    }

    @Test func `a ledger that is open at once lets them in at once, in a gate in service`() {
        let paid = Self.paid(equipment: .oneWay.with(.powerLow))
        var state = paid.turnstile.retained
        state.absence = .zero
        for levels in [InputLevels(), InputLevels(.powerLow)] {
            var story = Story(
                equipment: .oneWay.with(.powerLow), levels: levels, ledger: Self.balances(paid),
                recovery: .known(state), now: paid.now)
            #expect(story.isOn(.lockEntry) == levels.isEmpty)
            if !levels.isEmpty { story.close(.powerLow) }
            #expect(story.state == .released(.entry))
        }
    }
}
