import StateMachines
import Stories
import Testing
import Turnstile

@Suite struct TroubleStoryTests {
    // MARK: Alarms

    @Test func `a forced passage raises the alarm for a while`() {
        var story = Story()
        story.turn(1)
        #expect(story.latest == [])
        story.turn(2)
        #expect(story.status.soundsAlarm)
        #expect(
            story.commands.suffix(2) == [
                .set(.alarm, isOn: true), .record(.alarmRaised(.forcedPassage)),
            ])
        story.turn(3, 0)
        #expect(story.records.last == .passageCompleted(.entry, .unauthorised))
        story.wait(.seconds(5))
        #expect(
            story.latest == [.set(.alarm, isOn: false), .record(.alarmCleared(.forcedPassage))])
        #expect(story.state == .locked)
    }

    @Test func `a forced passage sounds until the key where the owner says so`() {
        var story = Story(Story.policy { $0.forcedPassage = .latch })
        story.walkIn()
        story.wait(.seconds(3600))
        #expect(story.status.soundsAlarm)
        story.press(.serviceKey)
        #expect(!story.status.soundsAlarm)
        #expect(story.records.last == .alarmCleared(.forcedPassage))
    }

    @Test func `coming out through a released gate is a reverse passage`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.turn(3, 2, 1, 0)
        #expect(
            story.records.suffix(2) == [
                .alarmRaised(.reversePassage), .passageCompleted(.exit, .unauthorised),
            ])
        #expect(story.state == .released(.entry))
    }

    @Test(arguments: [[2, 1, 0], [0]])
    func `the wait does not lock onto somebody who comes the wrong way`(rest: [Int]) {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.turn(3)
        story.wait(.seconds(60))
        #expect(story.isOn(.lockEntry))
        for quarter in rest { story.turn(quarter) }
        #expect(story.state == .released(.entry))
        story.wait(.seconds(5))
        #expect(story.state == .locked)
        #expect(story.records.contains(.waitTimedOut(.entry)))
    }

    @Test func `nor does a fault`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.turn(3)
        story.open(.externalFault)
        #expect(story.state == .outOfService(.external))
        #expect(story.isOn(.lockEntry))
        story.turn(0)
        #expect(!story.isOn(.lockEntry))
    }

    @Test func `nor onto somebody who was on the way out before the release`() {
        var story = Story()
        story.turn(3)
        story.press(.releaseEntry)
        story.wait(.seconds(60))
        #expect(story.state == .released(.entry))
    }

    @Test func `somebody who is stuck raises an alarm that ends with the passage`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.turn(1)
        story.wait(.seconds(30))
        #expect(story.latest == [.set(.alarm, isOn: true), .record(.alarmRaised(.passageDelayed))])
        #expect(story.isOn(.lockEntry))
        story.wait(.seconds(300))
        story.turn(2, 3, 0)
        #expect(
            story.commands.suffix(4) == [
                .set(.alarm, isOn: false), .set(.coinEnable, isOn: true),
                .record(.passageCompleted(.entry, .paid)), .record(.alarmCleared(.passageDelayed)),
            ])
    }

    @Test func `a second forced passage does not end a latched alarm`() {
        var story = Story(Story.policy { $0.forcedPassage = .latch })
        story.walkIn()
        story.send(.requested(.adopt(Story.policy()), by: .settings))
        story.walkIn()
        story.wait(.seconds(3600))
        #expect(story.status.soundsAlarm)
    }

    @Test func `the key does not silence what goes on`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.turn(1)
        story.wait(.seconds(30))
        story.press(.serviceKey)
        #expect(story.status.soundsAlarm)
        story.turn(2, 3, 0)
        #expect(!story.status.soundsAlarm)
    }

    // MARK: Faults

    @Test func `an attendant opens no gate that is out of service`() {
        var story = Story()
        story.open(.externalFault)
        story.press(.releaseEntry)
        #expect(
            story.latest == [.record(.refused(.grant, by: .contact(.releaseEntry), .outOfService))])
        #expect(story.drive?[.lockEntry] == false)
    }

    @Test func `a fault that is there at the start refuses coins from the start`() {
        let story = Story(levels: InputLevels(.externalFault))
        #expect(story.state == .outOfService(.external))
        #expect(!story.commands.contains(.set(.coinEnable, isOn: true)))
    }

    @Test(arguments: [
        (Input.externalFault, Fault.external), (.powerLow, .powerLow), (.coinJam, .coinJam),
    ])
    func `whatever a contact tells of is noticed at the start`(input: Input, fault: Fault) {
        let equipment = Equipment.oneWay.with(.powerLow, .coinJam)
        let story = Story(equipment: equipment, levels: InputLevels(input))
        #expect(story.records.contains(.faultRaised(fault)))
        #expect(!story.isOn(.coinEnable))
    }

    @Test func `a fault takes the gate out of service and refuses coins until the repair`() {
        var story = Story()
        story.insertCoin(pulses: 2)
        story.open(.externalFault)
        #expect(
            story.latest == [
                .set(.coinEnable, isOn: false), .record(.faultRaised(.external)),
                .record(.outOfService(.external)),
            ])
        #expect(story.state == .outOfService(.external))
        story.press(.serviceKey)
        #expect(story.latest == [.record(.refused(.confirmRepair, by: .serviceKey, .causePresent))])
        #expect(story.state == .outOfService(.external))
        story.close(.externalFault)
        #expect(story.state == .outOfService(.external))
        story.press(.serviceKey)
        #expect(
            story.latest == [
                .set(.coinEnable, isOn: true), .record(.faultCleared(.external)),
                .record(.inService),
            ])
        #expect(story.state == .locked)
        #expect(story.credit == 100)
    }

    @Test func `coins that come while out of service are credited and release nothing`() {
        var story = Story()
        story.open(.externalFault)
        story.insertCoin(pulses: 5)
        #expect(story.records.last == .coinLate(Story.coin(pulses: 5)))
        #expect(!story.isOn(.lockEntry))
        #expect(story.credit == 250)
    }

    @Test func `a repair leaves the gate locked, and the fare is credit again`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.open(.externalFault)
        #expect(!story.isOn(.lockEntry))
        story.wait(.seconds(60))
        story.close(.externalFault)
        story.press(.serviceKey)
        #expect(story.state == .locked)
        #expect(story.credit == 250)
    }

    @Test func `a repair releases the gate again where the owner says so`() {
        var story = Story(Story.policy { $0.repairResumes = .previous })
        story.insertCoin(pulses: 5)
        story.open(.externalFault)
        story.wait(.seconds(60))
        story.close(.externalFault)
        story.press(.serviceKey)
        #expect(story.state == .released(.entry))
        story.wait(.milliseconds(4_999))
        #expect(story.state == .released(.entry))
        story.walkIn()
        #expect(story.records.last == .passageCompleted(.entry, .paid))
    }

    @Test func `a fault does not lock onto somebody in mid-passage`() {
        var story = Story(Story.policy { $0.relockAt = .complete })
        story.insertCoin(pulses: 5)
        story.turn(1)
        story.open(.externalFault)
        #expect(!story.latest.contains(.set(.lockEntry, isOn: false)))
        #expect(story.isOn(.lockEntry))
        story.turn(2, 3)
        #expect(story.isOn(.lockEntry))
        story.turn(0)
        #expect(!story.isOn(.lockEntry))
        #expect(story.records.last == .passageCompleted(.entry, .paid))
    }

    @Test func `whoever backs out of a broken gate keeps the authorisation`() {
        var story = Story(Story.policy { $0.repairResumes = .previous })
        story.insertCoin(pulses: 5)
        story.turn(1)
        story.open(.externalFault)
        story.turn(0)
        #expect(!story.isOn(.lockEntry))
        story.close(.externalFault)
        story.press(.serviceKey)
        #expect(story.state == .released(.entry))
    }

    @Test func `two like edges of the coin line mean that one is missing, and are told`() {
        var story = Story()
        story.close(.coinPulse)
        #expect(story.records.suffix(2) == [.faultRaised(.edgesLost), .faultCleared(.edgesLost)])
        story.open(.coinPulse)
        story.wait(.milliseconds(50))
        story.close(.coinPulse)
        story.wait(.milliseconds(100))
        story.open(.coinPulse)
        // Here the end of a pulse and the silence after it are missing.
        story.wait(.milliseconds(150))
        story.open(.coinPulse)
        story.wait(.milliseconds(50))
        story.close(.coinPulse)
        story.wait(.milliseconds(200))
        let coin = Story.coin(pulses: 2)
        #expect(story.records.suffix(2) == [.coinInDoubt(coin), .coinAccepted(coin)])
        #expect(story.credit == 100)
        #expect(story.records.filter { $0 == .faultRaised(.edgesLost) }.count == 2)
    }

    @Test func `a stuck coin line is over when it is over`() {
        var story = Story()
        story.open(.coinPulse)
        story.wait(.seconds(1))
        #expect(
            story.latest == [
                .set(.coinEnable, isOn: false), .record(.faultRaised(.coinLineStuck(.first))),
            ])
        #expect(story.state == .locked)
        story.close(.coinPulse)
        #expect(
            story.latest == [
                .set(.coinEnable, isOn: true), .record(.faultCleared(.coinLineStuck(.first))),
            ])
    }

    @Test func `a skipped rotor state waits for the mechanic`() {
        var gate = Gate(policy: Story.policy(), installation: Installation(equipment: .oneWay))
        _ = gate.handle(.init(.forwarded(.started([])), at: .zero))
        _ = gate.handle(.init(.moved(.reportIllegalTransition), at: .zero))
        #expect(gate.faults.reason == .illegalRotorTransition)
        #expect(!gate.isLaneClear)
        _ = gate.handle(.init(.moved(.findHome), at: .zero))
        #expect(gate.isLaneClear)
        #expect(gate.faults.reason == .illegalRotorTransition)
        _ = gate.handle(.init(.forwarded(.changed(.serviceKey, isActive: true)), at: .zero))
        #expect(gate.faults.reason == nil)
    }

    @Test func `a failed line waits for the mechanic`() {
        var story = Story()
        story.send(.lineFailed(.input(.rotorA), .unreadable))
        story.press(.serviceKey)
        #expect(story.state == .outOfService(.line(.input(.rotorA), .unreadable)))
        #expect(story.records.last == .refused(.confirmRepair, by: .serviceKey, .causePresent))
        story.send(.lineRecovered(.input(.rotorA)))
        #expect(story.state == .outOfService(.line(.input(.rotorA), .unreadable)))
        story.press(.serviceKey)
        #expect(story.state == .locked)
    }

    @Test func `lost edges of a passage use it up and are told`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.turn(1)
        story.send(.edgesLost([]))
        story.wait(story.turnstile.gate.policy.rotorStep)
        #expect(story.state == .locked)
        #expect(
            story.records.suffix(3) == [
                .faultRaised(.edgesLost), .faultCleared(.edgesLost), .passageLost(.entry, .paid),
            ])
    }

    @Test func `somebody may be through when edges are lost in a released gate`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.send(.edgesLost(InputLevels(.rotorB)))
        story.wait(.seconds(3600))
        #expect(story.isOn(.lockEntry), "nobody is locked in")
        story.turn(0)
        #expect(story.records.last == .alarmCleared(.passageDelayed))
        #expect(story.records.suffix(2).first == .passageLost(.entry, .paid))
        #expect(story.state == .locked)
    }

    @Test func `lost edges use up no fare while nobody has set out`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.turn(3)
        story.send(.edgesLost([]))
        #expect(story.state == .released(.entry))
        #expect(!story.records.contains(.passageLost(.entry, .paid)))
    }

    @Test func `a coin that edges were lost with lets in the next one`() {
        var story = Story(Story.policy { $0.price = 50 })
        story.insertCoin(pulses: 1)
        story.turn(1)
        story.open(.coinPulse)
        story.wait(.milliseconds(50))
        story.close(.coinPulse)
        story.send(.edgesLost([]))
        story.wait(.milliseconds(200))
        #expect(story.records.contains(.passageLost(.entry, .paid)))
        #expect(story.state == .released(.entry))
    }

    @Test func `a coin of a table that edges were lost with is no coin`() {
        var story = Story(Story.policy { $0.coins[.first].values = .exact([1: 50, 2: 100]) })
        story.open(.coinPulse)
        story.wait(.milliseconds(50))
        story.close(.coinPulse)
        story.send(.edgesLost([]))
        story.wait(.milliseconds(200))
        #expect(story.credit == 0)
        #expect(story.records.contains(.coinUnknown(.first, pulses: 1)))
        // Nor is one of which the beginning may be missing.
        story.send(.edgesLost([]))
        story.insertCoin(pulses: 1)
        #expect(story.credit == 0)
        story.wait(.seconds(1))
        story.insertCoin(pulses: 1)
        #expect(story.credit == 50)
    }

    @Test func `nobody else is let in while somebody is there from before the service`() {
        var story = Story(levels: InputLevels(.rotorA))
        story.press(.releaseEntry)
        story.wait(.seconds(10))
        #expect(story.isOn(.lockEntry))
        #expect(story.status.stored == 1)
        story.turn(2, 3, 0)
        #expect(story.state == .released(.entry))
    }

    @Test func `a lock that was cut is not driven again until the repair`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.send(.outputCut(.lockEntry))
        #expect(story.latest.contains(.set(.lockEntry, isOn: false)))
        #expect(story.state == .outOfService(.energisedTooLong(.lockEntry)))
        #expect(story.credit == 250)
        story.press(.serviceKey)
        #expect(story.state == .locked)
    }

    @Test func `a siren that was cut is told, and the gate goes on`() {
        var story = Story(Story.policy { $0.forcedPassage = .latch })
        story.walkIn()
        story.send(.outputCut(.alarm))
        #expect(story.records.suffix(2).first == .faultRaised(.energisedTooLong(.alarm)))
        #expect(story.state == .locked)
    }

    // MARK: Policy

    @Test func `a new policy waits until the gate is idle`() {
        var story = Story()
        story.insertCoin(pulses: 5)
        story.send(.requested(.adopt(Story.policy { $0.price = 100 }), by: .settings))
        #expect(story.latest == [.record(.policyDeferred)])
        #expect(story.turnstile.gate.policy.price == 250)
        story.walkIn()
        #expect(story.records.last == .policyChanged(by: .settings))
        #expect(story.turnstile.gate.policy.price == 100)
    }

    @Test func `a new policy comes into force at once while the gate is idle`() {
        var story = Story()
        story.send(.requested(.adopt(Story.policy { $0.price = 100 }), by: .settings))
        #expect(story.latest == [.record(.policyChanged(by: .settings))])
        story.insertCoin(pulses: 2)
        #expect(story.state == .released(.entry))
    }

    @Test func `a gate with somebody in its rotor is not idle`() {
        var story = Story()
        story.turn(1)
        story.send(.requested(.adopt(Story.policy { $0.price = 100 }), by: .settings))
        #expect(story.latest == [.record(.policyDeferred)])
        story.turn(0)
        #expect(story.records.last == .policyChanged(by: .settings))
    }

    // MARK: Order

    @Test func `nothing happens before the start, and there is one start`() {
        var turnstile = Turnstile(policy: Story.policy())
        let early = Event(.changed(.rotorA, isActive: true), at: .init(nanoseconds: 5))
        #expect(turnstile.handle(early) == .unhandled)
        var story = Story()
        story.send(.started([]))
        #expect(story.outcome == .unhandled)
    }
}
