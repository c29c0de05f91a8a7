import StateMachines
import Stories
import Testing
import Turnstile

/// Nobody is locked in who may have begun to move, though nobody knows yet whether they did: what
/// closes waits until the sensors are at rest.
@Suite struct MovementStoryTests {
    /// What shows that somebody may be there.
    enum Sign: CaseIterable, CustomTestStringConvertible {
        case firstSensor, bothSensors

        var testDescription: String {
            self == .firstSensor ? "the first sensor has just moved" : "both sensors are doubtful"
        }

        fileprivate func show(_ story: inout Story) {
            story.open(.rotorA)
            story.wait(.milliseconds(5))
            guard self == .bothSensors else { return }
            story.open(.rotorB)
            story.wait(.milliseconds(200))
        }

        /// Nobody was there.
        fileprivate func vanish(_ story: inout Story) {
            story.close(.rotorA)
            if self == .bothSensors { story.close(.rotorB) }
            story.wait(.milliseconds(10))
        }
    }

    /// What would close.
    enum Closing: CaseIterable {
        case stop, fault, supply, failedLine

        fileprivate func happen(_ story: inout Story) {
            switch self {
            case .stop: story.open(.stop)
            case .fault: story.open(.externalFault)
            case .supply: story.open(.powerLow)
            case .failedLine: story.send(.lineFailed(.input(.rotorB), .unreadable))
            }
        }
    }

    private static let equipment = Equipment.twoWays.with(.powerLow, outputs: .dropArm)

    private static func story(_ edit: (inout Policy) -> Void = { _ in }) -> Story {
        Story(
            Story.policy {
                $0.remoteService = .allowed
                $0.remoteEmergencyReset = .allowed
                edit(&$0)
            }, equipment: equipment)
    }

    private static func isOpen(_ story: Story) -> Bool {
        story.isOn(.lockEntry) && story.isOn(.lockExit)
    }

    // MARK: Stop and faults

    @Test(arguments: Sign.allCases, Closing.allCases)
    func `nothing that blocks the gate closes on whoever may have begun`(
        sign: Sign, closing: Closing
    ) {
        var story = Self.story()
        story.press(.releaseEntry)
        sign.show(&story)
        closing.happen(&story)
        #expect(story.isOn(.lockEntry))
        #expect(!story.isOn(.coinEnable))
        sign.vanish(&story)
        #expect(!story.isOn(.lockEntry))
        #expect(!story.records.contains(.passageStarted(.entry)))
    }

    @Test(arguments: Closing.allCases)
    func `whoever had begun to move as the gate was blocked is let through`(closing: Closing) {
        var story = Self.story()
        story.press(.releaseEntry)
        Sign.firstSensor.show(&story)
        closing.happen(&story)
        story.wait(.milliseconds(100))
        #expect(story.isOn(.lockEntry))
        story.turn(2, 3, 0)
        #expect(!story.isOn(.lockEntry))
        #expect(story.records.contains(.passageCompleted(.entry, .free)))
        #expect(!story.records.contains(.alarmRaised(.forcedPassage)))
    }

    @Test(arguments: [Closing.stop, .fault])
    func `so is whoever goes where it is free`(closing: Closing) {
        var story = Self.story { $0.regime.exit = .free }
        story.open(.rotorB)
        story.wait(.milliseconds(5))
        closing.happen(&story)
        #expect(story.isOn(.lockExit))
        story.wait(.milliseconds(100))
        #expect(story.isOn(.lockExit))
        story.turn(2, 1, 0)
        #expect(!story.isOn(.lockExit))
        #expect(story.records.contains(.passageCompleted(.exit, .free)))
    }

    @Test func `a free way closes once the sensors are at rest`() {
        var story = Self.story { $0.regime.exit = .free }
        story.open(.rotorB)
        story.wait(.milliseconds(5))
        story.open(.stop)
        story.close(.rotorB)
        #expect(story.isOn(.lockExit))
        // It bounces, and counts after all.
        story.wait(.milliseconds(5))
        story.open(.rotorB)
        story.wait(.milliseconds(100))
        #expect(story.isOn(.lockExit))
        story.turn(0)
        #expect(!story.isOn(.lockExit))
    }

    @Test func `a movement opens no way that is blocked`() {
        var story = Self.story { $0.regime.exit = .free }
        story.open(.stop)
        #expect(!story.isOn(.lockExit))
        story.open(.rotorB)
        #expect(!story.isOn(.lockExit))
        story.wait(.milliseconds(100))
        #expect(!story.isOn(.lockExit))
    }

