import StateMachines
import Stories
import Testing

@testable import Turnstile

/// A service that starts anew while somebody is awaited, or a coin is on its way.
@Suite struct BreakStoryTests {
    // MARK: Who was let pass

    private static let policies = RepairPolicy.allCases.map { resumes in
        Story.policy { $0.repairResumes = resumes }
    }

    @Test(arguments: policies) func `a crash of a moment takes nobody's turn`(policy: Policy) {
        var story = Story(policy)
        story.press(.releaseEntry)
        story.press(.releaseEntry)
        story = story.restarted(after: .milliseconds(100))
        #expect(story.records == [.started])
        #expect(story.state == .released(.entry))
        #expect(story.status.stored == 1)
        story.walkIn()
        #expect(story.records.contains(.passageCompleted(.entry, .free)))
        #expect(story.records.last == .released(.entry, by: .contact))
    }

    @Test(arguments: policies) func `after a long break the gate opens for nobody`(policy: Policy) {
        var story = Story(policy)
        story.press(.releaseEntry)
        story.press(.releaseEntry)
        let short = story.restarted(after: policy.passWait - .nanoseconds(1))
        #expect(short.state == .released(.entry))
        story = story.restarted(after: policy.passWait)
        #expect(story.records == [.started, .storedDropped(2)])
        #expect(story.state == .locked)
        #expect(story.turnstile.retained == RetainedState())
    }

    @Test func `nobody knows of a break how long it was, and it counts as a long one`() {
        var state = RetainedState()
        state.queue = .init(entry: 1)
        let story = Story(recovery: .known(state))
        #expect(story.records == [.started, .storedDropped(1)])
    }

    @Test func `a mode that comes into force with the start takes it as well`() {
        var story = Story()
        story.press(.releaseEntry)
        #expect(story.ask(.setMode(.entry, .locked, until: nil)) == .deferred)
        story = story.restarted(after: .zero)
        #expect(story.records.contains(.storedDropped(1)))
        #expect(!story.isOn(.lockEntry))
    }

    @Test func `an open loop takes everybody's turn`() {
        var story = Story()
        story.press(.releaseEntry)
        story = story.restarted(after: .zero, levels: InputLevels(.fire))
        #expect(story.records == [.started, .storedDropped(1), .emergencyStarted])
    }

    @Test func `who stood before the gate comes first, as before`() {
        var story = Story(equipment: .twoWays)
        story.press(.releaseExit)
        story.press(.releaseEntry)
        story = story.restarted(after: .seconds(1))
        #expect(story.state == .released(.exit))
        #expect(story.status.stored == 1)
    }

    @Test func `the wait begins anew, and nobody has the gate for ever by crashes`() {
        let policy = Story.policy()
        var story = Story(policy)
        story.press(.releaseEntry)
        let longest = policy.passWait + policy.passDelayAlarm
        let end = story.now + longest
        var hasEnded = false
        while story.now < end, story.state == .released(.entry) {
            story.wait(.seconds(4))
            hasEnded = story.records.contains(.waitTimedOut(.entry))
            #expect(hasEnded == (story.state == .locked))
            story = story.restarted(after: .milliseconds(100))
            hasEnded = hasEnded || story.records.contains(.waitTimedOut(.entry))
        }
        #expect(hasEnded)
        #expect(story.now < end + .seconds(5))
    }

    @Test func `while the stop contact is held they are put off`() {
        var story = Story(equipment: .oneWay.with(.stop))
        story.press(.releaseEntry)
        story = story.restarted(after: .seconds(1), levels: InputLevels(.stop))
        #expect(!story.isOn(.lockEntry))
        story.close(.stop)
        #expect(story.isOn(.lockEntry))
    }

