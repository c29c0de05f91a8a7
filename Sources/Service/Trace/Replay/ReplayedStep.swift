package import StateMachines
public import Turnstile

/// One event of a gate, what the gate said about it, and the gate after it.
public struct ReplayedStep: Sendable {
    package var place: Place
    package var event: Event
    package var verdict: Verdict
    /// What was to be driven, told or made durable about it, in order.
    public var commands: [Command]
    /// What was to be written down about it, in order.
    public var records: [Record]
    package var turnstile: Turnstile
    /// The inputs that are active after it, bounces included.
    public var levels: InputLevels
    /// The outputs that are on after it, by the commands so far: a way that is on is released.
    public var outputs: OutputSet
    /// The outputs whose lines carry "energised" after all that was driven for it.
    public var energised: OutputSet
    /// What the clock on the wall was ahead of monotonic time.
    public var clock: ClockOffset
    /// Which boot it was: monotonic time is that of one.
    public var bootID: String

    /// Where an event stands in a recording.
    public struct Place: Hashable, Comparable, Sendable {
        /// The page, from 0, and which event of the page it is, from 0.
        public var page: Int, ordinal: Int

        /// Whether `a` comes before `b`.
        public static func < (a: Place, b: Place) -> Bool {
            (a.page, a.ordinal) < (b.page, b.ordinal)
        }
    }

    /// When it happened on the wall, UTC, since 1970.
    public var utc: Duration { clock.utc(at: event.time) }
}
