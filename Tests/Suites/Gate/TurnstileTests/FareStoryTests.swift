import StateMachines
import Stories
import Testing
import Turnstile

/// What becomes of people's money where others pay, pass and ask for something meanwhile.
@Suite struct FareStoryTests {
    private static func gate(
        _ equipment: Equipment = .twoWays, _ edit: (inout Policy) -> Void = { _ in }
    ) -> Story {
        Story(
            Story.policy {
                $0.price = 100
                $0.coinWhileUnlocked = .store
                edit(&$0)
            }, equipment: equipment)
    }

    // MARK: Overpaid

    @Test func `what is forfeited was there as the gate was released`() {
        var story = Self.gate { $0.overpay = .forfeit }
        story.insertCoin(pulses: 3)
        story.turn(1, 2)
        story.insertCoin(pulses: 2)
        story.turn(3, 0)
        #expect(story.records.contains(.creditForfeited(value: 50)))
        // The next one's coin lets them in.
        #expect(story.state == .released(.entry))
        #expect(story.credit == 0)
    }

    @Test func `two fares at once let two people in, and the rest is the operator's`() {
        var story = Self.gate { $0.overpay = .forfeit }
        story.insertCoin(pulses: 5)
        story.walkIn()
        #expect(story.records.contains(.creditForfeited(value: 50)))
        #expect(story.state == .released(.entry))
        story.walkIn()
        #expect(story.credit == 0)
        #expect(story.records.filter { $0 == .passageCompleted(.entry, .paid) }.count == 2)
    }

    @Test func `who does not come loses nothing of what they overpaid`() {
        var story = Self.gate { $0.overpay = .forfeit }
        story.insertCoin(pulses: 3)
        story.wait(.seconds(6))
        #expect(story.credit == 150)
        story.walkIn()
        #expect(story.records.contains(.creditForfeited(value: 50)))
    }

    @Test func `what came while somebody passed is not what they overpaid`() {
        var story = Self.gate { $0.overpay = .forfeit }
        story.insertCoin(pulses: 2)
        story.turn(1)
        story.insertCoin(pulses: 1)
        story.turn(2, 3, 0)
        #expect(story.records.last == .passageCompleted(.entry, .paid))
        #expect(story.credit == 50)
    }

    // MARK: Old credit

    @Test func `the end of another's passage does not open the gate on old credit`() {
        var story = Self.gate()
        story.insertCoin(pulses: 2)
        story.wait(.seconds(6))
        story.press(.releaseExit)
        story.turn(3, 2, 1, 0)
        #expect(story.state == .locked)
        #expect(story.credit == 100)
        // Whoever pushes is let in on it.
        story.turn(1)
        #expect(story.state == .passing(.entry))
    }

    @Test func `whoever paid during another's passage is let in after it`() {
        var story = Self.gate()
        story.press(.releaseExit)
        story.turn(3, 2)
        story.insertCoin(pulses: 2)
        story.turn(1, 0)
        #expect(story.state == .released(.entry))
    }

    @Test func `a coin that completes old credit opens the gate after the one before`() {
        var story = Self.gate()
        story.insertCoin(pulses: 1)
        story.press(.releaseExit)
        story.turn(3, 2)
        story.insertCoin(pulses: 1)
        story.turn(1, 0)
        #expect(story.state == .released(.entry))
    }

    @Test func `what is forfeited of a new fare opens the gate no second time`() {
        var story = Self.gate { $0.overpay = .forfeit }
        story.insertCoin(pulses: 5)
        story.turn(1, 2)
        // With the rest above the fare it would be one more.
        story.insertCoin(pulses: 1)
        story.turn(3, 0)
        #expect(story.state == .released(.entry))
        #expect(story.credit == 50)
        story.wait(.seconds(6))
        #expect(story.state == .locked)
        #expect(story.credit == 150)
    }

    // MARK: What a coin set out to be

    @Test func `a release in the middle of a train makes no gift of it`() {
        var story = Self.gate { $0.coinWhileUnlocked = .thank }
        story.open(.coinPulse)
        story.wait(.milliseconds(50))
        story.close(.coinPulse)
        story.press(.releaseEntry)
        story.wait(.seconds(1))
        #expect(story.records.contains(.coinAccepted(Story.coin(pulses: 1))))
        #expect(story.credit == 50)
    }

