import Seeds
import StateMachines
import Testing

@testable import Turnstile

/// What is retained, as names and values and back.
@Suite struct RetainedStateTests {
    @Test func `what is written down reads as it was, of any state`() throws {
        var visitor = RandomVisitor(SeededGenerator.announced())
        for _ in 0..<2_000 {
            let state = visitor.value(of: RetainedState.self)
            #expect(try RetainedState(lines: state.lines) == state)
        }
    }

    @Test func `the highest fare and the fullest store read as they were`() throws {
        var state = RetainedState()
        state.passage = .init(.entry, .paid, fare: Policy.highestPrice)
        state.queue = Gate.Queue(entry: Policy.mostStored, exit: Policy.mostStored)
        #expect(try RetainedState(lines: state.lines) == state)
    }

    @Test func `the file of a gate that stands somewhere reads as it is`() throws {
        let lines = [
            ("emergency", "on"), ("fault", "F5_lock_exit"), ("fault", "F15_rotor_a"),
            ("alarm", "A1"), ("alarm", "A7"), ("service_mode", "on"), ("passage", "entry paid 250"),
            ("contacts_entry", "2"), ("contacts_exit", "1"),
            ("payer", "value=250 surplus=0 wait_limit_nsec=1040000000000"),
        ]
        let state = try RetainedState(lines: lines)
        #expect(state.isEmergency && state.isInServiceMode)
        #expect(
            Set(state.faults.all) == [
                .lockNotResponding(.exit), .line(.input(.rotorA), .unreadable),
            ])
        #expect(Alarm.allCases.filter { state.alarms[$0] } == [.forcedPassage, .coinStringing])
        #expect(state.passage == .init(.entry, .paid, fare: 250))
        #expect(state.queue == Gate.Queue(entry: 2, exit: 1))
        #expect(state.payer == .init(fare: 250, limit: Instant.zero + .seconds(1040)))
        #expect(state.lines.map(\.name) == lines.map(\.0))
        #expect(state.lines.map(\.value) == lines.map(\.1))
    }

    @Test func `a gate at rest needs no words`() throws {
        #expect(RetainedState().lines.isEmpty)
        #expect(try RetainedState(lines: []) == RetainedState())
    }

    @Test(arguments: [
        ("emergency", "off"), ("fault", "F99"), ("fault", "F6_coin_jam"), ("fault", "F5"),
        ("alarm", "A0"), ("alarm", "forced_passage"), ("service_mode", ""), ("passage", "entry"),
        ("passage", "entry paid"), ("passage", "entry paid -1"), ("passage", "up paid 1"),
        ("passage", "entry paid 1000001"), ("payer", "value=1000001"), ("payer", "value=0"),
        ("payer", "250"),
        ("contacts_entry", "0"), ("contacts_exit", "51"),
        ("contacts_exit", "many"), ("mood", "good"), ("", ""),
    ])
    func `what means nothing is no state`(field: (name: String, value: String)) {
        #expect(throws: FieldError.self) { try RetainedState(lines: [field]) }
        #expect(throws: FieldError.self) {
            try RetainedState(lines: [("passage", "exit free 0"), field])
        }
    }
}
