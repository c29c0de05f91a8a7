import StateMachines
import Stories
import Testing
import Turnstile

@Suite struct PassageStoryTests {
    @Test func `a gate starts locked, quiet and ready for coins`() {
        let story = Story()
        #expect(
            story.commands == [
                .set(.lockEntry, isOn: false), .set(.alarm, isOn: false),
                .set(.coinEnable, isOn: true), .record(.started),
            ])
        #expect(story.state == .locked)
    }

    @Test func `five coins pay for a passage, and the gate locks at its middle`() {
        var story = Story()
        for coin in 1...4 {
            story.insertCoin(pulses: 1)
            #expect(story.state == .locked)
            #expect(story.credit == 50 * coin)
        }
        story.insertCoin(pulses: 1)
        #expect(
            story.commands.suffix(5) == [
                .set(.lockEntry, isOn: true), .set(.coinEnable, isOn: false),
                .record(.coinAccepted(Story.coin(pulses: 1))),
                .record(.creditUsed(value: 250)),
                .record(.released(.entry, by: .credit(fare: 250))),
            ])
        #expect(story.state == .released(.entry))
        #expect(story.credit == 0)

        story.turn(1)
        #expect(story.state == .passing(.entry))
        #expect(story.isOn(.lockEntry))
        story.turn(2)
        #expect(!story.isOn(.lockEntry))
        story.turn(3, 0)
        #expect(story.state == .locked)
        #expect(
            story.commands.suffix(4) == [
                .record(.passageStarted(.entry)), .set(.lockEntry, isOn: false),
                .set(.coinEnable, isOn: true), .record(.passageCompleted(.entry, .paid)),
            ])
    }

    @Test func `the lock can wait for the end of the passage`() {
        var story = Story(Story.policy { $0.relockAt = .complete })
        story.insertCoin(pulses: 5)
        story.turn(1, 2, 3)
        #expect(story.isOn(.lockEntry))
        story.turn(0)
        #expect(!story.isOn(.lockEntry))
    }

    @Test func `nobody comes: the gate locks and the fare becomes credit again`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.wait(.milliseconds(4_999 - 100))
        #expect(story.state == .released(.entry))
        story.wait(.milliseconds(101))
        #expect(story.state == .locked)
        #expect(story.credit == 250)
        #expect(
            story.latest == [
                .set(.lockEntry, isOn: false), .set(.coinEnable, isOn: true),
                .record(.waitTimedOut(.entry)), .record(.creditReturned(value: 250)),
            ])
    }

    @Test func `nobody comes: the fare is the operator's where the owner says so`() {
        var story = Story(Story.policy { $0.onWaitTimeout = .forfeit })
        story.insertCoin(pulses: 5)
        story.wait(.seconds(6))
        #expect(story.credit == 0)
        #expect(
            story.records.suffix(3) == [
                .waitTimedOut(.entry), .creditReturned(value: 250), .creditForfeited(value: 250),
            ])
    }

    @Test func `whoever comes back to a retained fare pushes the arm and passes`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.wait(.seconds(6))
        story.turn(1)
        #expect(story.state == .passing(.entry))
        #expect(
            story.records.suffix(3) == [
                .creditUsed(value: 250), .released(.entry, by: .credit(fare: 250)),
                .passageStarted(.entry),
            ])
        story.turn(2, 3, 0)
        #expect(story.records.last == .passageCompleted(.entry, .paid))
        #expect(story.credit == 0)
    }

    @Test func `whoever leans on the arm while paying passes`() {
        var story = Story()
        story.turn(1)
        story.insertCoin(pulses: 5)
        #expect(story.state == .passing(.entry))
        story.turn(2, 3, 0)
        #expect(story.records.last == .passageCompleted(.entry, .paid))
    }

    @Test(arguments: [[1, 0], [1, 2, 1, 0], [1, 2, 3, 2, 1, 0]])
    func `a back-out does not use up the authorisation`(states: [Int]) {
        var story = Story()
        story.insertCoin(pulses: 5)
        for state in states { story.turn(state) }
        #expect(story.state == .released(.entry))
        #expect(story.isOn(.lockEntry))
        #expect(story.records.contains(.passageBackedOut(.entry)))
        story.walkIn()
        #expect(story.records.filter { $0 == .passageCompleted(.entry, .paid) }.count == 1)
        #expect(story.state == .locked)
    }

    @Test func `the wait does not run out on somebody who has set out`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.wait(.milliseconds(4_800))
        story.turn(1)
        story.wait(.seconds(10))
        #expect(story.state == .passing(.entry))
        #expect(story.isOn(.lockEntry))
    }

    @Test func `credit for a second passage releases the gate again`() {
        var story = Story()
        story.insertCoin(pulses: 10)
        #expect(story.credit == 250)
        story.walkIn()
        #expect(story.state == .released(.entry))
        #expect(story.credit == 0)
        story.walkIn()
        #expect(story.state == .locked)
    }

    @Test func `credit above the fare is the operator's where the owner says so`() {
        var story = Story(Story.policy { $0.overpay = .forfeit })
        story.insertCoin(pulses: 7)
        story.walkIn()
        #expect(story.credit == 0)
        #expect(story.records.last == .creditForfeited(value: 100))
    }

    @Test func `a coin that was on its way when the gate was released is credited`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.insertCoin(pulses: 2)
        #expect(story.records.last == .coinLate(Story.coin(pulses: 2)))
        #expect(story.credit == 100)
        #expect(story.state == .released(.entry))
    }

    @Test func `a contact grants one passage without a fare`() {
        var story = Story()
        story.press(.releaseEntry)
        #expect(
            story.latest == [
                .set(.lockEntry, isOn: true), .set(.coinEnable, isOn: false),
                .record(.released(.entry, by: .contact)),
            ])
        story.press(.releaseEntry)
        #expect(story.latest == [.record(.stored(.entry))])
        story.walkIn()
        #expect(
            story.records.suffix(2) == [
                .passageCompleted(.entry, .free), .released(.entry, by: .contact),
            ])
        story.walkIn()
        #expect(story.state == .locked)
        #expect(story.credit == 0)
    }

    @Test func `what a late shell hears counts at the time at which it happened`() {
        // How long a coin may be on its way counts from when the acceptors are told.
        let policy = Story.policy { $0.lateCoinWindow = .zero }
        var punctual = Story(policy)
        punctual.insertCoin(pulses: 5)
        punctual.wait(.seconds(6))
        punctual.turn(1)

        var late = Turnstile(policy: policy)
        let start = Instant.zero + .seconds(1000)
        _ = late.handle(Event(.started([]), at: start))
        for pulse in 0..<5 {
            let edge = start + .milliseconds(150 * pulse)
            _ = late.handle(Event(.changed(.coinPulse, isActive: true), at: edge))
            _ = late.handle(
                Event(.changed(.coinPulse, isActive: false), at: edge + .milliseconds(50)))
        }
        // Nobody said that time passed; the push alone tells.
        _ = late.handle(
            Event(.changed(.rotorA, isActive: true), at: punctual.now - .milliseconds(100)))
        _ = late.handle(Event(.timePassed, at: punctual.now))
        #expect(late == punctual.turnstile)
    }

    @Test func `a late shell does what was due in the order in which it was due`() {
        var story = Story(Story.policy { $0.alarmHold = .seconds(1) })
        story.insertCoin(pulses: 5)
        story.turn(3, 2, 1, 0)
        // The alarm ends before the wait does; the shell hears of both when both are long over.
        var late = story.turnstile
        let outcome = late.handle(Event(.timePassed, at: story.now + .seconds(60)))
        #expect(
            outcome.commands.compactMap(\.record) == [
                .alarmCleared(.reversePassage), .waitTimedOut(.entry), .creditReturned(value: 250),
            ])
    }

    // MARK: Time and again

    @Test func `nobody has the gate for ever by going back again and again`() {
        var story = Story()
        story.press(.releaseEntry)
        for _ in 0..<10 {
            story.wait(.seconds(3))
            story.turn(1, 0)
            #expect(story.state == .released(.entry))
        }
        story.wait(.seconds(2))
        story.turn(1, 0)
        story.wait(.seconds(1))
        #expect(story.records.last == .waitTimedOut(.entry))
        #expect(story.state == .locked)
    }

    @Test func `whoever stands in a locked rotor is told of, until it is home`() {
        var story = Story()
        story.turn(1)
        story.wait(.seconds(29))
        #expect(!story.records.contains(.alarmRaised(.passageDelayed)))
        story.wait(.seconds(1))
        #expect(story.records.last == .alarmRaised(.passageDelayed))
        story.turn(0)
        #expect(story.records.last == .alarmCleared(.passageDelayed))
    }

    @Test func `whoever goes back behind the middle is not locked in there`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.turn(1, 2)
        #expect(!story.isOn(.lockEntry))
        story.turn(1)
        #expect(story.isOn(.lockEntry))
        story.turn(2)
        #expect(!story.isOn(.lockEntry))
    }

    @Test func `nothing engages on somebody who goes back as they reach the middle`() {
        let debounce = Duration.milliseconds(5)
        var story = Story(debounce: [.rotorA: debounce, .rotorB: debounce])
        story.insertCoin(pulses: 5)
        story.turn(1)
        story.open(.rotorB)
        story.wait(.milliseconds(13))
        story.close(.rotorB)
        // That they were there counts now, and that they are not will in two milliseconds.
        story.wait(.milliseconds(3))
        #expect(story.isOn(.lockEntry))
        story.turn(1, 0)
        #expect(story.state == .released(.entry))
    }

    @Test func `a wait that ends as somebody sets out does not end before them`() {
        var story = Story()
        story.press(.releaseEntry)
        story.wait(.milliseconds(4995))
        story.open(.rotorA)
        story.wait(.milliseconds(100))
        #expect(story.state == .passing(.entry))
        #expect(!story.records.contains(.waitTimedOut(.entry)))
    }

    @Test func `one that was over meanwhile ends with the bounce`() {
        var story = Story()
        story.press(.releaseEntry)
        story.wait(.milliseconds(4995))
        story.open(.rotorA)
        story.wait(.milliseconds(8))
        #expect(story.state == .released(.entry))
        story.close(.rotorA)
        #expect(story.state == .released(.entry))
        story.wait(.milliseconds(10))
        #expect(story.state == .locked)
        #expect(story.records.last == .waitTimedOut(.entry))
    }

    // MARK: Noise

    @Test func `a glitch of the sensors is nobody's passage`() {
        var story = Story()
        for _ in 0..<10 { Self.glitch(&story, [.rotorA, .rotorB]) }
        #expect(story.records == [.started] + Array(repeating: .rotorNoise, count: 10))
        story.insertCoin(pulses: 5)
        Self.glitch(&story, [.rotorB, .rotorA])
        #expect(story.state == .released(.entry))
        story.walkIn()
        #expect(story.records.last == .passageCompleted(.entry, .paid))
    }

    @Test func `a glitch while somebody passes is no end of it`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.turn(1, 2)
        story.close(.rotorA)
        story.close(.rotorB)
        story.wait(.milliseconds(50))
        story.open(.rotorA)
        story.open(.rotorB)
        #expect(story.records.last == .rotorNoise)
        story.turn(3, 0)
        #expect(story.records.last == .passageCompleted(.entry, .paid))
    }

    @Test func `both sensors for longer are a fault`() {
        var story = Story()
        story.open(.rotorA)
        story.open(.rotorB)
        story.wait(.milliseconds(500))
        #expect(story.records.contains(.faultRaised(.illegalRotorTransition)))
    }

    private static func glitch(_ story: inout Story, _ sensors: [Input]) {
        for sensor in sensors { story.open(sensor) }
        story.wait(.milliseconds(50))
        for sensor in sensors { story.close(sensor) }
        story.wait(.seconds(1))
    }
}
