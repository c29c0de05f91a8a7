import Hardware
import StateMachines
import Turnstile

extension ContractCase {
    /// What holds for edges.
    static let edges = [
        ContractCase("nothing_waits_after_opening") { bench in
            try bench.rig.drive(.coinPulse, high: true)
            try bench.open()
            try requireSilence(on: bench)
        },
        ContractCase("taking_from_an_empty_queue_returns_at_once") { bench in
            try bench.open()
            let events = try bench.take()
            try require(events.isEmpty, "nobody moved a wire, yet there is \(events)")
        },
        ContractCase("an_edge_is_taken_once") { bench in
            try bench.open()
            try bench.rig.drive(.coinPulse, high: true)
            let levels = try bench.collect(1).levels
            try require(
                levels == [InputLevel(.coinPulse, true)], "one rising wire brought \(levels)")
            try requireSilence(on: bench)
        },
        ContractCase("edges_arrive_in_order_with_monotonic_timestamps") { bench in
            try bench.open()
            let story: [InputLevel] = [
                InputLevel(.rotorA, true), InputLevel(.rotorB, true), InputLevel(.coinPulse, true),
                InputLevel(.rotorA, false), InputLevel(.coinPulse, false),
                InputLevel(.rotorB, false), InputLevel(.rotorB, true), InputLevel(.rotorA, true),
            ]
            let start = bench.rig.now
            for move in story { try bench.rig.drive(move.input, high: move.isActive) }
            let events = try bench.collect(story.count)
            let times = [start] + events.map(\.time) + [bench.rig.now]
            try require(
                events.levels == story, "the wires told \(story), the bank \(events.levels)")
            try require(
                zip(times, times.dropFirst()).allSatisfy { $0 <= $1 },
                "timestamps run backwards or outside the test: \(times)")
        },
        ContractCase("descriptors_stay_the_same_while_the_bank_is_open") { bench in
            try bench.open()
            let before = try bench.bank.descriptors
            try bench.toggle(.coinPulse, times: 4)
            _ = try bench.collect(4)
            let after = try bench.bank.descriptors
            try require(!before.isEmpty, "a bank with inputs has no descriptor")
            try require(before == after, "the descriptors were \(before) and are \(after)")
        },
        ContractCase("a_level_shorter_than_the_debounce_time_is_no_edge_where_it_is_debounced") {
            bench in
            try bench.open(debounce: .milliseconds(200))
            try bench.toggle(.coinPulse, times: 4)
            let bounces = try bench.drain(silence: .milliseconds(500)).levels
            let expected = try bench.bank.capabilities.debounces ? 0 : 4
            try require(
                bounces.count == expected, "four edges of a bouncing contact brought \(bounces)")
            try bench.rig.drive(.coinPulse, high: true)
            let lasting = try bench.drain(silence: .milliseconds(500)).levels
            try require(
                lasting == [InputLevel(.coinPulse, true)],
                "a level that lasts longer than the debounce time brought \(lasting)")
        },
    ]
}

/// Requires that no descriptor becomes readable for a while.
private func requireSilence(on bench: Bench) throws {
    let events = try bench.drain()
    try require(events.isEmpty, "nobody moved a wire, yet there is \(events)")
}
