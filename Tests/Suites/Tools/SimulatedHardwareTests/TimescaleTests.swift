import SimulatedHardware
import StateMachines
import System
import Testing

/// A time that is faster than the machine's.
@Suite struct TimescaleTests {
    private let origin = Instant(nanoseconds: 1_000_000_000)

    @Test func `passes so many times as fast from the origin on`() {
        let scale = Timescale(speed: 60, from: origin)
        #expect(scale.moment(at: origin) == origin)
        #expect(scale.moment(at: origin + .seconds(1)) == origin + .seconds(60))
        #expect(scale.moment(at: origin - .seconds(1)) == origin - .seconds(60))
        #expect(Timescale.real.moment(at: origin) == origin)
    }

    @Test(arguments: [1, 2, 7, 60], [0, 1, 59, 60, 61, 1_234_567_891] as [Int64])
    func `a timer for a moment never fires before it, nor a step too late`(
        speed: Int, offset: Int64
    ) {
        let scale = Timescale(speed: speed, from: origin)
        let moment = origin + .nanoseconds(offset)
        let real = scale.real(at: moment)
        #expect(scale.moment(at: real) >= moment)
        #expect(scale.moment(at: real - .nanoseconds(1)) < moment)
    }

    @Test func `the loop's clock and timer go by it`() throws {
        let origin = MonotonicTimer.now
        let loop = try ScaledEventLoop(Timescale(speed: 60, from: origin))
        let due = loop.now + .seconds(6)
        var fired: Instant?
        loop.onDeadline {
            fired = loop.now
            loop.stop(0)
        }
        loop.deadline = due
        #expect(try loop.run() == 0)
        #expect(try #require(fired) >= due)
        // Six seconds of the loop are a tenth of one.
        #expect(MonotonicTimer.now - origin >= .milliseconds(100))
    }

    @Test func `the clock on the wall goes by it`() {
        let origin = MonotonicTimer.now - .seconds(60)
        let time = Timescale(speed: 60, from: origin)
        let ahead = SystemWallClock(by: { time.now }).now.utc
        #expect(ahead - SystemWallClock().now.utc >= .seconds(59 * 60 - 1))
    }
}