    @Test func `a coin on somebody's way out is credit, whatever becomes of coins on the way in`() {
        for policy in UnlockedCoinPolicy.allCases {
            var story = Self.gate { $0.coinWhileUnlocked = policy }
            story.press(.releaseExit)
            #expect(story.isOn(.coinEnable))
            story.insertCoin(pulses: 1)
            #expect(story.credit == 50)
        }
    }

    // MARK: What is counted

    @Test func `the meter counts what is credited and nothing else`() {
        var story = Story(
            Story.policy { $0.regime.entry = .locked }, equipment: .oneWay.with(outputs: .coinMeter)
        )
        story.wait(.seconds(5))
        story.insertCoin(pulses: 2)
        #expect(story.records.contains(.coinInhibited(Story.coin(pulses: 2))))
        story.wait(.seconds(5))
        #expect(!story.commands.contains(.set(.coinMeter, isOn: true)))
    }

    @Test func `a meter that was cut refuses coins until the key`() {
        var story = Story(equipment: .oneWay.with(outputs: .coinMeter))
        story.send(.outputCut(.coinMeter))
        #expect(!story.isOn(.coinEnable))
        #expect(story.state == .locked)
        story.press(.serviceKey)
        #expect(story.isOn(.coinEnable))
    }

    @Test func `a repair that leaves a fault for the key is refused`() {
        let wire = Fault.line(.input(.coinPulse), .unreadable)
        var story = Self.gate { _ in }
        story.send(.lineFailed(.input(.coinPulse), .unreadable))
        #expect(story.state == .locked)
        story.press(.serviceKey)
        #expect(story.records.last == .refused(.confirmRepair, by: .serviceKey, .causePresent))
        story.send(.lineRecovered(.input(.coinPulse)))
        story.press(.serviceKey)
        #expect(story.records.last == .faultCleared(wire))
    }

    @Test func `a vault that is gone sounds the alarm, unless it is the mechanic's doing`() {
        let equipment = Equipment.oneWay.with(.vaultPresent)
        var story = Story(equipment: equipment, levels: InputLevels(.vaultPresent))
        story.close(.vaultPresent)
        #expect(story.records.contains(.alarmRaised(.vaultOpen)))
        #expect(story.isOn(.alarm))
        story.open(.vaultPresent)
        #expect(story.records.suffix(2).contains(.alarmCleared(.vaultOpen)))
        #expect(story.records.contains(.vaultReplaced))
        story.open(.serviceKey)
        story.wait(.seconds(20))
        story.close(.vaultPresent)
        #expect(story.records.filter { $0 == .alarmRaised(.vaultOpen) }.count == 1)
    }

    @Test func `a store that is full is told of once, when nobody is served`() {
        var story = Self.gate { $0.maxStored = 1 }
        story.insertCoin(pulses: 2)
        #expect(!story.records.contains(.coinsRefused(.storeFull)))
        story.wait(.seconds(6))
        #expect(story.records.filter { $0 == .coinsRefused(.storeFull) }.count == 1)
        // A contact is served at once where nobody is before it.
        story.press(.releaseExit)
        #expect(story.state == .released(.exit))
        story.press(.releaseExit)
        #expect(story.records.last == .refused(.grant, by: .contact(.releaseExit), .storeFull))
    }

    // MARK: Short outages

    @Test(arguments: [(Duration.milliseconds(300), true), (.seconds(6), false)])
    func `a dip of the supply leaves the gate as it was`(dip: Duration, isShort: Bool) {
        var story = Self.gate(.twoWays.with(.powerLow))
        story.insertCoin(pulses: 2)
        story.press(.releaseExit)
        story.open(.powerLow)
        #expect(!story.isOn(.lockEntry))
        story.wait(dip)
        story.close(.powerLow)
        #expect(story.isOn(.lockEntry) == isShort)
        #expect(story.records.contains(.storedDropped(1)) != isShort)
    }

    @Test func `an outage that the key ends is a repair, however short`() {
        var story = Self.gate()
        story.insertCoin(pulses: 2)
        story.open(.externalFault)
        story.close(.externalFault)
        story.press(.serviceKey)
        #expect(!story.isOn(.lockEntry))
        #expect(story.credit == 100)
    }
}
