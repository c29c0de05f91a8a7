import StateMachines
import Stories
import Testing

@testable import Turnstile

/// One output that an installer drives for a time they give, in their service mode.
@Suite struct DriveStoryTests {
    private static let anna = Story.anna

    /// A lock that may be on for 20 s, a siren that may for ever.
    private static func gate(recovery: Recovery = .known(RetainedState())) -> Story {
        Story(
            Story.policy {
                $0.remoteService = .allowed
                $0.remoteRepair = .allowed
            }, equipment: .twoWays, maximumOnTimes: [.lockEntry: .seconds(20)], recovery: recovery)
    }

    /// The same, with service mode begun.
    private static func inService() -> Story {
        var story = gate()
        #expect(story.ask(.beginService) == .done)
        return story
    }

    // MARK: How long

    @Test(arguments: [
        Duration.microseconds(1), .milliseconds(300), .seconds(1), .seconds(5), .seconds(300),
    ])
    func `an output is on alone for as long as somebody asks`(length: Duration) {
        var story = Self.inService()
        #expect(!story.isOn(.lockEntry) && story.isOn(.lockExit))
        #expect(story.ask(.test(.alarm, for: length)) == .done)
        #expect(story.records.last == .done(.test, by: Self.anna))
        story.wait(length - .nanoseconds(1))
        #expect(story.drive == OutputSet(.alarm))
        #expect(story.state == .testing(.alarm))
        story.wait(.nanoseconds(1))
        #expect(!story.isOn(.alarm) && story.isOn(.lockExit))
        #expect(story.records.last == .selfTestFinished)
        #expect(story.state == .service)
    }

    @Test func `a time that nobody gives is a second`() {
        var story = Self.inService()
        _ = story.ask(.test(.alarm, for: .seconds(9)))
        story.wait(.seconds(9))
        #expect(story.ask(.test(.alarm)) == .done)
        story.wait(.milliseconds(999))
        #expect(story.isOn(.alarm))
        story.wait(.milliseconds(1))
        #expect(!story.isOn(.alarm))
    }

    @Test func `every output of a self-test has its second, whatever was asked for before`() {
        var story = Self.inService()
        _ = story.ask(.test(.alarm, for: .seconds(9)))
        #expect(story.ask(.selfTest) == .done)
        for output in [Output.lockEntry, .lockExit, .alarm, .coinEnable] {
            #expect(story.drive == OutputSet(output))
            story.wait(.seconds(1))
        }
        #expect(story.records.last == .selfTestFinished)
    }

    @Test(arguments: [
        (Output.alarm, Duration.zero), (.alarm, .nanoseconds(-1)), (.alarm, .seconds(-5)),
        (.alarm, .seconds(300) + .microseconds(1)), (.alarm, .seconds(Int64.max)),
        (.alarm, .seconds(Int64.min)), (.lockEntry, .seconds(20) + .microseconds(1)),
        (.lockEntry, .seconds(300)),
    ])
    func `no output is driven for no time, or for longer than it may be on`(
        output: Output, length: Duration
    ) {
        var story = Self.inService()
        let before = story.turnstile.gate
        #expect(story.ask(.test(output, for: length)) == .refused(.outOfRange))
        #expect(story.records.last == .refused(.test, by: Self.anna, .outOfRange))
        #expect(story.turnstile.gate == before)
        // Nor does it end what is driven.
        _ = story.ask(.test(.alarm, for: .seconds(5)))
        #expect(story.ask(.test(output, for: length)) == .refused(.outOfRange))
        #expect(story.drive == OutputSet(.alarm))
    }

    @Test
    func `a lock that cannot be held open is driven for half of its time, another one for any`() {
        var story = Self.inService()
        #expect(story.ask(.test(.lockEntry, for: .seconds(10))) == .done)
        #expect(story.ask(.test(.lockExit, for: .seconds(21))) == .done)
    }

    @Test func `who asks again has the time from then on`() {
        var story = Self.inService()
        _ = story.ask(.test(.alarm, for: .seconds(5)))
        story.wait(.seconds(4))
        #expect(story.ask(.test(.alarm, for: .seconds(2))) == .done)
        #expect(story.records.suffix(2) == [.selfTestAborted, .done(.test, by: Self.anna)])
        #expect(!story.latest.contains(.set(.alarm, isOn: false)))
        story.wait(.milliseconds(1_999))
        #expect(story.isOn(.alarm))
        story.wait(.milliseconds(1))
        #expect(!story.isOn(.alarm))
    }

    // MARK: Whose, and when

    @Test func `outside service mode nothing is driven`() {
        var story = Self.gate()
        let request = Request.test(.alarm, for: .seconds(5))
        #expect(story.ask(request) == .refused(.noService))
        // Who waits for it does not have it yet.
        story.press(.releaseEntry)
        _ = story.ask(.beginService)
        #expect(story.ask(request) == .refused(.noService))
        story.walkIn()
        #expect(story.state == .service)
        #expect(story.ask(request, by: Story.bert) == .refused(.service))
        // Who gives it back has it no longer.
        story.turn(1)
        #expect(story.ask(request) == .refused(.occupied))
        #expect(story.ask(.endService) == .deferred)
        #expect(story.ask(request) == .refused(.noService))
        story.turn(0)
        #expect(story.ask(request) == .refused(.noService))
        #expect(!story.commands.contains(.set(.alarm, isOn: true)))
    }

