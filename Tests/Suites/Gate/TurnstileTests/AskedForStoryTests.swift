import StateMachines
import Stories
import Testing

@testable import Turnstile

/// What was asked for, later: when its time is over, when something else is asked for meanwhile,
/// and over a restart.
@Suite struct AskedForStoryTests {
    private static let anna = Story.anna
    private static let bert = Story.bert

    private static func allowing(_ edit: (inout Policy) -> Void = { _ in }) -> Policy {
        Story.policy {
            $0.remoteService = .allowed
            edit(&$0)
        }
    }

    // MARK: Modes for a time

    @Test func `an enforcement lasts until its time, and the log names who asked`() {
        var story = Story(equipment: .oneWay.with(outputs: .buzzer))
        _ = story.ask(.setEnforcement(.weak, until: story.now + .seconds(60)))
        #expect(story.records.contains(.enforcementChanged(.weak, by: Self.anna)))
        story.wait(.seconds(59))
        #expect(story.turnstile.gate.regime.enforcement == .weak)
        story.wait(.seconds(1))
        #expect(story.turnstile.gate.regime.enforcement == .strong)
        #expect(story.records.last == .enforcementChanged(.strong, by: .schedule))
        #expect(story.turnstile.retained == RetainedState())
    }

    @Test func `what was asked for so long lasts so long, however the clock on the wall is set`() {
        var story = Story(equipment: .twoWays.with(outputs: .buzzer))
        let end = story.now + .seconds(3_600)
        for direction in Direction.allCases {
            _ = story.ask(.setMode(direction, .free, until: end))
        }
        _ = story.ask(.setEnforcement(.weak, until: end))
        for step in [Duration.seconds(1_800_000_000), .seconds(-3_600)] {
            story.send(.clockStepped(by: step))
            story.send(.clockRead(WeekTime(.sunday, minute: 3)))
        }
        let terms = story.turnstile.retained.terms
        let ends = [terms.entry?.until, terms.exit?.until, terms.enforcement?.until]
        #expect(ends.allSatisfy { $0 == end })
        let due = StatusReport.Due(time: end, reason: .termsChange)
        #expect(story.turnstile.report().due.contains(due))
    }

    /// Somebody asks at 17:00 for a mode until 18:00; from then on the clock shows something else.
    @Test(arguments: [
        (17 * 60 + 30, 30), (17 * 60 + 59, 1), (18 * 60, 0), (20 * 60, 0), (16 * 60, 120),
        (0, 18 * 60), (24 * 60 + 9 * 60, 0), (3 * 24 * 60 + 17 * 60 + 30, 30),
        (3 * 24 * 60 + 19 * 60, 0), (2 * 24 * 60 + 60, 0),
    ]) func `what was asked for until a time of day ends when the clock shows it`(
        minute: Int, left: Int
    ) throws {
        var story = Story(equipment: .twoWays.with(outputs: .buzzer))
        story.send(.clockRead(WeekTime(.monday, minute: 17 * 60)))
        let evening = try #require(TimeOfDay(minute: 18 * 60))
        #expect(story.ask(.setModeUntil(.exit, .free, evening)) == .done)
        #expect(story.ask(.setEnforcementUntil(.weak, evening)) == .done)
        #expect(story.turnstile.retained.terms.exit?.until == story.now + .seconds(3_600))
        story.send(.clockRead(WeekTime(.monday, minute: minute)))
        let end = left == 0 ? nil : story.now + .seconds(left * 60)
        #expect(story.turnstile.retained.terms.exit?.until == end)
        #expect(story.turnstile.retained.terms.enforcement?.until == end)
        story.wait(.seconds(left * 60))
        #expect(story.records.last == .enforcementChanged(.strong, by: .schedule))
        #expect(story.turnstile.gate.regime == Regime())
    }

    @Test func `one hour of the night is left out, or comes twice`() throws {
        let halfPastTwo = try #require(TimeOfDay(minute: 150))
        for (shown, wait) in [(180, 0), (60, 90)] {
            var story = Story(equipment: .twoWays)
            story.send(.clockRead(WeekTime(.sunday, minute: 119)))
            _ = story.ask(.setModeUntil(.exit, .free, halfPastTwo))
            story.wait(.seconds(60))
            story.send(.clockRead(WeekTime(.sunday, minute: shown)))
            #expect(story.isOn(.lockExit) == (wait > 0))
            story.wait(.seconds(wait * 60))
            #expect(!story.isOn(.lockExit))
        }
    }

    @Test func `nobody knows when it is six who has not read the clock`() {
        var story = Story()
        #expect(story.ask(.setModeUntil(.entry, .free, .noon)) == .refused(.outOfRange))
        #expect(story.ask(.setEnforcementUntil(.weak, .noon)) == .refused(.outOfRange))
    }

