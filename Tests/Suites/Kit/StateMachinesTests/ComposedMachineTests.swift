import StateMachines
import Testing

@Suite struct ComposedMachineTests {
    /// Bells that ring at their times.
    struct Bells: ComposedMachine {
        enum Region: UInt8, Enumerated { case first, second, third }
        var times: [Instant?]

        /// Bells that ring so many seconds after the origin.
        init(_ seconds: Int?...) {
            times = seconds.map { $0.map { .zero + .seconds($0) } }
        }

        func deadline(of region: Region) -> Instant? { times[region.ordinal] }
        mutating func shiftInstants(of region: Region, by duration: Duration) {
            times[region.ordinal] = times[region.ordinal].map { $0 + duration }
        }
    }

    @Test func `the earliest deadline is that of any region`() {
        #expect(Bells(nil, nil, nil).earliestDeadline == nil)
        for bells in [Bells(2, 5, nil), Bells(5, 2, 7), Bells(nil, 5, 2)] {
            #expect(bells.earliestDeadline == .zero + .seconds(2))
        }
    }

    @Test func `regions in which something is due by now are called in their order`() {
        var bells = Bells(2, 5, 1)
        var called: [Bells.Region] = []
        let isAnyDue = bells.forEachRegion(dueBy: .zero + .seconds(2)) { bells, region in
            bells.times[region.ordinal] = nil
            called.append(region)
        }
        #expect(isAnyDue)
        #expect(called == [.first, .third])
        #expect(bells.times == Bells(nil, 5, nil).times)
        let isMoreDue = bells.forEachRegion(dueBy: .zero + .seconds(4)) { _, _ in
            Issue.record("nothing is due")
        }
        #expect(!isMoreDue)
    }

    @Test func `every region is moved`() {
        var bells = Bells(2, nil, 1)
        bells.forEachRegion { $0.shiftInstants(of: $1, by: .seconds(10)) }
        #expect(bells.times == Bells(12, nil, 11).times)
    }
}
