import Seeds
import Testing

@testable import Turnstile

/// What is retained, as names and values and back.
@Suite struct RetainedStateTests {
    @Test func `what is written down reads as it was, of any state`() {
        var chance = SeededGenerator(seed: 20_261_122)
        for _ in 0..<2_000 {
            let state = RetainedState.random(&chance)
            #expect(RetainedState(fields: state.fields) == state)
        }
    }

    @Test func `the highest fare and the fullest store read as they were`() {
        var state = RetainedState()
        state.passage = .init(.entry, .paid, fare: Policy.highestPrice)
        state.contacts = Gate.Stored(entry: Policy.mostStored, exit: Policy.mostStored)
        #expect(RetainedState(fields: state.fields) == state)
    }

    @Test func `a gate at rest needs no words`() {
        #expect(RetainedState().fields.isEmpty)
        #expect(RetainedState(fields: []) == RetainedState())
    }

    @Test(arguments: [
        ("emergency", "off"), ("fault", "F99"), ("fault", "F6_coin_jam"), ("fault", "F5"),
        ("alarm", "A0"), ("alarm", "forced_passage"), ("service_mode", ""), ("passage", "entry"),
        ("passage", "entry paid"), ("passage", "entry paid -1"), ("passage", "up paid 1"),
        ("passage", "entry paid 1000001"), ("contacts_entry", "0"), ("contacts_exit", "51"),
        ("contacts_exit", "many"), ("mood", "good"), ("", ""),
    ])
    func `what means nothing is no state`(field: (name: String, value: String)) {
        #expect(RetainedState(fields: [field]) == nil)
        #expect(RetainedState(fields: [("emergency", "on"), field]) == nil)
    }
}

extension RetainedState {
    /// Any state that a gate can retain.
    fileprivate static func random(_ chance: inout SeededGenerator) -> RetainedState {
        var state = RetainedState()
        state.isEmergency = chance.oneIn(2)
        state.isInServiceMode = chance.oneIn(2)
        for fault in FaultSet.latching.all { state.faults[fault] = chance.oneIn(9) }
        for alarm in Alarm.allCases { state.alarms[alarm] = chance.oneIn(3) }
        if chance.oneIn(2) {
            let direction: Direction = chance.oneIn(2) ? .entry : .exit
            let kind = PassageKind.allCases.randomElement(using: &chance) ?? .free
            state.passage = Passage(direction, kind, fare: .random(in: 0...9_999, using: &chance))
        }
        state.contacts = Gate.Stored(
            entry: .random(in: 0...50, using: &chance), exit: .random(in: 0...50, using: &chance))
        return state
    }
}