    @Test func `what was over before the start is not in force for a moment`() {
        var before = RetainedState()
        for direction in Direction.allCases {
            before.terms[direction] = Term(.free, until: .zero + .seconds(999), by: Self.anna)
        }
        before.terms.enforcement = Term(.weak, until: .zero + .seconds(999), by: Self.anna)
        let story = Story(equipment: .twoWays, recovery: .known(before))
        #expect(story.turnstile.gate.regime == Regime())
        #expect(!story.isOn(.lockEntry) && !story.isOn(.lockExit))
        #expect(story.records == [.started])
        #expect(story.turnstile.retained == RetainedState())
    }

    @Test func `what ends after the start does so, in every direction`() {
        var before = RetainedState()
        let end = Instant.zero + .seconds(1_060)
        before.terms.entry = Term(.free, until: end, by: Self.anna)
        before.terms.enforcement = Term(.weak, until: end, by: Self.anna)
        var story = Story(equipment: .oneWay.with(outputs: .buzzer), recovery: .known(before))
        #expect(story.isOn(.lockEntry))
        story.wait(.seconds(60))
        #expect(!story.isOn(.lockEntry))
        #expect(story.turnstile.gate.regime == Regime())
    }

    @Test func `who asks for what is so already asks for nothing that lasts`() {
        var story = Story()
        #expect(story.ask(.setMode(.entry, nil, until: nil)) == .done)
        #expect(story.ask(.setEnforcement(nil, until: nil)) == .done)
        #expect(story.turnstile.retained == RetainedState())
        #expect(story.turnstile.report().entry.mode.term == nil)
    }

