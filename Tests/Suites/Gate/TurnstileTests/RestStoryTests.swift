import StateMachines
import Stories
import Testing
import Turnstile

/// Nothing closes, and nothing is anybody else's, as long as nobody knows what somebody does.
@Suite struct RestStoryTests {
    private static func policy(_ edit: (inout Policy) -> Void = { _ in }) -> Policy {
        Story.policy {
            $0.rotorStep = .milliseconds(12)
            $0.relockAt = .complete
            edit(&$0)
        }
    }

    // MARK: Sensors

    @Test func `sensors that skipped a state one after the other rest before anything closes`() {
        var story = Story(Self.policy(), equipment: .twoWays)
        story.press(.releaseExit)
        story.open(.rotorB)
        story.wait(.milliseconds(4))
        story.open(.rotorA)
        story.wait(.milliseconds(66))
        story.close(.rotorB)
        story.wait(.milliseconds(330))
        story.close(.rotorA)
        #expect(story.records.contains(.faultRaised(.illegalRotorTransition)))
        #expect(story.isOn(.lockExit))
        story.wait(.milliseconds(12))
        #expect(!story.isOn(.lockExit))
    }

    @Test func `after lost edges nobody knows when the sensors changed last`() {
        var story = Story(Self.policy { $0.regime.exit = .free }, equipment: .twoWays)
        story.open(.stop)
        #expect(!story.isOn(.lockExit))
        story.close(.stop)
        story.send(.edgesLost(InputLevels(.stop)))
        #expect(story.isOn(.lockExit))
        story.wait(.milliseconds(12))
        #expect(!story.isOn(.lockExit))
    }

    @Test func `a bounce that does not count may be somebody's first move`() {
        var story = Story(
            Self.policy(), equipment: .twoWays, debounce: [.rotorB: .milliseconds(5)])
        story.press(.releaseExit)
        story.open(.rotorB)
        story.wait(.milliseconds(1))
        story.close(.rotorB)
        story.open(.stop)
        #expect(story.isOn(.lockExit))
        story.wait(.milliseconds(1))
        story.open(.rotorB)
        story.wait(.milliseconds(100))
        #expect(story.records.contains(.passageStarted(.exit)) && story.isOn(.lockExit))
    }

    @Test func `a sensor that cannot be read in mid-passage makes nobody go back`() {
        var story = Story(Self.policy(), equipment: .twoWays)
        story.press(.releaseExit)
        story.turn(3)
        story.send(.lineFailed(.input(.rotorA), .unreadable))
        story.turn(0)
        #expect(story.records.contains(.passageLost(.exit, .free)))
        #expect(!story.records.contains(.passageBackedOut(.exit)))
    }

    @Test func `the only lock does not close on somebody going out whom it may hold too`() {
        var story = Story(
            Self.policy { ($0.regime.entry, $0.regime.exit) = (.free, .free) },
            equipment: .oneWay.with(.stop))
        story.turn(3)
        story.open(.stop)
        story.wait(.seconds(1))
        #expect(story.isOn(.lockEntry))
        story.turn(2, 1, 0)
        #expect(!story.isOn(.lockEntry))
        #expect(story.records.last == .passageCompleted(.exit, .free))
    }

    // MARK: Turns

    @Test(arguments: [(3, false), (1, true)])
    func `a change waits for whoever leans the way they go`(
        place: Int, isTheirs: Bool
    ) {
        var story = Story(Self.policy(), equipment: .twoWays)
        story.turn(place)
        #expect(story.ask(.setMode(.entry, .locked, until: nil)) == .deferred)
        story.press(.releaseEntry)
        #expect(story.records.contains(.released(.entry, by: .contact)) == isTheirs)
    }

    @Test func `credit keeps its turn over a stop, as a contact does`() {
        for interruption in [Input.stop, .externalFault] {
            var story = Story(Self.policy { $0.repairResumes = .previous }, equipment: .twoWays)
            story.press(.releaseExit)
            story.insertCoin(pulses: 5)
            story.turn(3, 2, 1)
            story.open(interruption)
            story.turn(0)
            #expect(!story.isOn(.lockEntry))
            story.close(interruption)
            if interruption == .externalFault { story.press(.serviceKey) }
            #expect(story.isOn(.lockEntry), "\(interruption)")
        }
    }

    @Test func `credit that was completed while stopped waits for a push`() {
        var story = Story(Self.policy { $0.lateCoinWindow = .seconds(5) }, equipment: .twoWays)
        story.open(.stop)
        story.insertCoin(pulses: 5)
        story.close(.stop)
        #expect(story.credit == 250 && !story.isOn(.lockEntry))
    }

    @Test func `whoever stands in the rotor after a break is whom it was released for`() {
        var story = Story(Self.policy(), equipment: .twoWays)
        story.press(.releaseEntry)
        var next = story.restarted(after: .milliseconds(500), levels: InputLevels(.rotorA))
        next.turn(2, 3, 0)
        #expect(next.records.contains(.passageRecovered(.entry, .free)))
        #expect(!next.records.contains(.released(.entry, by: .contact)))
        #expect(!next.isOn(.lockEntry))
    }

    // MARK: Coins

    private static func pulse(_ story: inout Story) {
        story.open(.coinPulse)
        story.wait(.milliseconds(50))
        story.close(.coinPulse)
    }

    @Test func `a pulse that sticks may be one of the coin before it`() {
        var story = Story(Self.policy { $0.coins[.first].values = .exact([1: 100, 2: 50]) })
        Self.pulse(&story)
        story.wait(.milliseconds(100))
        story.open(.coinPulse)
        story.wait(.seconds(3))
        #expect(story.records.contains(.coinUnknown(.first, pulses: 1)) && story.credit == 0)
    }

    @Test func `of a coin whose line cannot be read nobody knows the rest`() {
        var story = Story()
        Self.pulse(&story)
        story.send(.lineFailed(.input(.coinPulse), .unreadable))
        story.wait(.seconds(1))
        #expect(story.records.contains(.coinInDoubt(Story.coin(pulses: 1))))
    }

    @Test func `while somebody is let out the lamp says stop`() {
        var story = Story(
            Self.policy { $0.regime.exit = .free },
            equipment: .twoWays.with(outputs: .lampGo, .lampStop))
        story.press(.releaseEntry)
        #expect(story.isOn(.lampGo))
        story.turn(3)
        #expect(story.isOn(.lampStop) && !story.isOn(.lampGo))
        story.turn(2, 1, 0)
        #expect(story.isOn(.lampGo))
    }
}
