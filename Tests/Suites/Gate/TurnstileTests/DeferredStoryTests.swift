import StateMachines
import Stories
import Testing

@testable import Turnstile

/// What was told to wait until nobody is in the gate: what came of it is told, and where nothing
/// came of it, why.
@Suite struct DeferredStoryTests {
    private static let anna = Story.anna
    private static let bert = Story.bert

    /// A gate in whose rotor somebody is: everything waits.
    private static func busy(_ policy: Policy = Story.policy()) -> Story {
        var story = Story(policy, equipment: .twoWays.with(outputs: .buzzer))
        story.turn(1)
        return story
    }

    /// The same, a minute before the schedule frees the way out.
    private static func beforeEvening() -> Story {
        var entry = ScheduleEntry(days: .all, from: 18 * 60, to: 20 * 60)
        entry.exit = .free
        var story = busy(Story.policy { $0.schedule = [entry] })
        story.send(.clockRead(WeekTime(.monday, minute: 17 * 60 + 59)))
        return story
    }

    /// The same gate, begun anew while somebody is in the rotor.
    private static func restarted(_ story: Story, policy: Policy = Story.policy()) -> Story {
        Story(
            policy, equipment: story.turnstile.gate.equipment, levels: story.turnstile.inputs,
            recovery: .known(story.turnstile.retained))
    }

    // MARK: Something else is asked for meanwhile

