package import StateMachines
public import Turnstile

/// An event of a gate, its results, and the gate after it.
public struct ReplayedStep: Sendable {
    package var place: Place
    package var event: Event
    package var verdict: Verdict
    /// In order.
    public var commands: [Command]
    /// In order.
    public var records: [Record]
    package var turnstile: Turnstile
    /// The active inputs after it, before debouncing.
    public var levels: InputLevels
    /// The outputs that are on after it, by the commands so far: a lock that is on is released.
    public var outputs: OutputSet
    /// The energised outputs after all driving for it.
    public var energised: OutputSet
    /// The wall clock's offset from monotonic time.
    public var clock: ClockOffset
    /// The boot of the monotonic time.
    public var bootID: String

    /// The position of an event in a recording.
    public struct Place: Hashable, Comparable, Sendable {
        /// The page, and the event within it, from 0.
        public var page: Int, ordinal: Int

        public static func < (a: Place, b: Place) -> Bool {
            (a.page, a.ordinal) < (b.page, b.ordinal)
        }
    }

    /// The wall time: UTC, since 1970.
    public var utc: Duration { clock.utc(at: event.time) }
}