    @Test func `a repair takes nothing from whoever may have begun to move`() {
        var story = Self.story()
        story.press(.releaseEntry)
        Sign.bothSensors.show(&story)
        story.open(.externalFault)
        story.close(.externalFault)
        story.press(.serviceKey)
        #expect(story.isOn(.lockEntry))
        Sign.bothSensors.vanish(&story)
        #expect(story.state == .released(.entry))
    }

    @Test func `a lock that is cut gives back what nobody had begun to use`() {
        var story = Self.story()
        story.insertCoin(pulses: 5)
        Sign.firstSensor.show(&story)
        story.send(.outputCut(.lockEntry))
        #expect(!story.isOn(.lockEntry))
        #expect(story.credit == 0)
        Sign.firstSensor.vanish(&story)
        #expect(story.credit == 250)
    }

    @Test func `whoever a lock is cut on as they begin is let out with the key`() {
        var story = Self.story()
        story.insertCoin(pulses: 5)
        Sign.firstSensor.show(&story)
        story.send(.outputCut(.lockEntry))
        story.wait(.milliseconds(100))
        story.press(.serviceKey)
        #expect(story.isOn(.lockEntry))
        story.turn(2, 3, 0)
        #expect(story.records.contains(.passageCompleted(.entry, .paid)))
    }

    // MARK: Emergencies

    /// A gate whose emergency waits for its reset.
    private static func emergency(_ reset: FireResetPolicy = .manual) -> Story {
        var story = story { $0.fireReset = reset }
        story.open(.fire)
        if reset == .manual { story.close(.fire) }
        return story
    }

    @Test(arguments: Sign.allCases)
    func `the reset key closes nothing on whoever may have begun to move`(sign: Sign) {
        var story = Self.emergency()
        sign.show(&story)
        story.press(.emergencyResetKey)
        #expect(story.records.last == .deferred(.resetEmergency, by: .resetKey))
        #expect(Self.isOpen(story) && story.isOn(.dropArm) && !story.isOn(.coinEnable))
        sign.vanish(&story)
        #expect(story.records.last == .emergencyReset)
        #expect(!story.isOn(.lockEntry) && !story.isOn(.lockExit) && story.isOn(.coinEnable))
    }

    @Test(arguments: [Input.rotorA, .rotorB])
    func `nothing closes after an emergency while a sensor cannot be read`(sensor: Input) {
        var story = Self.emergency()
        story.send(.lineFailed(.input(sensor), .unreadable))
        #expect(story.ask(.resetEmergency) == .refused(.occupied))
        story.press(.emergencyResetKey)
        #expect(story.records.last == .deferred(.resetEmergency, by: .resetKey))
        story.send(.lineRecovered(.input(sensor)))
        #expect(Self.isOpen(story))
        story.press(.serviceKey)
        #expect(story.records.contains(.emergencyReset) && !story.isOn(.lockEntry))
    }

    @Test func `nor does an operator end service mode then, but the key does`() {
        var story = Self.story()
        story.send(.lineFailed(.input(.rotorA), .unreadable))
        #expect(story.ask(.beginService) == .done)
        #expect(story.ask(.endService) == .refused(.occupied))
        story.press(.serviceKey)
        #expect(story.records.contains(.serviceEnded))
    }

    @Test func `nor does the stop contact lock then, until somebody has looked`() {
        var story = Self.story()
        story.send(.lineFailed(.input(.rotorA), .unreadable))
        #expect(story.ask(.beginService) == .done)
        story.open(.stop)
        #expect(!story.records.contains(.serviceEnded) && Self.isOpen(story))
        story.press(.serviceKey)
        #expect(story.records.contains(.serviceEnded) && !Self.isOpen(story))
    }

    @Test(arguments: Sign.allCases)
    func `nor does a loop that closes where that is all it takes`(sign: Sign) {
        var story = Self.emergency(.auto)
        sign.show(&story)
        story.close(.fire)
        #expect(Self.isOpen(story) && story.isOn(.dropArm) && !story.isOn(.coinEnable))
        sign.vanish(&story)
        #expect(!story.isOn(.lockEntry) && !story.isOn(.lockExit))
    }

    @Test(arguments: Sign.allCases) func `nor does an operator`(sign: Sign) {
        var story = Self.emergency()
        sign.show(&story)
        #expect(story.ask(.resetEmergency) == .refused(.occupied))
        #expect(Self.isOpen(story))
    }

