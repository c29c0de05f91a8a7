import Stories
import Testing
import Turnstile

/// What the one line says that people see of the gate.
@Suite struct StatusTests {
    /// A gate that lets people in by contact alone, with a lamp.
    private static let contactsOnly = Equipment(
        inputs: [.rotorA, .rotorB, .fire, .releaseEntry, .emergencyResetKey, .serviceKey],
        outputs: [.lockEntry, .alarm, .lampGo])

    private static func line(_ story: Story) -> String { "\(story.status)" }

    @Test func `at rest nothing stands after the state`() {
        #expect(Self.line(Story()) == "locked")
    }

    @Test func `the fault that refuses coins is named, and before one that does not`() {
        var story = Story(ledger: Balances())
        story.send(.lineFailed(.output(.alarm), .undrivable))
        #expect(Self.line(story) == "locked, F16 line_undrivable")
        story.send(.storageFailed)
        #expect(Self.line(story) == "locked, coins refused (F18 storage_failed)")
        story.press(.releaseEntry)
        #expect(Self.line(story) == "released (entry), coins refused (F18 storage_failed)")
    }

    @Test func `a gate without an acceptor names the fault alone`() {
        var story = Story(equipment: Self.contactsOnly, ledger: Balances())
        story.send(.storageFailed)
        #expect(Self.line(story) == "locked, F18 storage_failed")
    }

    @Test func `what is out of service says so once`() {
        var story = Story(ledger: Balances())
        story.send(.storageFailed)
        story.open(.externalFault)
        #expect(Self.line(story) == "out of service (F1 external)")
    }

    @Test func `credit from before the start that fills the store says why coins are refused`() {
        let coin = Story.coin(pulses: 5)
        var balances = Balances()
        balances.count(.coinAccepted(coin))
        var story = Story(Story.policy { $0.maxStored = 1 }, ledger: balances)
        #expect(!story.isOn(.coinEnable))
        #expect(Self.line(story) == "locked, credit 250, coins refused (store full)")
        story.turn(1)
        #expect(Self.line(story) == "passing (entry), coins refused (released)")
        story.turn(2, 3, 0)
        #expect(story.isOn(.coinEnable))
        #expect(Self.line(story) == "locked")
    }

    @Test(arguments: [(UnlockedCoinPolicy.store, "store full"), (.reject, "released")])
    func `why coins are refused is said while somebody may come in`(
        policy: UnlockedCoinPolicy, reason: String
    ) {
        var story = Story(
            Story.policy {
                $0.maxStored = 1
                $0.coinWhileUnlocked = policy
            })
        story.insertCoin(pulses: 5)
        #expect(Self.line(story) == "released (entry), coins refused (\(reason))")
    }

    @Test(arguments: [(Mode.locked, "locked, coins refused (entry locked)"), (.free, "free")])
    func `a way in that is not controlled takes no coins`(mode: Mode, line: String) {
        let story = Story(Story.policy { $0.regime.entry = mode })
        #expect(!story.isOn(.coinEnable))
        #expect(Self.line(story) == line)
    }
}
