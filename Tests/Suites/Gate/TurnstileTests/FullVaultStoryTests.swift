import Stories
import Testing
import Turnstile

/// A vault that is full: what is told of it, and what becomes of coins.
@Suite struct FullVaultStoryTests {
    private static func gate(
        _ vaultFull: VaultFullPolicy, levels: InputLevels = [],
        _ edit: (inout Policy) -> Void = { _ in }
    ) -> Story {
        Story(
            Story.policy {
                $0.vaultFull = vaultFull
                edit(&$0)
            }, equipment: .oneWay.with(.vaultFull, outputs: .ready), levels: levels)
    }

    @Test func `a full vault warns, and takes coins all the same`() {
        var story = Self.gate(.warn)
        story.open(.vaultFull)
        #expect(story.records.last == .faultRaised(.vaultFull))
        #expect(story.status.description == "locked, F19 vault_full")
        #expect(story.isOn(.coinEnable) && story.isOn(.ready))
        story.insertCoin(pulses: 5)
        #expect(story.records.contains(.coinAccepted(Story.coin(pulses: 5))))
        #expect(story.state == .released(.entry))
    }

    @Test func `a full vault refuses coins where the policy says so, and lets people in`() {
        var story = Self.gate(.refuse)
        story.open(.vaultFull)
        #expect(story.records.last == .faultRaised(.vaultFull))
        #expect(story.status.description == "locked, coins refused (F19 vault_full)")
        #expect(!story.isOn(.coinEnable) && !story.isOn(.ready))
        story.press(.releaseEntry)
        #expect(story.state == .released(.entry))
        story.walkIn()
        story.close(.vaultFull)
        #expect(story.records.last == .faultCleared(.vaultFull))
        #expect(story.status.limitation == nil)
        #expect(story.isOn(.coinEnable) && story.isOn(.ready))
    }

    @Test func `a coin on its way into a vault that fills is credited, a later one is not`() {
        var story = Self.gate(.refuse)
        story.open(.vaultFull)
        story.wait(.seconds(1))
        story.insertCoin(pulses: 1)
        #expect(story.records.last == .coinLate(Story.coin(pulses: 1)))
        story.wait(.seconds(2))
        story.insertCoin(pulses: 1)
        #expect(story.records.contains(.coinInhibited(Story.coin(pulses: 1))))
        #expect(story.records.last == .alarmRaised(.coinStringing))
        #expect(story.credit == 50)
    }

    @Test func `whoever has paid is let in, though the vault is full since`() {
        var story = Self.gate(.refuse)
        story.insertCoin(pulses: 4)
        story.open(.vaultFull)
        story.insertCoin(pulses: 1)
        #expect(story.state == .released(.entry))
        story.walkIn()
        #expect(story.records.contains(.passageCompleted(.entry, .paid)))
    }

    @Test func `a vault that is full at the start is told of`() {
        let story = Self.gate(.refuse, levels: InputLevels(.vaultFull))
        #expect(story.records == [.started, .faultRaised(.vaultFull)])
        #expect(!story.isOn(.coinEnable))
    }

    @Test func `a new policy decides what becomes of coins in a vault that is full already`() {
        var story = Self.gate(.warn)
        story.open(.vaultFull)
        var policy = Story.policy { $0.vaultFull = .refuse }
        story.send(.requested(.adopt(policy), by: .settings))
        #expect(!story.isOn(.coinEnable))
        #expect(story.status.limitation == .coinsRefused(.fault(.vaultFull)))
        policy.vaultFull = .warn
        story.send(.requested(.adopt(policy), by: .settings))
        #expect(story.isOn(.coinEnable))
        #expect(story.status.limitation == .fault(.vaultFull))
    }

    @Test func `a switch that cannot be read counts as the policy has it for a full vault`() {
        for (policy, isAccepting) in [(VaultFullPolicy.warn, true), (.refuse, false)] {
            var story = Self.gate(policy)
            story.send(.lineFailed(.input(.vaultFull), .unreadable))
            #expect(story.isOn(.coinEnable) == isAccepting)
            #expect(story.state == .locked)
        }
    }

    @Test func `a full vault waits for no key, and no key empties it`() {
        var story = Self.gate(.refuse)
        story.open(.vaultFull)
        story.press(.serviceKey)
        #expect(!story.isOn(.coinEnable))
        #expect(!story.records.contains(.refused(.confirmRepair, by: .serviceKey, .causePresent)))
        story.close(.vaultFull)
        #expect(story.isOn(.coinEnable))
    }
}