    @Test func `who is let out before them takes nothing from their turn`() {
        var story = Story(equipment: .oneWay.with(outputs: .lockExit))
        story.press(.releaseEntry)
        var state = story.turnstile.retained
        state.passage = .init(.exit, .free)
        state.absence = .zero
        story = Story(
            equipment: .oneWay.with(outputs: .lockExit), levels: InputLevels(.rotorA),
            recovery: .known(state))
        #expect(story.status.stored == 1)
        story.turn(0)
        #expect(story.records.last == .released(.entry, by: .contact))
    }

    // MARK: Coins on their way

    /// Coins of one, two and five pulses.
    private static let table = Story.policy {
        $0.coins[.first].values = .exact([1: 50, 2: 100, 5: 500])
    }

    private static func pulse(_ story: inout Story) {
        story.send(.changed(.coinPulse, isActive: true))
        story.wait(.milliseconds(50))
        story.send(.changed(.coinPulse, isActive: false))
        story.wait(.milliseconds(100))
    }

    private static func pulses(_ count: Int, _ policy: Policy = Story.policy()) -> Story {
        var story = Story(policy)
        for _ in 0..<count { pulse(&story) }
        return story
    }

    @Test func `what was counted of a coin in a burst of noise is credited, in doubt`() {
        var story = Self.pulses(2)
        for _ in 0..<6 {
            story.open(.coinPulse)
            story.wait(.milliseconds(5))
            story.close(.coinPulse)
            story.wait(.milliseconds(30))
        }
        #expect(story.turnstile.gate.faults.isUp(.noiseBurst(.first)))
        story = story.restarted(after: .seconds(1))
        story.wait(.milliseconds(200))
        #expect(story.records.contains(.coinInDoubt(Story.coin(pulses: 2))))
        #expect(story.credit == 100)
    }