    @Test func `whoever both sensors show is out before an emergency is over`() {
        var story = Self.emergency()
        Sign.bothSensors.show(&story)
        story.press(.emergencyResetKey)
        story.wait(.seconds(2))
        #expect(story.records.last == .outOfService(.illegalRotorTransition))
        #expect(story.state == .awaitingClearLane)
        #expect(Self.isOpen(story))
        story.turn(3, 0)
        #expect(story.state == .outOfService(.illegalRotorTransition))
        #expect(!story.isOn(.lockEntry))
    }

    @Test(arguments: Sign.allCases) func `an emergency opens at once all the same`(sign: Sign) {
        var story = Self.story()
        sign.show(&story)
        story.open(.fire)
        #expect(Self.isOpen(story) && story.isOn(.dropArm))
    }

    @Test func `sensors that come to no rest keep nothing open for ever`() {
        var story = Self.emergency()
        for round in 0..<2_000 {
            story.open(.rotorA)
            if round == 0 { story.press(.emergencyResetKey) }
            story.wait(.milliseconds(2))
            story.close(.rotorA)
            story.wait(.milliseconds(2))
        }
        #expect(story.records.contains(.faultRaised(.illegalRotorTransition)))
        #expect(story.records.contains(.emergencyReset))
        #expect(!story.isOn(.lockEntry) && !story.isOn(.coinEnable))
    }

    // MARK: Service mode

    private static func serviceMode(by requester: Requester) -> Story {
        var story = story()
        if requester.person == nil {
            story.open(.serviceKey)
            story.wait(.seconds(3))
            story.close(.serviceKey)
            story.turn(1, 0)
        } else {
            _ = story.ask(.beginService, by: requester)
        }
        return story
    }

    @Test(arguments: Sign.allCases, [Requester.serviceKey, Story.anna])
    func `the end of service mode closes nothing on whoever may have begun to move`(
        sign: Sign, requester: Requester
    ) {
        var story = Self.serviceMode(by: requester)
        #expect(story.state == .service && Self.isOpen(story))
        sign.show(&story)
        if requester.person == nil {
            story.press(.serviceKey)
        } else {
            #expect(story.ask(.endService, by: requester) == .deferred)
        }
        #expect(Self.isOpen(story))
        sign.vanish(&story)
        #expect(story.records.last == .serviceEnded)
        #expect(!story.isOn(.lockEntry) && !story.isOn(.lockExit))
    }

    @Test(arguments: Sign.allCases)
    func `nor does the stop contact in service mode`(sign: Sign) {
        var story = Self.serviceMode(by: Story.anna)
        sign.show(&story)
        story.open(.stop)
        #expect(Self.isOpen(story))
        sign.vanish(&story)
        #expect(!story.isOn(.lockEntry) && !story.isOn(.lockExit))
    }

    @Test(arguments: Sign.allCases)
    func `service mode begins once it is known that nobody moves`(sign: Sign) {
        var story = Self.story { $0.regime.exit = .free }
        sign.show(&story)
        #expect(story.ask(.beginService) == .deferred)
        #expect(story.isOn(.lockExit))
        #expect(story.state != .service)
        sign.vanish(&story)
        #expect(story.state == .service)
    }

    // MARK: Contacts that settle

    @Test func `an edge that does not count yet may be somebody's`() {
        var story = Story(
            Story.policy(), equipment: Self.equipment,
            debounce: [.rotorA: .milliseconds(5), .rotorB: .milliseconds(5)])
        story.press(.releaseEntry)
        story.open(.rotorA)
        story.wait(.milliseconds(1))
        story.open(.stop)
        #expect(story.isOn(.lockEntry))
        story.wait(.milliseconds(100))
        #expect(story.isOn(.lockEntry))
        story.turn(0)
        #expect(!story.isOn(.lockEntry))
    }

    @Test func `one that does not last was nobody's`() {
        var story = Story(
            Story.policy(), equipment: Self.equipment, debounce: [.rotorA: .milliseconds(5)])
        story.press(.releaseEntry)
        story.open(.rotorA)
        story.open(.stop)
        story.wait(.milliseconds(1))
        story.close(.rotorA)
        #expect(story.isOn(.lockEntry))
        story.wait(story.turnstile.gate.policy.rotorStep)
        #expect(!story.isOn(.lockEntry))
    }

    @Test func `edges that are lost tell where everybody is`() {
        var story = Self.emergency()
        Sign.firstSensor.show(&story)
        story.press(.emergencyResetKey)
        #expect(Self.isOpen(story))
        story.send(.edgesLost([]))
        story.wait(story.turnstile.gate.policy.rotorStep)
        #expect(story.records.contains(.emergencyReset))
    }
}
