import StateMachines
import Stories
import Testing

@testable import Turnstile

/// What an operator asks for from afar: one answer each, and a record that names who asked.
@Suite struct RequestStoryTests {
    private static let anna = Story.anna

    private static func allowing(_ edit: (inout Policy) -> Void = { _ in }) -> Policy {
        Story.policy {
            $0.remoteEmergencyReset = .allowed
            $0.remoteRepair = .allowed
            $0.remoteService = .allowed
            edit(&$0)
        }
    }

    // MARK: Passages

    @Test func `somebody is let pass, and the log says by whom`() {
        var story = Story()
        #expect(story.ask(.grant(.entry)) == .done)
        #expect(story.state == .released(.entry))
        #expect(
            story.records.suffix(2) == [
                .released(.entry, by: .person(1000)), .done(.grant, by: Self.anna),
            ])
        story.walkIn()
        #expect(story.records.last == .passageCompleted(.entry, .free))
    }

    @Test func `who asks while somebody passes waits for their turn, behind those at the gate`() {
        var story = Story(equipment: .twoWays)
        story.press(.releaseEntry)
        #expect(story.ask(.grant(.entry)) == .deferred)
        #expect(
            story.records.suffix(2) == [.stored(.entry), .deferred(.grant, by: Self.anna)])
        story.press(.releaseEntry)
        story.walkIn()
        #expect(story.records.contains(.released(.entry, by: .contact)))
        story.walkIn()
        #expect(story.records.last == .released(.entry, by: .person(1000)))
    }

    @Test func `a group is let in one after the other, by one answer`() {
        var story = Story(Story.policy { $0.maxStored = 4 }, equipment: .twoWays)
        #expect(story.ask(.grantGroup(.entry, count: 3)) == .done)
        #expect(
            story.records.suffix(4) == [
                .released(.entry, by: .person(1000)), .stored(.entry), .stored(.entry),
                .done(.grantGroup, by: Self.anna),
            ])
        for _ in 0..<3 { story.walkIn() }
        #expect(story.records.last == .passageCompleted(.entry, .free))
        #expect(story.state == .locked && story.status.stored == 0)
    }

    @Test func `of a group that there is no room for nobody is let in`() {
        var story = Story(Story.policy { $0.maxStored = 4 }, equipment: .twoWays)
        _ = story.ask(.grant(.exit))
        _ = story.ask(.grant(.exit))
        let records = story.records
        #expect(story.ask(.grantGroup(.entry, count: 3)) == .refused(.storeFull))
        #expect(
            story.records == records + [.refused(.grantGroup, by: Self.anna, .storeFull)])
        #expect(story.status.stored == 1)
        #expect(story.ask(.grantGroup(.entry, count: 2)) == .done)
        #expect(story.status.stored == 3)
    }

    @Test(arguments: [0, -1, 51]) func `a group is of some people, and of no crowd`(count: Int) {
        var story = Story(Story.policy { $0.maxStored = 50 })
        #expect(story.ask(.grantGroup(.entry, count: count)) == .refused(.outOfRange))
        #expect(story.state == .locked)
    }

    @Test func `why nobody may pass is told of a group before the room that it needs`() {
        var story = Story(Story.policy { $0.maxStored = 1 }, equipment: .twoWays)
        story.open(.stop)
        #expect(story.ask(.grantGroup(.entry, count: 9)) == .refused(.stopped))
    }

    @Test func `a passage is taken back that nobody paid for and nobody began`() {
        var story = Story(equipment: .twoWays)
        #expect(story.ask(.withdraw(.entry)) == .refused(.nothingToWithdraw))
        _ = story.ask(.grant(.entry))
        _ = story.ask(.grant(.entry))
        #expect(story.ask(.withdraw(.exit)) == .refused(.nothingToWithdraw))
        #expect(story.ask(.withdraw(.entry)) == .done)
        #expect(story.records.contains(.storedDropped(1, grantedBy: 1000)))
        #expect(story.state == .released(.entry))
        #expect(story.ask(.withdraw(.entry)) == .done)
        #expect(story.records.contains(.authorisationDropped(.entry, grantedBy: 1000)))
        #expect(story.state == .locked)
    }

    @Test func `nobody is locked onto: not who has begun, nor who may just have`() {
        var story = Story()
        _ = story.ask(.grant(.entry))
        story.send(.changed(.rotorA, isActive: true))
        #expect(story.ask(.withdraw(.entry)) == .refused(.occupied))
        story.turn(1)
        #expect(story.ask(.withdraw(.entry)) == .refused(.occupied))
        #expect(story.isOn(.lockEntry))
    }

    @Test func `what was paid is not taken back`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        #expect(story.state == .released(.entry))
        #expect(story.ask(.withdraw(.entry)) == .refused(.nothingToWithdraw))
        #expect(story.state == .released(.entry))
    }

    @Test func `a gate that is stopped opens for nobody`() {
        var story = Story(Self.allowing(), equipment: .twoWays)
        story.open(.stop)
        #expect(story.ask(.grant(.entry)) == .refused(.stopped))
        #expect(story.ask(.beginService) == .refused(.stopped))
        #expect(story.ask(.setMode(.exit, .free, until: nil)) == .deferred)
        #expect(!story.isOn(.lockExit))
        story.close(.stop)
        #expect(story.isOn(.lockExit))
        #expect(story.records.last == .modeChanged(.exit, .free, by: Self.anna))
    }

    // MARK: Modes

    @Test func `a mode lasts until its time, then the ordinary one is back`() {
        var story = Story(equipment: .twoWays)
        let end = story.now + .seconds(60)
        #expect(story.ask(.setMode(.exit, .free, until: end)) == .done)
        #expect(story.isOn(.lockExit))
        #expect(story.turnstile.retained.terms.exit?.until == end)
        story.wait(.seconds(59))
        #expect(story.isOn(.lockExit))
        story.wait(.seconds(1))
        #expect(!story.isOn(.lockExit))
        #expect(story.records.last == .modeChanged(.exit, .controlled, by: .schedule))
    }

    @Test func `no time that is over, and none that nobody lives to see`() {
        var story = Story(equipment: .oneWay.with(outputs: .buzzer))
        let longest = story.now + .seconds(10 * 366 * 86_400)
        #expect(story.ask(.setMode(.entry, .free, until: story.now)) == .refused(.timeOver))
        #expect(
            story.ask(.setEnforcement(.weak, until: longest + .nanoseconds(1)))
                == .refused(.outOfRange))
        #expect(story.ask(.setEnforcement(.weak, until: longest)) == .done)
    }

    @Test func `a mode for good outlives the process, and the log names who asked`() {
        var story = Story()
        story.turn(1)
        #expect(story.ask(.setMode(.entry, .locked, until: nil)) == .deferred)
        story.turn(0)
        #expect(story.records.last == .coinsRefused(.entryLocked))
        #expect(story.records.contains(.modeChanged(.entry, .locked, by: Self.anna)))
        let next = Story(recovery: .known(story.turnstile.retained))
        #expect(next.turnstile.gate.regime.entry == .locked)
        #expect(next.records.contains(.modeChanged(.entry, .locked, by: Self.anna)))
    }

    @Test func `the ordinary mode is back when somebody asks for it`() {
        var story = Story()
        _ = story.ask(.setMode(.entry, .free, until: nil))
        #expect(story.ask(.setMode(.entry, nil, until: nil)) == .done)
        #expect(story.records.contains(.modeChanged(.entry, .controlled, by: Self.anna)))
        #expect(story.turnstile.retained == RetainedState())
    }

    @Test func `what is in force already is done, whatever else waits`() {
        var story = Story(equipment: .twoWays.with(outputs: .buzzer))
        story.turn(1)
        #expect(story.ask(.setMode(.exit, .free, until: nil)) == .deferred)
        #expect(story.ask(.setMode(.entry, .controlled, until: nil)) == .done)
        #expect(story.ask(.setEnforcement(.strong, until: nil)) == .done)
        #expect(story.ask(.setEnforcement(.weak, until: nil)) == .deferred)
        #expect(story.ask(.setMode(.exit, .controlled, until: nil)) == .done)
    }

    // MARK: Emergencies, repairs, alarms

    @Test func `an emergency is nobody's to end from afar unless the owner says so`() {
        var story = Story()
        story.open(.fire)
        story.close(.fire)
        #expect(story.ask(.resetEmergency) == .refused(.notFromAfar))
        #expect(story.state == .awaitingReset)
    }

    @Test func `it ends from afar with the loop closed and nobody in the lane`() {
        var story = Story(Self.allowing())
        #expect(story.ask(.resetEmergency) == .refused(.noEmergency))
        story.open(.fire)
        #expect(story.ask(.resetEmergency) == .refused(.loopOpen))
        story.close(.fire)
        story.turn(1)
        #expect(story.ask(.resetEmergency) == .refused(.occupied))
        #expect(story.state == .awaitingReset)
        story.turn(0)
        #expect(story.ask(.resetEmergency) == .done)
        #expect(
            story.records.suffix(2) == [.done(.resetEmergency, by: Self.anna), .emergencyReset])
    }

    @Test func `a repair takes a look at the gate, unless the owner says otherwise`() {
        for policy in [Story.policy(), Self.allowing()] {
            var story = Story(policy)
            #expect(story.ask(.confirmRepair) == .done)
            story.send(.changed(.externalFault, isActive: true))
            let isAllowed = policy.remoteRepair == .allowed
            #expect(
                story.ask(.confirmRepair) == .refused(isAllowed ? .causePresent : .notFromAfar))
            story.send(.changed(.externalFault, isActive: false))
            #expect(story.ask(.confirmRepair) == (isAllowed ? .done : .refused(.notFromAfar)))
            #expect((story.state == .locked) == isAllowed)
        }
    }

    @Test func `a loop that could not be read is not judged anew from afar`() {
        var story = Story(
            Self.allowing {
                $0.remoteEmergencyReset = .never
                $0.fireReset = .auto
            })
        story.send(.lineFailed(.input(.fire), .unreadable))
        story.send(.lineRecovered(.input(.fire)))
        #expect(story.ask(.confirmRepair) == .refused(.notFromAfar))
        #expect(story.state == .emergency)
    }

    @Test func `an alarm that is latched ends when an operator has heard of it`() {
        var story = Story(Story.policy { $0.forcedPassage = .latch })
        story.turn(1, 2, 3, 0)
        #expect(story.turnstile.gate.alarms.up[.forcedPassage])
        #expect(story.ask(.acknowledgeAlarms) == .done)
        #expect(!story.turnstile.gate.alarms.up[.forcedPassage])
    }

    // MARK: Service mode

    @Test func `service mode is for somebody at the gate, unless the owner allows it from afar`() {
        var story = Story()
        #expect(story.ask(.beginService) == .refused(.notFromAfar))
        #expect(story.state == .locked && story.turnstile.gate.service.requester == nil)
    }

    @Test func `service mode begins from afar without a test, and ends by whoever began it`() {
        var story = Story(Self.allowing())
        #expect(story.ask(.beginService) == .done)
        #expect(story.state == .service)
        #expect(story.records.contains(.serviceStarted(by: Self.anna)))
        #expect(story.ask(.endService, by: Story.bert) == .refused(.service))
        #expect(story.ask(.test(.alarm), by: Story.bert) == .refused(.service))
        #expect(story.ask(.beginService, by: Story.bert) == .refused(.service))
        #expect(story.ask(.endService) == .done)
        #expect(story.state == .locked)
    }

    @Test func `one output is tested, or all, while nobody is in the gate`() {
        var story = Story(Self.allowing())
        #expect(story.ask(.test(.lockEntry)) == .refused(.noService))
        _ = story.ask(.beginService)
        #expect(story.ask(.test(.buzzer)) == .refused(.notWired))
        #expect(story.ask(.test(.alarm)) == .done)
        #expect(story.state == .testing(.alarm))
        story.wait(.seconds(1))
        #expect(story.records.last == .selfTestFinished)
        #expect(story.state == .service)
        #expect(story.ask(.selfTest) == .done)
        story.wait(.seconds(3))
        #expect(story.records.last == .selfTestFinished)
        story.turn(1)
        #expect(story.ask(.selfTest) == .refused(.occupied))
        #expect(story.isOn(.lockEntry))
    }

    @Test func `the mechanic's service mode is the mechanic's`() {
        var story = Story(Self.allowing())
        story.open(.serviceKey)
        #expect(story.ask(.beginService) == .refused(.service))
        story.wait(.seconds(4))
        #expect(story.state != .locked)
        #expect(story.ask(.endService) == .refused(.service))
        #expect(story.ask(.selfTest) == .refused(.service))
    }

    @Test func `the key comes before whoever waits for service mode far away`() {
        var story = Story(Self.allowing())
        story.press(.releaseEntry)
        #expect(story.ask(.beginService) == .deferred)
        story.press(.serviceKey)
        #expect(story.records.contains(.refused(.beginService, by: Self.anna, .cancelled)))
        story.wait(.seconds(10))
        #expect(story.state == .locked)
    }

    // MARK: Coins and policies

    @Test func `where no switch tells of the vault, who counts tells of the collection too`() {
        var story = Story()
        #expect(story.ask(.collectCoins(counted: 1_250)) == .done)
        #expect(
            story.records.suffix(3) == [
                .coinsCollected, .collectionCounted(value: 1_250),
                .done(.collectCoins, by: Self.anna),
            ])
    }

    /// A gate with a switch that tells of the vault, which is in its place.
    private static var switched: Story {
        Story(equipment: .oneWay.with(.vaultPresent), levels: InputLevels(.vaultPresent))
    }

    @Test(arguments: [nil, 1_250]) func `a vault that was never out has no collection to count`(
        counted: Int?
    ) {
        var story = Self.switched
        #expect(story.ask(.collectCoins(counted: counted)) == .refused(.nothingToCount))
        #expect(
            story.records.last == .refused(.collectCoins, by: Self.anna, .nothingToCount))
        story.close(.vaultPresent)
        #expect(story.ask(.collectCoins(counted: counted)) == .refused(.nothingToCount))
        #expect(!story.records.contains(.coinsCollected))
    }

    @Test func `a collection that the switch told of is counted once`() {
        var story = Self.switched
        story.close(.vaultPresent)
        #expect(!story.turnstile.report().isCountAwaited)
        story.open(.vaultPresent)
        // Nobody has counted it by that.
        #expect(story.ask(.collectCoins(counted: nil)) == .done)
        #expect(story.turnstile.report().isCountAwaited)
        #expect(story.ask(.collectCoins(counted: 1_250)) == .done)
        #expect(!story.turnstile.report().isCountAwaited)
        #expect(story.records.contains(.collectionCounted(value: 1_250)))
        #expect(!story.records.contains(.coinsCollected))
        #expect(story.ask(.collectCoins(counted: 1_250)) == .refused(.nothingToCount))
    }

    @Test func `a collection waits to be counted over a restart, and only where there is a switch`()
    {
        var story = Self.switched
        story.close(.vaultPresent)
        story.open(.vaultPresent)
        var balances = Balances()
        for record in story.records { balances.count(record) }
        #expect(balances.isCountAwaited)
        var next = Story(
            equipment: .oneWay.with(.vaultPresent), levels: InputLevels(.vaultPresent),
            ledger: balances)
        #expect(next.ask(.collectCoins(counted: 1_250)) == .done)
        for record in next.records { balances.count(record) }
        #expect(!balances.isCountAwaited)
        #expect(next.ask(.collectCoins(counted: 1_250)) == .refused(.nothingToCount))
    }

    @Test func `nobody allows themselves from afar what the owner does not`() {
        let all = Mirror(reflecting: Self.allowing()).children.compactMap {
            $0.value as? RemotePolicy
        }
        #expect(!all.isEmpty && all.allSatisfy { $0 == .allowed }, "this policy allows it all")
        var story = Story()
        #expect(story.ask(.adopt(Self.allowing { $0.price = 100 })) == .done)
        #expect(story.records.contains(.policyChanged(by: Self.anna)))
        #expect(story.turnstile.gate.policy == Story.policy { $0.price = 100 })
    }

    // MARK: Answers

    @Test func `every request has an answer before the start`() {
        var turnstile = Turnstile(policy: Story.policy())
        for request in Request.probes {
            let event = Event(.requested(request, by: Self.anna), at: .zero)
            let answers = turnstile.handle(event).commands.compactMap(\.answer)
            #expect(answers == [Answer(request.kind, by: Self.anna, .refused(.starting))])
        }
    }

    @Test func `whoever is at the gate has answers too`() {
        var story = Story()
        story.press(.releaseEntry)
        #expect(
            story.answers == [Answer(.grant, by: .contact(.releaseEntry), .done)])
        story.press(.emergencyResetKey)
        #expect(
            story.answers.last == Answer(.resetEmergency, by: .resetKey, .refused(.noEmergency)))
    }

    @Test(arguments: [
        ("anna", true), ("", false), (String(repeating: "x", count: 32), true),
        (String(repeating: "x", count: 33), false), ("a\nb", false), ("a\0b", false),
        ("Ännchen", true), ("anna b", false), ("a\r\nb", false), ("a\u{7f}", false),
        // Spaces and line ends that are none of ASCII, and what turns or hides what is beside it.
        ("a\u{85}b", false), ("a\u{9b}31m", false), ("a\u{a0}b", false), ("a\u{2028}b", false),
        ("a\u{3000}b", false), ("\u{202e}anna", false), ("a\u{200b}", false), ("=", true),
        ("\u{301}anna", true), (String(repeating: "ä", count: 16), true),
        (String(repeating: "ä", count: 17), false), (String(repeating: "x", count: 10_000), false),
    ])
    func `an operator has a name that can be written down`(name: String, isGood: Bool) {
        #expect((Operator(number: 7, name: name)?.name == name) == isGood)
    }

    @Test(arguments: ["\u{301}anna", "\u{338}", "=x=", "a\"b\\", "\u{1f469}\u{1f3fd}"])
    func `whatever an operator is called, the state reads as it was`(name: String) throws {
        let person = try #require(Operator(number: .max, name: name))
        #expect(person.name.unicodeScalars.elementsEqual(name.unicodeScalars))
        var state = RetainedState()
        state.terms.entry = Term(.free, by: .person(person))
        state.terms.enforcement = Term(.weak, until: .zero, by: .person(person))
        #expect(try RetainedState(lines: state.lines) == state)
    }
}
