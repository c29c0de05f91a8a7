public import StateMachines
import System

/// How fast time passes for a simulated gate: as the machine's monotonic time does, or faster.
public struct Timescale: Hashable, Sendable {
    /// The time of the machine.
    public static let real = Timescale(speed: 1, from: .zero)

    /// The speeds that there are: a faster gate would mistake the machine's own delays for faults.
    public static let speeds = 1...60

    /// How many seconds pass in one.
    public let speed: Int
    /// When both times are the same.
    public let origin: Instant

    /// A time that equals the machine's at `origin`, and runs so many times faster.
    public init(speed: Int, from origin: Instant) {
        precondition(Self.speeds.contains(speed), "a speed is from 1 to 60")
        self.speed = speed
        self.origin = origin
    }

    /// The present moment of this time.
    public var now: Instant { moment(at: MonotonicTimer.now) }

    /// The moment that it is when the machine's time is `real`.
    public func moment(at real: Instant) -> Instant {
        speed == 1 ? real : origin + (real - origin) * speed
    }

    /// The machine's time at `moment`, or just after it.
    public func real(at moment: Instant) -> Instant {
        guard speed > 1 else { return moment }
        let (whole, rest) = (moment - origin).wholeNanoseconds
            .quotientAndRemainder(dividingBy: Int64(speed))
        return origin + .nanoseconds(whole + (rest > 0 ? 1 : 0))
    }
}