    @Test(arguments: [Story.policy(), table])
    func `a coin is counted on where no edge is missing`(policy: Policy) {
        var story = Self.pulses(4, policy).restarted(after: .milliseconds(50))
        #expect(story.records == [.started])
        Self.pulse(&story)
        story.wait(.milliseconds(200))
        #expect(
            story.records.contains {
                if case .coinAccepted(let coin) = $0 { coin.pulses == 5 } else { false }
            })
        #expect(!story.records.contains { if case .coinInDoubt = $0 { true } else { false } })
    }

    @Test func `of a table a coin that was cut is none, nor is the rest of it another one`() {
        var story = Self.pulses(2, Self.table).restarted(after: .seconds(2), isDeaf: true)
        story.wait(.milliseconds(100))
        Self.pulse(&story)
        story.wait(.seconds(1))
        #expect(
            story.records == [
                .started, .coinUnknown(.first, pulses: 3), .faultRaised(.unknownPulseCount),
                .faultCleared(.unknownPulseCount),
            ])
        #expect(story.credit == 0)
        // The next one is whole.
        Self.pulse(&story)
        story.wait(.seconds(1))
        #expect(story.credit == 50)
    }

    @Test func `where each pulse is worth as much, a coin that was cut is in doubt`() {
        var story = Self.pulses(2).restarted(after: .seconds(2), isDeaf: true)
        story.wait(.seconds(1))
        #expect(
            story.records == [
                .started, .coinInDoubt(Story.coin(pulses: 2)),
                .coinAccepted(Story.coin(pulses: 2)),
            ])
    }

    @Test func `a coin that was over meanwhile is credited at the start`() {
        let story = Self.pulses(2).restarted(after: .seconds(2))
        #expect(story.records == [.started, .coinAccepted(Story.coin(pulses: 2))])
    }

    @Test func `a pulse that goes on over a restart is as wide as it is`() {
        var story = Self.pulses(0)
        story.send(.changed(.coinPulse, isActive: true))
        story.wait(.milliseconds(20))
        story = story.restarted(after: .milliseconds(20), levels: InputLevels(.coinPulse))
        story.wait(.milliseconds(10))
        story.send(.changed(.coinPulse, isActive: false))
        story.wait(.seconds(1))
        #expect(story.records == [.started, .coinAccepted(Story.coin(pulses: 1))])
    }

    @Test func `a pulse whose end nobody saw is told as a coin of no known value`() {
        var story = Self.pulses(0)
        story.send(.changed(.coinPulse, isActive: true))
        story = story.restarted(after: .milliseconds(20))
        story.wait(.seconds(1))
        #expect(story.records.contains(.coinUnknown(.first, pulses: 0)))
    }

    @Test func `the line sticks as long as it did, whoever looks`() {
        var story = Self.pulses(0)
        story.send(.changed(.coinPulse, isActive: true))
        story = story.restarted(after: .seconds(2), levels: InputLevels(.coinPulse))
        #expect(story.records == [.started, .faultRaised(.coinLineStuck(.first))])
    }

    @Test func `a coin sets out as what the gate was then`() {
        var story = Story(Story.policy { $0.coinWhileUnlocked = .thank })
        story.press(.releaseEntry)
        Self.pulse(&story)
        story = story.restarted(after: .seconds(8))
        #expect(story.records.contains(.creditForfeited(value: 50)))
    }

    @Test func `what the ledger has counted is credited once, by whoever counts it on`() {
        let coin = Story.coin(pulses: 1)
        for isOverFirst in [false, true] {
            var story = Story(ledger: Balances())
            story.send(.changed(.coinPulse, isActive: true))
            story.wait(.milliseconds(50))
            story.send(.changed(.coinPulse, isActive: false))
            story.wait(.milliseconds(160))
            #expect(story.records.last == .coinCounted(coin))
            var balances = Balances()
            balances.count(.coinCounted(coin))
            story = story.restarted(after: .milliseconds(10), connection: .awaited)
            if isOverFirst { story.wait(.seconds(1)) }
            story.send(.ledgerOpened(balances))
            story.wait(.seconds(1))
            #expect(story.credit == 50)
            #expect(
                story.records.filter { $0 == .coinLate(coin) || $0 == .coinAccepted(coin) }.count
                    == 1)
        }
    }

    @Test
    func `a mode that comes into force with the start takes turns of its own direction alone`() {
        var story = Story(equipment: .twoWays)
        story.press(.releaseEntry)
        story.press(.releaseExit)
        #expect(story.ask(.setMode(.exit, .free, until: nil)) == .deferred)
        story = story.restarted(after: .seconds(1))
        #expect(story.records.contains(.storedDropped(1)))
        #expect(story.state == .released(.entry))
        #expect(story.isOn(.lockEntry) && story.isOn(.lockExit))
    }

    @Test func `a counted coin is stored with one after it that was credited first`() {
        var story = Self.pulses(2).restarted(after: .seconds(2), connection: .awaited)
        #expect(story.commands.contains(.store))
        var balances = Balances()
        balances.count(.coinCounted(Story.coin(pulses: 2)))
        story.send(.ledgerOpened(balances))
        #expect(story.outcome.commands.contains(.store))
        // What was due before the opening is stored, and the other coin is still at stake.
        #expect(!story.turnstile.gate.commitBarrier.isDurable)
    }

    @Test func `another boot knows of no coin, and of nobody whose turn it is`() {
        var story = Self.pulses(2)
        story.press(.releaseEntry)
        Self.pulse(&story)
        let state = story.turnstile.retained
        #expect(state.coins[.first] != .idle)
        #expect(state.lasting.coins[.first] == .idle)
        #expect(state.lasting.released == nil)
        #expect(state.lasting.queue == .init(entry: 1))
    }

    @Test func `in a burst of noise nothing is retained of the line`() {
        var story = Self.pulses(0)
        for _ in 0..<8 {
            story.send(.changed(.coinPulse, isActive: true))
            story.wait(.milliseconds(5))
            story.send(.changed(.coinPulse, isActive: false))
            story.wait(.milliseconds(30))
        }
        story.send(.changed(.coinPulse, isActive: true))
        #expect(story.turnstile.retained.coins[.first] == .idle)
    }
}
