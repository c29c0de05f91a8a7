import StateMachines
import Stories
import Testing

@testable import Turnstile

/// Requests from afar with what no owner would write: an answer each, and nothing that ends.
@Suite struct HostileRequestTests {
    private static let extremes: [Duration] = [
        .nanoseconds(Int64.min), .seconds(-1), .nanoseconds(-1), .nanoseconds(Int64.max),
        .seconds(1_000_000),
    ]

    /// What a policy may be asked to have, none of which an owner could write.
    private static let edits: [@Sendable (inout Policy, Duration) -> Void] = [
        { $0.passWait = $1 }, { $0.creditExpiry = $1 }, { $0.lateCoinWindow = $1 },
        { $0.passDelayAlarm = $1 }, { $0.tailgatingWindow = $1 }, { $0.rotorStep = $1 },
        { $0.beamBlocked = $1 }, { $0.homeSettle = $1 }, { $0.lockResponse = $1 },
        { $0.lockPull = $1 }, { $0.countPulse = $1 }, { $0.alarmHold = $1 },
        { $0.serviceHold = $1 }, { $0.coins[.first].pulseWidth = $1 },
        { $0.coins[.second].trainQuiet = $1 }, { $0.coins[.third].stuckAfter = $1 },
    ]

    @Test func `a policy of times that cannot be is refused, and the gate goes on`() {
        for edit in Self.edits {
            for extreme in Self.extremes {
                var story = Story(equipment: .twoWays)
                let policy = Story.policy { edit(&$0, extreme) }
                #expect(story.ask(.adopt(policy)) == .refused(.outOfRange))
                #expect(story.records.last == .refused(.adopt, by: Story.anna, .outOfRange))
                #expect(story.turnstile.gate.policy == Story.policy())
                #expect(story.turnstile.report().policyRequester == nil)
                story.insertCoin(pulses: 5)
                story.walkIn()
                #expect(story.records.contains(.passageCompleted(.entry, .paid)))
            }
        }
    }

    @Test(arguments: [Int.min, -1, 0, 1_000_001, .max])
    func `a policy of numbers that cannot be is refused`(number: Int) {
        let edits: [(inout Policy) -> Void] = [
            { $0.price = number }, { $0.meterUnit = number }, { $0.maxStored = number },
            { $0.coins[.first].values = .proportional(unit: number) },
            { $0.coins[.first].values = .exact([1: 50, 2: number]) },
            { $0.coins[.first].values = .exact([number: 50]) },
        ]
        for edit in edits {
            var story = Story()
            #expect(story.ask(.adopt(Story.policy(edit))) == .refused(.outOfRange))
            #expect(story.turnstile.gate.policy == Story.policy())
        }
        var story = Story()
        var entry = ScheduleEntry(days: .all, from: 0, to: 60)
        entry.entry = .locked
        var policy = Story.policy { $0.schedule = [entry] }
        #expect(story.ask(.adopt(policy)) == .done)
        policy.schedule[0].from = number == 1_000_001 ? 1_440 : min(number, -1)
        #expect(story.ask(.adopt(policy)) == .refused(.outOfRange))
        policy.schedule[0].from = 0
        policy.schedule[0].to = number
        #expect(story.ask(.adopt(policy)) == .refused(.outOfRange))
    }

    @Test func `a policy at the ends of what can be written is taken`() {
        let policies = [
            Story.policy {
                $0.price = Policy.highestPrice
                $0.maxStored = Policy.mostStored
                $0.passWait = .seconds(60)
                $0.creditExpiry = .seconds(7_200)
                $0.coins[.first].values = .exact([1: 1, 255: 1_000_000])
                $0.rotorStep = .milliseconds(100)
            },
            Story.policy {
                $0.price = 1
                $0.maxStored = 1
                $0.passWait = .seconds(1)
                $0.creditExpiry = .zero
                $0.rotorStep = .zero
                $0.tailgatingWindow = .zero
                $0.lateCoinWindow = .zero
            },
        ]
        for policy in policies {
            var story = Story()
            #expect(story.ask(.adopt(policy)) == .done)
            #expect(story.turnstile.gate.policy == policy)
        }
    }

    @Test(arguments: [Int64.min, -1, 0, 1_000_000_000_000, .max - 1, .max])
    func `a time at any end of time is over, or too far`(nanoseconds: Int64) {
        let until = Instant(nanoseconds: nanoseconds)
        var story = Story(equipment: .twoWays)
        for request in [
            Request.setMode(.entry, .free, until: until), .setEnforcement(.weak, until: until),
            .setMode(.exit, nil, until: until),
        ] {
            let refusal: Refusal = until <= story.now ? .timeOver : .outOfRange
            #expect(story.ask(request) == .refused(refusal))
        }
        #expect(story.turnstile.gate.timetable.terms == Terms())
    }

    @Test func `a clock that is set to any end of time leaves terms as they are`() {
        for step in [Int64.min, .min + 1, .max].map({ Duration.nanoseconds($0) }) {
            var story = Story(equipment: .twoWays)
            _ = story.ask(.setMode(.exit, .free, until: story.now + .seconds(60)))
            _ = story.ask(.setMode(.entry, .free, until: nil))
            story.send(.clockStepped(by: step))
            story.send(.clockStepped(by: step))
            story.wait(.seconds(5))
            #expect(story.turnstile.gate.regime.entry == .free)
            #expect(story.turnstile.gate.regime.exit == .free)
        }
    }

    @Test(arguments: [0, Int(Request.mostCounted)]) func `what a vault may hold is a count`(
        counted: Int
    ) {
        var story = Story()
        #expect(story.ask(.collectCoins(counted: counted)) == .done)
        #expect(story.records.contains(.collectionCounted(value: counted)))
    }

    @Test(arguments: [.min, -1, Int(Request.mostCounted) + 1, .max])
    func `what no vault holds is no count, and no collection`(counted: Int) {
        var story = Story()
        #expect(story.ask(.collectCoins(counted: counted)) == .refused(.outOfRange))
        #expect(!story.records.contains(.coinsCollected))
    }

    @Test func `with every fault up each request is answered, and the faults stay`() {
        for policy in [Story.policy(), Story.policy { $0.remoteService = .allowed }] {
            var story = Story(policy, equipment: .twoWays)
            for output in [Output.lockEntry, .lockExit, .alarm, .coinEnable] {
                for failure in LineFailure.allCases {
                    story.send(.lineFailed(.output(output), failure))
                }
                story.send(.outputCut(output))
            }
            for input in [Input.rotorA, .releaseEntry, .fire] {
                story.send(.lineFailed(.input(input), .unreadable))
            }
            story.send(.edgesLost([]))
            story.send(.storageFailed)
            let faults = story.turnstile.gate.faults.up
            for request in Request.probes {
                #expect(story.ask(request) != nil, "\(request.kind)")
                #expect(story.answers.count == 1)
            }
            #expect(story.turnstile.gate.faults.up == faults)
            #expect(story.turnstile.gate.emergency.isActive)
        }
    }
}