    @Test func `it ends at once with service mode`() {
        var story = Self.inService()
        _ = story.ask(.test(.alarm, for: .seconds(60)))
        story.wait(.seconds(10))
        #expect(story.ask(.endService) == .done)
        #expect(!story.isOn(.alarm) && !story.isOn(.lockEntry))
        #expect(
            story.records.suffix(3) == [
                .selfTestAborted, .serviceEnded, .done(.endService, by: Self.anna),
            ])
        story.wait(.seconds(60))
        #expect(story.records.last == .done(.endService, by: Self.anna))
    }

    @Test(arguments: [Input.fire, .stop, .serviceKey, .rotorA])
    func `it ends at once where somebody at the gate needs it`(input: Input) {
        var story = Self.inService()
        _ = story.ask(.test(.alarm, for: .seconds(60)))
        story.wait(.seconds(10))
        story.open(input)
        // A movement is believed when nothing contradicts it.
        story.wait(.milliseconds(10))
        #expect(!story.isOn(.alarm))
        #expect(story.records.contains(.selfTestAborted))
        #expect(story.isOn(.lockEntry) == (input == .fire || input == .rotorA))
        story.wait(.seconds(60))
        #expect(!story.records.contains(.selfTestFinished))
    }

    @Test func `a restart in the middle of it leaves a gate that serves people`() {
        var story = Self.inService()
        _ = story.ask(.test(.lockEntry, for: .seconds(10)))
        story.wait(.seconds(3))
        var next = Self.gate(recovery: .known(story.turnstile.retained))
        #expect(next.drive == OutputSet(.coinEnable))
        #expect(next.state == .locked)
        next.wait(.seconds(60))
        #expect(next.drive == OutputSet(.coinEnable))
        #expect(next.ask(.test(.lockEntry, for: .seconds(20))) == .refused(.noService))
    }

    // MARK: What was on for too long

    @Test(arguments: [Output.lockEntry, .lockEntryHold])
    func `what is cut meanwhile has failed, and is not driven before the repair`(coil: Output) {
        var story = Self.inService()
        _ = story.ask(.test(.lockEntry, for: .seconds(10)))
        story.wait(.seconds(5))
        story.send(.outputCut(coil))
        #expect(
            story.records.suffix(3) == [
                .outOfService(.energisedTooLong(coil)), .selfTestFailed(.lockEntry),
                .selfTestAborted,
            ])
        #expect(!story.isOn(.lockEntry) && story.isOn(.lockExit))
        #expect(story.state == .service)
        for length in [nil, Duration.seconds(1)] {
            #expect(story.ask(.test(.lockEntry, for: length)) == .refused(.repairFirst))
        }
        #expect(!story.isOn(.lockEntry))
        #expect(story.ask(.test(.alarm, for: .seconds(1))) == .done)
        story.wait(.seconds(1))
        #expect(story.ask(.confirmRepair) == .done)
        #expect(story.ask(.test(.lockEntry, for: .seconds(1))) == .done)
        #expect(story.drive == OutputSet(.lockEntry))
    }

    @Test func `another output that is cut meanwhile ends nothing`() {
        var story = Self.inService()
        _ = story.ask(.test(.alarm, for: .seconds(5)))
        story.send(.outputCut(.lockEntry))
        #expect(story.drive == OutputSet(.alarm))
        #expect(!story.records.contains(.selfTestFailed(.lockEntry)))
        story.wait(.seconds(5))
        #expect(story.records.last == .selfTestFinished)
    }

    @Test(arguments: [Output.lockEntry, .lockEntryHold])
    func `a self-test goes on behind an output that is cut`(coil: Output) {
        var story = Self.inService()
        _ = story.ask(.selfTest)
        story.send(.outputCut(coil))
        #expect(story.records.last == .selfTestFailed(.lockEntry))
        #expect(story.drive == [])
        story.send(.lineFailed(.output(.lockEntry), .undrivable))
        #expect(story.records.count { $0 == .selfTestFailed(.lockEntry) } == 1)
        story.wait(.seconds(1))
        #expect(story.drive == OutputSet(.lockExit))
        story.wait(.seconds(3))
        #expect(story.records.last == .selfTestFinished)
    }

    @Test func `an output that fails, and is cut then, has failed once`() {
        var story = Self.inService()
        _ = story.ask(.test(.alarm, for: .seconds(60)))
        story.send(.lineFailed(.output(.alarm), .mismatch))
        story.send(.outputCut(.alarm))
        #expect(story.records.count { $0 == .selfTestFailed(.alarm) } == 1)
        #expect(story.records.last == .selfTestAborted)
    }
}
