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
}
