import StateMachines
import Stories
import Testing
import Turnstile

@Suite struct EmergencyStoryTests {
    @Test func `an open loop releases the gate and refuses coins at once`() {
        var story = Story()
        story.open(.fire)
        #expect(
            story.latest == [
                .set(.lockEntry, isOn: true), .set(.coinEnable, isOn: false),
                .record(.emergencyStarted),
            ])
        #expect(story.state == .emergency)
    }

    @Test func `a loop that is open at the start is an emergency from the start`() {
        let story = Story(levels: InputLevels(.fire))
        #expect(story.state == .emergency)
        #expect(
            story.commands == [
                .set(.lockEntry, isOn: true), .set(.alarm, isOn: false),
                .set(.coinEnable, isOn: false), .record(.started), .record(.emergencyStarted),
            ])
    }

    /// A loop that is to be open for 20 ms, where the bank debounces or the program.
    private static func debounced(byBank bank: Bool) -> Turnstile {
        var turnstile = Turnstile(
            policy: Story.policy(),
            debounce: [.fire: .milliseconds(20), .stop: .milliseconds(100)],
            bankDebounces: bank)
        _ = turnstile.handle(Event(.started([]), at: .zero))
        return turnstile
    }

    @Test(arguments: [false, true])
    func `a loop that chatters faster than it settles is broken`(byBank bank: Bool) {
        var turnstile = Self.debounced(byBank: bank)
        var now = Instant.zero + .seconds(1)
        var openFor = Duration.zero
        while turnstile.status.state != .emergency, openFor < .seconds(1) {
            _ = turnstile.handle(Event(.changed(.fire, isActive: true), at: now))
            _ = turnstile.handle(Event(.timePassed, at: now + .milliseconds(4)))
            _ = turnstile.handle(
                Event(.changed(.fire, isActive: false), at: now + .milliseconds(4)))
            openFor += .milliseconds(4)
            now = now + .milliseconds(40)
        }
        #expect(openFor == .milliseconds(20))
    }

    @Test func `a loop that was touched now and then is whole`() {
        var turnstile = Self.debounced(byBank: false)
        for second in 1...20 {
            let now = Instant.zero + .seconds(second)
            _ = turnstile.handle(Event(.changed(.fire, isActive: true), at: now))
            _ = turnstile.handle(
                Event(.changed(.fire, isActive: false), at: now + .milliseconds(9)))
        }
        #expect(turnstile.status.state == .locked)
    }

    @Test func `a loop that chatters is not closed between two openings`() {
        var story = Story(
            Story.policy { $0.fireReset = .auto }, debounce: [.fire: .milliseconds(20)])
        for _ in 0..<20 {
            story.open(.fire)
            story.wait(.milliseconds(15))
            story.close(.fire)
            story.wait(.milliseconds(150))
        }
        #expect(story.state == .emergency)
        story.wait(.milliseconds(50))
        #expect(story.state == .locked)
        #expect(story.records.count { $0 == .emergencyStarted } == 1)
    }

    @Test func `a gap that hides a loop and the rotor closes on nobody`() {
        var story = Story(
            Story.policy { $0.fireReset = .auto }, debounce: [.fire: .milliseconds(20)])
        story.press(.releaseEntry)
        story.open(.fire)
        story.wait(.milliseconds(3))
        story.close(.fire)
        // Somebody has begun to pass, of which the edges were lost.
        story.send(.edgesLost(InputLevels(.rotorA)))
        #expect(story.state == .awaitingClearLane)
        #expect(story.isOn(.lockEntry))
        story.turn(0)
        story.wait(.seconds(1))
        #expect(!story.isOn(.lockEntry))
    }

    @Test func `a loop of which edges are missing was broken`() {
        // Of two that tell that it closed, the one between them told that it was open.
        var missed = Story()
        missed.close(.fire)
        #expect(missed.records.contains(.emergencyStarted))
        #expect(missed.state == .awaitingReset)
        // It was about to be open, and then nobody heard of it.
        var lost = Story(debounce: [.fire: .milliseconds(20)])
        lost.open(.fire)
        lost.wait(.milliseconds(3))
        lost.close(.fire)
        lost.wait(.milliseconds(100))
        lost.send(.edgesLost([]))
        #expect(lost.state == .awaitingReset)
        // Others were lost long after.
        var others = Story(debounce: [.fire: .milliseconds(20)])
        others.open(.fire)
        others.close(.fire)
        others.wait(.milliseconds(300))
        others.send(.edgesLost([]))
        #expect(!others.records.contains(.emergencyStarted))
    }

    @Test func `where a closed loop ends the emergency nothing is said of a reset`() {
        var story = Story(Story.policy { $0.fireReset = .auto })
        story.open(.fire)
        story.close(.fire)
        story.wait(.seconds(1))
        #expect(story.records.suffix(2) == [.emergencyLoopClosed, .emergencyReset])
        #expect(
            story.records.suffix(2).map(\.entry.sentence) == [
                "the emergency loop is closed; the gate stands open until the emergency ends",
                "the emergency is over",
            ])
    }

    @Test func `a closed loop does not end the emergency: the key does`() {
        var story = Story()
        story.open(.fire)
        story.press(.emergencyResetKey)
        #expect(story.state == .emergency)
        story.close(.fire)
        #expect(story.latest == [.record(.emergencyLoopClosed)])
        #expect(story.state == .awaitingReset)
        story.wait(.seconds(3600))
        #expect(story.isOn(.lockEntry))
        story.press(.emergencyResetKey)
        #expect(
            story.latest == [
                .set(.lockEntry, isOn: false), .set(.coinEnable, isOn: true),
                .record(.emergencyReset),
            ])
    }

    @Test func `a closed loop ends the emergency where the owner says so`() {
        var story = Story(Story.policy { $0.fireReset = .auto })
        story.open(.fire)
        story.close(.fire)
        #expect(
            story.latest == [
                .set(.lockEntry, isOn: false), .set(.coinEnable, isOn: true),
                .record(.emergencyLoopClosed), .record(.emergencyReset),
            ])
    }

    @Test func `the reset waits for a clear lane`() {
        var story = Story()
        story.open(.fire)
        story.turn(1, 2)
        story.close(.fire)
        story.press(.emergencyResetKey)
        #expect(story.state == .awaitingClearLane)
        #expect(story.isOn(.lockEntry))
        story.turn(3, 0)
        #expect(story.state == .locked)
        #expect(
            story.records.suffix(2) == [.passageCompleted(.entry, .emergency), .emergencyReset])
    }

    @Test func `the loop can open again before the reset is done`() {
        var story = Story()
        story.open(.fire)
        story.turn(1)
        story.close(.fire)
        story.press(.emergencyResetKey)
        story.open(.fire)
        story.turn(0)
        #expect(story.state == .emergency)
    }

    @Test func `a fare that an emergency interrupts becomes credit again`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.turn(1)
        story.open(.fire)
        #expect(story.credit == 250)
        #expect(!story.latest.contains(.set(.lockEntry, isOn: false)))
        story.turn(2, 3, 0)
        #expect(story.records.last == .passageCompleted(.entry, .emergency))
    }

    @Test func `a loop that opened while edges were lost comes before all else`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.turn(1)
        story.send(.edgesLost(InputLevels(.fire)))
        #expect(story.state == .emergency)
        #expect(!story.records.contains(.passageLost(.entry, .paid)))
        #expect(story.credit == 250)
    }

    @Test func `people who flee raise no alarm`() {
        var story = Story()
        story.open(.fire)
        for _ in 1...3 { story.turn(3, 2, 1, 0) }
        #expect(!story.status.soundsAlarm)
        #expect(story.records.filter { $0 == .passageCompleted(.exit, .emergency) }.count == 3)
    }

    @Test(arguments: [Input.externalFault, .serviceKey, .releaseEntry, .emergencyResetKey])
    func `nothing relocks while the loop is open`(input: Input) {
        var story = Story()
        story.open(.fire)
        story.open(input)
        story.insertCoin(pulses: 5)
        story.close(input)
        #expect(story.isOn(.lockEntry))
        #expect(!story.isOn(.coinEnable))
    }

    @Test func `a fault that was there before is there after`() {
        var story = Story()
        story.open(.externalFault)
        story.open(.fire)
        story.close(.fire)
        story.press(.emergencyResetKey)
        #expect(story.state == .outOfService(.external))
        #expect(!story.isOn(.coinEnable))
    }

    @Test func `the loop is debounced where the bank does not do it`() {
        var story = Story(debounce: [.fire: .milliseconds(20)])
        story.open(.fire)
        story.wait(.milliseconds(19))
        #expect(story.state == .locked)
        story.wait(.milliseconds(1))
        #expect(story.state == .emergency)
    }

    @Test func `a lock that was cut in an emergency opens again after the repair`() {
        var story = Story()
        story.open(.fire)
        story.send(.outputCut(.lockEntry))
        #expect(story.state == .emergency)
        #expect(!story.isOn(.lockEntry))
        story.press(.serviceKey)
        #expect(story.latest.contains(.set(.lockEntry, isOn: true)))
        #expect(story.isOn(.lockEntry))
    }

    /// Two locks, and an arm that drops.
    private static let opening = Equipment(
        inputs: Equipment.oneWay.inputs,
        outputs: Equipment.oneWay.outputs.union(OutputSet([.lockExit, .dropArm])))

    @Test func `the arm drops at once, and is held up again after the reset`() {
        var story = Story(equipment: Self.opening)
        #expect(!story.isOn(.dropArm))
        story.open(.fire)
        #expect(story.isOn(.dropArm))
        story.close(.fire)
        #expect(story.isOn(.dropArm))
        story.press(.emergencyResetKey)
        #expect(!story.isOn(.dropArm))
    }

    @Test(arguments: [Output.lockEntry, .lockExit])
    func `of two locks only the one that was cut rests`(lock: Output) {
        var story = Story(
            equipment: Self.opening,
            maximumOnTimes: [.lockEntry: .seconds(60), .lockExit: .seconds(60)])
        story.send(.outputCut(lock))
        story.open(.fire)
        #expect(story.isOn(.lockEntry) == (lock != .lockEntry))
        #expect(story.isOn(.lockExit) == (lock != .lockExit))
        story.press(.serviceKey)
        #expect(story.isOn(.lockEntry) && story.isOn(.lockExit))
    }
}