    @Test func `what was asked for outlives new settings, and so does its end`() {
        var story = Story(equipment: .twoWays)
        let end = story.now + .seconds(60)
        _ = story.ask(.setMode(.exit, .free, until: end))
        _ = story.ask(.setMode(.entry, .locked, until: nil))
        let new = Story.policy { $0.regime.enforcement = .weak }
        #expect(story.ask(.adopt(new), by: .settings) == .done)
        #expect(story.records.last == .enforcementChanged(.weak, by: .settings))
        #expect(
            story.turnstile.gate.regime
                == Regime(entry: .locked, exit: .free, enforcement: .weak))
        story.wait(.seconds(60))
        #expect(
            story.turnstile.gate.regime
                == Regime(entry: .locked, exit: .controlled, enforcement: .weak))
    }

    // MARK: Passages

    @Test func `the one who would pass last is taken back`() {
        var story = Story(Story.policy { $0.maxStored = 4 })
        story.press(.releaseEntry)
        _ = story.ask(.grant(.entry))
        _ = story.ask(.grant(.entry), by: Self.bert)
        #expect(story.ask(.withdraw(.entry)) == .done)
        #expect(story.turnstile.gate.queue.people == [.init(.entry, by: 1000)])
        story.walkIn()
        #expect(story.records.last == .released(.entry, by: .person(1000)))
    }

    @Test func `those whom operators let pass wait over a restart, each by theirs`() {
        let policy = Story.policy {
            $0.maxStored = 4
            $0.repairResumes = .previous
        }
        var story = Story(policy, equipment: .twoWays)
        story.press(.releaseEntry)
        _ = story.ask(.grant(.exit))
        _ = story.ask(.grant(.entry), by: Self.bert)
        var retained = story.turnstile.retained
        retained.absence = .seconds(1)
        var next = Story(policy, equipment: .twoWays, recovery: .known(retained))
        #expect(next.state == .released(.entry))
        next.walkIn()
        next.walkIn()
        next.turn(3, 2, 1, 0)
        let released = next.records.filter { if case .released = $0 { true } else { false } }
        #expect(
            released == [
                .released(.entry, by: .person(1001)),
                .released(.exit, by: .person(1000)),
            ])
    }

    // MARK: Service mode

    @Test(arguments: [(Input.stop, Refusal.stopped), (.fire, .emergency)])
    func `whoever waits far away for service mode is told why in vain`(
        input: Input, refusal: Refusal
    ) {
        var story = Story(Self.allowing(), equipment: .twoWays)
        story.press(.releaseEntry)
        #expect(story.ask(.beginService) == .deferred)
        story.open(input)
        #expect(story.records.contains(.refused(.beginService, by: Self.anna, refusal)))
        #expect(story.turnstile.report().serviceRequester == nil)
    }

    @Test func `the key's self-test tests all, whatever was tested from afar before`() {
        var story = Story(Self.allowing())
        _ = story.ask(.beginService)
        _ = story.ask(.test(.alarm))
        story.wait(.seconds(2))
        _ = story.ask(.endService)
        story.open(.serviceKey)
        story.wait(.seconds(3))
        #expect(story.state == .testing(.lockEntry))
        story.wait(.seconds(1))
        #expect(story.state == .testing(.alarm))
    }

    @Test func `a test that another one takes the place of has an end in the log`() {
        var story = Story(Self.allowing())
        _ = story.ask(.beginService)
        _ = story.ask(.test(.alarm))
        story.wait(.milliseconds(500))
        #expect(story.ask(.test(.lockEntry)) == .done)
        #expect(story.records.suffix(2) == [.selfTestAborted, .done(.test, by: Self.anna)])
        story.wait(.milliseconds(900))
        #expect(story.state == .testing(.lockEntry) && !story.isOn(.alarm))
        story.wait(.milliseconds(100))
        #expect(story.state == .service)
    }

    @Test func `a test does not outlive the service mode that it is of`() {
        var story = Story(Self.allowing(), equipment: .twoWays)
        _ = story.ask(.beginService)
        _ = story.ask(.test(.alarm))
        #expect(story.isOn(.alarm) && !story.isOn(.lockEntry))
        #expect(story.ask(.endService) == .done)
        #expect(!story.isOn(.alarm))
        #expect(
            story.records.suffix(3) == [
                .selfTestAborted, .serviceEnded, .done(.endService, by: Self.anna),
            ])
        // A stop and an emergency take it away as well.
        for input in [Input.stop, .fire] {
            _ = story.ask(.beginService)
            _ = story.ask(.test(.alarm))
            story.open(input)
            #expect(story.turnstile.gate.service.tested == nil && !story.isOn(.alarm))
            story.close(input)
            story.press(.emergencyResetKey)
        }
    }

    // MARK: Policies

    @Test func `who waits with a policy is in the log, and who gets it`() {
        var story = Story()
        story.turn(1)
        #expect(story.ask(.adopt(Story.policy { $0.price = 100 })) == .deferred)
        #expect(story.records.last == .deferred(.adopt, by: Self.anna))
        story.turn(0)
        #expect(story.records.last == .policyChanged(by: Self.anna))
    }

    @Test func `what the owner no longer allows is not allowed by a policy from afar`() {
        var story = Story(Self.allowing())
        story.turn(1)
        _ = story.ask(.adopt(Story.policy()), by: .settings)
        _ = story.ask(.adopt(Self.allowing()))
        story.turn(0)
        #expect(story.turnstile.gate.policy.remoteService == .never)
    }

    @Test func `a gate that takes a policy is one that has started with it`() {
        let new = Story.policy {
            $0.price = 100
            for (acceptor, unit) in zip(Acceptor.ordered, [10, 20, 30]) {
                $0.coins[acceptor].values = .proportional(unit: unit)
                $0.coins[acceptor].pulseWidth = .milliseconds(20 + unit)
                $0.coins[acceptor].trainQuiet = .milliseconds(300 + unit)
                $0.coins[acceptor].stuckAfter = .milliseconds(2_000 + unit)
            }
            $0.meterUnit = 10
            $0.schedule = [ScheduleEntry(days: .all, from: 1, to: 2)]
            $0.passWait = .seconds(9)
            $0.maxStored = 7
            $0.onWaitTimeout = .forfeit
            $0.overpay = .forfeit
            $0.creditExpiry = .seconds(99)
            $0.vaultFull = .refuse
            $0.relockAt = .complete
            $0.passDelayAlarm = .seconds(77)
            $0.tailgatingWindow = .seconds(7)
            $0.rotorStep = .milliseconds(33)
            $0.beamBlocked = .seconds(44)
            $0.homeSettle = .seconds(4)
            $0.lockResponse = .milliseconds(444)
            $0.lockPull = .milliseconds(99)
            $0.countPulse = .milliseconds(111)
            $0.forcedPassage = .latch
            $0.alarmHold = .seconds(17)
            $0.repairResumes = .previous
            $0.serviceHold = .seconds(2)
            $0.fireReset = .auto
        }
        var story = Story()
        #expect(story.ask(.adopt(new), by: .settings) == .done)
        #expect(story.turnstile == Story(new).turnstile)
    }

    @Test func `a new policy is in force in every part at once`() {
        let new = Story.policy {
            $0.price = 100
            $0.coins[.first].values = .proportional(unit: 100)
            $0.passWait = .seconds(9)
            $0.alarmHold = .seconds(17)
            $0.serviceHold = .seconds(2)
            $0.maxStored = 7
            $0.regime.exit = .free
        }
        var story = Story(equipment: .twoWays)
        _ = story.ask(.adopt(new))
        #expect(story.isOn(.lockExit))
        story.insertCoin(pulses: 1)
        #expect(story.state == .released(.entry))
        story.wait(.milliseconds(8_800))
        #expect(story.state == .released(.entry))
        story.wait(.milliseconds(300))
        #expect(story.state == .free)
        #expect(story.turnstile.report().mostHeld == 7)
        // As in a gate that has started with it.
        var other = Story(new, equipment: .twoWays)
        other.wait(.seconds(10))
        other.open(.serviceKey)
        story.open(.serviceKey)
        #expect(
            story.turnstile.gate.service.deadline.map { $0 - story.now }
                == other.turnstile.gate.service.deadline.map { $0 - other.now })
    }
}
