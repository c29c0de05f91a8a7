import StateMachines
import Stories
import Testing

@testable import Turnstile

/// What the settings would refuse is refused from wherever it comes.
@Suite struct ContradictionStoryTests {
    /// A gate that has everything, but for what a case takes away.
    private static func gate(
        _ policy: Policy = Story.policy(), without inputs: [Input] = [],
        outputs: [Output] = [], limits: [Output: Duration] = [:],
        debounce: [Input: Duration] = [:]
    ) -> Story {
        var equipment = Equipment(
            inputs: Input.allCases.filter { $0 != .beamA && $0 != .beamB && !inputs.contains($0) },
            outputs: Output.allCases.filter {
                $0 != .lockEntryHold && $0 != .lockExitHold && !outputs.contains($0)
            })
        if limits[.lockEntryHold] == nil, limits[.lockEntry] == .seconds(1) {
            equipment.outputs[.lockEntryHold] = true
        }
        return Story(policy, equipment: equipment, debounce: debounce, maximumOnTimes: limits)
    }

    /// A gate, and what of a policy contradicts it.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let gate: @Sendable () -> Story
        let change: @Sendable (inout Policy) -> Void

        init(
            _ name: String, _ gate: @autoclosure @escaping @Sendable () -> Story,
            _ change: @escaping @Sendable (inout Policy) -> Void
        ) {
            (testDescription, self.gate, self.change) = (name, gate, change)
        }
    }

    static let cases: [Case] = [
        Case(
            "an emergency that waits for a key that is not there",
            gate(
                Story.policy {
                    $0.fireReset = .auto
                    $0.remoteEmergencyReset = .allowed
                }, without: [.emergencyResetKey])
        ) { $0.fireReset = .manual },
        Case("an alarm that waits for a key", gate(without: [.serviceKey])) {
            $0.forcedPassage = .latch
        },
        Case("a wait in which the lock is cut", gate(limits: [.lockExit: .seconds(20)])) {
            $0.passWait = .seconds(20)
        },
        Case("a pull in which it is cut", gate(limits: [.lockEntry: .seconds(1)])) {
            $0.lockPull = .seconds(1)
        },
        Case(
            "a way in that nothing opens",
            gate(
                Story.policy { $0.regime.entry = .locked },
                without: [.coinPulse, .coinPulse2, .coinPulse3, .releaseEntry],
                outputs: [.coinEnable, .coinReject, .coinMeter])
        ) { $0.regime.entry = .controlled },
        Case(
            "a way out that nothing opens",
            gate(Story.policy { $0.regime.exit = .free }, without: [.releaseExit])
        ) { $0.regime.exit = .controlled },
        Case("a reminder that nobody hears", gate(outputs: [.buzzer])) {
            $0.regime.enforcement = .weak
        },
        Case("a siren that is cut", gate(limits: [.alarm: .seconds(10)])) {
            $0.alarmHold = .seconds(10)
        },
        Case("a siren without an end that is cut", gate(limits: [.alarm: .seconds(10)])) {
            $0.forcedPassage = .latch
        },
        Case("a pulse that is cut", gate(limits: [.countPulse: .milliseconds(900)])) {
            $0.countPulse = .seconds(1)
        },
        Case(
            "a lock that never answers in time", gate(debounce: [.lockFeedback: .milliseconds(100)])
        ) {
            $0.lockResponse = .milliseconds(100)
        },
        Case("pulses that are swallowed", gate(debounce: [.coinPulse: .milliseconds(20)])) {
            $0.coins[.first].pulseWidth = .milliseconds(30)
        },
        Case("a coin that pays for too many", gate()) {
            $0.coins[.second].values = .exact([1: 20_000])
        },
        Case("a coin that the meter cannot count", gate()) { $0.meterUnit = 40 },
        Case("a coin that the meter counts for minutes", gate()) {
            $0.meterUnit = 1
            $0.coins[.third].values = .proportional(unit: 1001)
        },
        Case(
            "an ejector that nothing uses", gate(without: [.coinJam])
        ) { $0.coinWhileUnlocked = .store },
        Case("an entry that later ones overrule", gate()) {
            var entry = ScheduleEntry(days: .all, from: 0, to: 1440)
            entry.entry = .locked
            $0.schedule = [entry, entry]
        },
    ]

    @Test(arguments: cases) func `a policy that contradicts the gate is refused`(case: Case) {
        var story = `case`.gate()
        let before = story.turnstile
        var policy = before.gate.policy
        `case`.change(&policy)
        #expect(story.ask(.adopt(policy)) == .refused(.contradiction))
        #expect(story.turnstile.gate.policy == before.gate.policy)
        #expect(story.turnstile.isIdle == before.isIdle)
    }

    @Test func `a gate that contradicts itself already takes what is about something else`() {
        var story = Story(equipment: Equipment.oneWay.without(.emergencyResetKey))
        var policy = story.turnstile.gate.policy
        policy.price = 300
        #expect(story.ask(.adopt(policy)) == .done)
        #expect(story.turnstile.gate.policy.price == 300)
    }

    @Test func `nobody has an emergency end by itself where it takes somebody at the gate`() {
        var story = Story()
        var policy = story.turnstile.gate.policy
        policy.fireReset = .auto
        #expect(story.ask(.adopt(policy)) == .refused(.notFromAfar))
        var allowed = Story(Story.policy { $0.remoteEmergencyReset = .allowed })
        policy = allowed.turnstile.gate.policy
        policy.fireReset = .auto
        #expect(allowed.ask(.adopt(policy)) == .done)
    }

    @Test func `a mode and an enforcement that the settings would refuse are refused`() {
        var story = Self.gate(
            Story.policy { $0.regime.exit = .free }, without: [.releaseExit], outputs: [.buzzer])
        #expect(
            story.ask(.setMode(.exit, .controlled, until: nil)) == .refused(.contradiction))
        #expect(story.ask(.setEnforcement(.weak, until: nil)) == .refused(.contradiction))
        #expect(story.ask(.setMode(.exit, .locked, until: nil)) == .done)
    }

    // MARK: Repairs

    @Test func `a repair that ends nothing changes nothing`() {
        var story = Story(Story.policy { $0.remoteRepair = .allowed })
        story.open(.externalFault)
        let before = story.turnstile.gate
        #expect(story.ask(.confirmRepair) == .refused(.causePresent))
        #expect(story.turnstile.gate == before)
    }

    @Test func `a repair that ends one fault of two is done, and the other one stays`() {
        var story = Story(
            Story.policy { $0.remoteRepair = .allowed }, equipment: .oneWay.with(.powerLow))
        story.open(.externalFault)
        story.close(.externalFault)
        story.open(.powerLow)
        #expect(story.ask(.confirmRepair) == .done)
        #expect(story.records.contains(.faultCleared(.external)))
        #expect(story.state == .outOfService(.powerLow))
        #expect(story.ask(.confirmRepair) == .refused(.causePresent))
    }
}
