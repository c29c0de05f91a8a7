import Hardware
import Turnstile

extension ContractCase {
    /// What holds when edges come faster than they are taken.
    static let storms = [
        ContractCase("a_storm_is_bounded_per_call") { bench in
            try bench.open()
            try bench.toggle(.coinPulse, times: 4)
            guard try bench.rig.waitForEvents(of: bench.bank, limit: .seconds(2)) else {
                throw ContractFailure("four edges brought no event")
            }
            // Whoever takes an event causes the next one, up to a point: a bank that waits for
            // silence takes them all.
            var taken = 0
            var stuck = false
            try bench.bank.takeEvents { _ in
                taken += 1
                guard taken <= 100 else { return }
                let isHigh = !taken.isMultiple(of: 2)
                stuck = stuck || (try? bench.rig.drive(.coinPulse, high: isHigh)) == nil
            }
            try require(!stuck, "the wire could not be moved while events were taken")
            try require(taken == 4, "4 edges waited, one call took \(taken)")
            let rest = try bench.collect(4).levels.count
            try require(rest == 4, "4 edges came during the call, the next ones took \(rest)")
        },
        ContractCase(
            "lost_edges_are_reported_where_the_capability_says_so", needs: [.overflow]
        ) { bench in
            try bench.open()
            let count = 3000
            try bench.toggle(.coinPulse, times: count)
            let events = try bench.drain()
            let edges = events.levels.count
            if try bench.bank.capabilities.detectsLostEdges {
                try require(
                    edges + events.lostCount == count,
                    "of \(count) edges \(edges) came and \(events.lostCount) were reported lost")
                try require(events.lostCount > 0, "the queue held all \(count) edges")
            } else {
                try require(edges < count, "the queue held all \(count) edges")
                try require(
                    events.lostCount == 0, "a bank that cannot tell reports a loss: \(events)")
            }
        },
        ContractCase("edges_arrive_again_after_an_overflow", needs: [.overflow]) { bench in
            try bench.open()
            try bench.toggle(.coinPulse, times: 3000)
            _ = try bench.drain()
            try bench.rig.drive(.rotorA, high: true)
            let events = try bench.collect(1)
            try require(
                events.levels == [InputLevel(.rotorA, true)] && events.lostCount == 0,
                "one rising wire after an overflow brought \(events)")
        },
    ]
}