    @Test(arguments: Direction.allCases)
    func `a mode that waits gives way to another one, on the same way`(_ direction: Direction) {
        var story = Self.busy()
        #expect(story.ask(.setMode(direction, .free, until: nil)) == .deferred)
        #expect(story.ask(.setMode(direction.opposite, .free, until: nil)) == .deferred)
        #expect(!story.records.contains { $0.isRefusal })
        #expect(story.ask(.setMode(direction, .locked, until: nil), by: Self.bert) == .deferred)
        #expect(
            story.records.suffix(2) == [
                .refused(.setMode, by: Self.anna, .superseded),
                .deferred(.setMode, by: Self.bert),
            ])
        story.turn(0)
        #expect(story.records.contains(.modeChanged(direction, .locked, by: Self.bert)))
        #expect(story.records.contains(.modeChanged(direction.opposite, .free, by: Self.anna)))
        #expect(story.records.count { $0.isRefusal } == 1)
    }

    @Test func `an enforcement that waits gives way to another one`() {
        var story = Self.busy()
        #expect(story.ask(.setEnforcement(.weak, until: nil)) == .deferred)
        #expect(story.ask(.setEnforcement(nil, until: nil), by: Self.bert) == .done)
        #expect(story.records.contains(.refused(.setEnforcement, by: Self.anna, .superseded)))
        story.turn(0)
        #expect(story.turnstile.gate.regime.enforcement == .strong)
        #expect(story.turnstile.retained == RetainedState())
    }

    @Test func `what is in force gives way without a word`() {
        var story = Story(equipment: .twoWays)
        #expect(story.ask(.setMode(.entry, .free, until: nil)) == .done)
        #expect(story.ask(.setMode(.entry, .locked, until: nil), by: Self.bert) == .done)
        #expect(!story.records.contains { $0.isRefusal })
    }

    @Test(arguments: [Self.anna, .settings])
    func `a policy that waits gives way to another one`(earlier: Requester) {
        var story = Self.busy()
        _ = story.ask(.adopt(Story.policy { $0.price = 150 }), by: earlier)
        #expect(story.ask(.adopt(Story.policy { $0.price = 100 }), by: Self.bert) == .deferred)
        #expect(story.records.contains(.refused(.adopt, by: earlier, .superseded)))
        story.turn(0)
        #expect(story.turnstile.gate.policy.price == 100)
        #expect(!story.records.contains(.policyChanged(by: earlier)))
    }

    // MARK: Its time is over

    @Test func `what is over before the gate is idle was never in force`() {
        var story = Self.busy()
        let end = story.now + .milliseconds(500)
        #expect(story.ask(.setMode(.exit, .free, until: end)) == .deferred)
        #expect(story.ask(.setEnforcement(.weak, until: end)) == .deferred)
        story.wait(.milliseconds(500))
        #expect(
            story.records.suffix(2) == [
                .refused(.setMode, by: Self.anna, .timeOver),
                .refused(.setEnforcement, by: Self.anna, .timeOver),
            ])
        story.turn(0)
        #expect(!story.records.contains { $0.isChangeOfTerms })
        #expect(story.turnstile.retained == RetainedState())
    }

    @Test func `a clock that is set beyond its end ends what waits`() {
        var story = Self.busy()
        story.send(.clockRead(WeekTime(.monday, minute: 719)))
        #expect(story.ask(.setModeUntil(.exit, .free, .noon)) == .deferred)
        story.send(.clockRead(WeekTime(.monday, minute: 721)))
        #expect(story.records.contains(.refused(.setModeUntil, by: Self.anna, .timeOver)))
    }

    @Test func `what was in force until its end has no other word than what is in force then`() {
        var story = Story(equipment: .twoWays)
        let end = story.now + .seconds(1)
        #expect(story.ask(.setMode(.exit, .free, until: end)) == .done)
        story.wait(.seconds(1))
        #expect(story.records.last == .modeChanged(.exit, .controlled, by: .schedule))
        #expect(!story.records.contains { $0.isRefusal })
    }

    // MARK: It is so without any change

    @Test func `who waits for what the schedule brings is told that it is so`() {
        var story = Self.beforeEvening()
        story.turn(0)
        #expect(story.ask(.setMode(.exit, .free, until: nil)) == .done)
        story.turn(1)
        #expect(story.ask(.setMode(.exit, nil, until: nil)) == .deferred)
        story.wait(.seconds(60))
        #expect(story.records.last == .done(.setMode, by: Self.anna))
        story.turn(0)
        #expect(story.turnstile.gate.regime.exit == .free)
        #expect(story.turnstile.retained.terms == Terms())
    }

    @Test func `who asked for the schedule's mode has no part in what it brings later`() {
        var story = Self.beforeEvening()
        // Something else waits, so that not all is in force that is asked for.
        #expect(story.ask(.setEnforcement(.weak, until: nil)) == .deferred)
        #expect(story.ask(.setMode(.exit, nil, until: nil)) == .done)
        story.wait(.seconds(60))
        #expect(story.records.last == .scheduleDeferred)
        story.turn(0)
        #expect(story.records.contains(.modeChanged(.exit, .free, by: .schedule)))
    }

    // MARK: Over a restart

    @Test func `a mode that waits comes into force with the start, and its requester is named`() {
        var story = Self.busy()
        #expect(story.ask(.setMode(.exit, .free, until: nil)) == .deferred)
        #expect(story.turnstile.retained.terms.exit?.isAwaited == true)
        let next = Self.restarted(story)
        #expect(next.records.contains(.modeChanged(.exit, .free, by: Self.anna)))
        #expect(next.turnstile.retained.terms.exit?.isAwaited == false)
    }

    @Test func `a mode whose time was over before the start is told of where it still waited`() {
        var story = Self.busy()
        let end = story.now + .milliseconds(1)
        #expect(story.ask(.setMode(.exit, .free, until: end)) == .deferred)
        var before = story.turnstile.retained
        before.moveTimes(by: .seconds(-60))
        let next = Story(equipment: .twoWays, recovery: .known(before))
        #expect(
            next.records == [.refused(.setMode, by: Self.anna, .timeOver), .started])
    }

    @Test func `who waited to have the schedule's mode again has it with the start`() {
        var story = Story(equipment: .twoWays)
        #expect(story.ask(.setMode(.exit, .free, until: nil)) == .done)
        story.turn(1)
        #expect(story.ask(.setMode(.exit, nil, until: nil), by: Self.bert) == .deferred)
        let next = Self.restarted(story)
        #expect(next.records.contains(.done(.setMode, by: Self.bert)))
        #expect(next.turnstile.gate.regime.exit == .controlled)
        #expect(next.turnstile.retained.terms == Terms())
    }

    @Test func `who waited for service mode or with a policy is told that the service ended`() {
        var story = Self.busy(Story.policy { $0.remoteService = .allowed })
        #expect(story.ask(.beginService) == .deferred)
        #expect(story.ask(.adopt(Story.policy { $0.price = 100 }), by: Self.bert) == .deferred)
        let next = Self.restarted(story)
        #expect(next.records.contains(.refused(.beginService, by: Self.anna, .restarted)))
        #expect(next.records.contains(.refused(.adopt, by: Self.bert, .restarted)))
        #expect(!next.records.contains { $0.isChangeOfPolicy })
        let third = Self.restarted(next)
        #expect(!third.records.contains { $0.isRefusal }, "it was told")
    }

    @Test func `the settings' policy that waited is read anew, and nobody is told`() {
        var story = Self.busy()
        _ = story.ask(.adopt(Story.policy { $0.price = 100 }), by: .settings)
        #expect(story.turnstile.retained.policyRequester == nil)
        #expect(!Self.restarted(story).records.contains { $0.isRefusal })
    }

    @Test func `a policy from afar ends with the process, and the log says so`() {
        var story = Story(equipment: .twoWays)
        #expect(story.ask(.adopt(Story.policy { $0.price = 100 })) == .done)
        #expect(story.turnstile.retained.policySource == Self.anna)
        var next = Self.restarted(story)
        #expect(next.records == [.started, .policyChanged(by: .settings)])
        #expect(next.turnstile.gate.policy.price == Story.policy().price)
        #expect(next.turnstile.retained == RetainedState())
        // One that the owner replaced is over already.
        #expect(next.ask(.adopt(Story.policy { $0.price = 100 })) == .done)
        _ = next.ask(.adopt(Story.policy()), by: .settings)
        #expect(Self.restarted(next).records == [.started])
    }
}

extension Record {
    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }

    fileprivate var isChangeOfTerms: Bool {
        switch self {
        case .modeChanged, .enforcementChanged: true
        case _: false
        }
    }

    fileprivate var isChangeOfPolicy: Bool {
        if case .policyChanged = self { true } else { false }
    }
}
