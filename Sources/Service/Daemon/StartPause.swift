import Keeping
import StateMachines
import Turnstile

/// How long a service that keeps ending waits before it asks for the lines, which are at their safe
/// levels until then.
///
/// The first starts are made at once: whoever stands in the gate waits for them. Later ones become
/// rarer, so that the journal is not flooded, unless people depend on the gate.
struct StartPause {
    /// How many ends in a row are no reason to wait.
    private static let toleratedEnds = 5
    private static let firstPause: Duration = .milliseconds(250)
    private static let longestPause: Duration = .seconds(8)
    /// How long a service runs, besides its pause, that did not end at once.
    private static let shortLife: Duration = .seconds(10)

    /// The starts in a row, this one among them, of which each but the last came to an early end.
    let starts: Recurrence

    /// What this start, `now`, means after those `before`.
    init(after before: Recurrence?, at now: Instant) {
        let isEarly = before.map { now - $0.last < Self.shortLife + Self.pause(after: $0) } ?? false
        starts = Recurrence(count: isEarly ? (before?.count ?? 0) + 1 : 1, last: now)
    }

    /// How long to wait, where the gate before this one retained `state`.
    func duration(_ state: RetainedState?) -> Duration {
        if let state, state.isEmergency || state.passage != nil { return .zero }
        return Self.pause(after: starts)
    }

    private static func pause(after starts: Recurrence) -> Duration {
        guard starts.count > toleratedEnds else { return .zero }
        return Recurrence(count: starts.count - toleratedEnds, last: starts.last)
            .pause(from: firstPause, to: longestPause)
    }
}
