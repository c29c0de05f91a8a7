import StateMachines
import Testing

@Suite struct InstantTests {
    /// Durations on both sides of what fits 64 bits once it is divided by 2^9.
    static let nanoseconds: [Int64] = [
        0, 1, 999_999_999, 4_722_366_482_869, 4_722_366_482_870, 86_400_000_000_000,
        9_000_000_000_000_000_000, -1, -999_999_999, -4_722_366_482_870, -86_400_000_000_000,
    ]

    @Test(arguments: nanoseconds)
    func `a duration is as many nanoseconds as it was made of`(nanoseconds: Int64) {
        #expect(Duration.nanoseconds(nanoseconds).wholeNanoseconds == nanoseconds)
        #expect(
            Instant.zero + .nanoseconds(nanoseconds) == Instant(nanoseconds: nanoseconds))
    }

    @Test(arguments: [
        (1_999_999_999, 1), (999_999_999, 0), (-999_999_999, 0), (-1_999_999_999, -1),
    ])
    func `what is below a nanosecond is dropped`(attoseconds: Int64, nanoseconds: Int64) {
        let duration = Duration(secondsComponent: 0, attosecondsComponent: attoseconds)
        #expect(duration.wholeNanoseconds == nanoseconds)
    }

    @Test func `what lies beyond the last instant is taken for it`() {
        let (first, last) = (Instant(nanoseconds: .min), Instant(nanoseconds: .max))
        #expect(last + .nanoseconds(1) == last)
        #expect(last - .nanoseconds(-1) == last)
        #expect(Instant.zero + .seconds(Int64.max) == last)
        #expect(Instant.zero - .seconds(Int64.min) == last)
        #expect(first - .nanoseconds(1) == first)
        #expect(first + .seconds(Int64.min) == first)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    }

    @Test func `the time between any two instants is known`() {
        let (first, last) = (Instant(nanoseconds: .min), Instant(nanoseconds: .max))
        #expect(last - first == .nanoseconds(Int64.max) - .nanoseconds(Int64.min))
        #expect(first - last == .nanoseconds(Int64.min) - .nanoseconds(Int64.max))
    }
}
