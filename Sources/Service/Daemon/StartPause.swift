import Keeping
import StateMachines
import Turnstile

/// The pause of a service that keeps ending, before it requests the lines, which are at their safe
/// levels until then.
///
/// The first starts are immediate, for people in the gate. Later ones become rarer, to spare the
/// journal, unless people depend on the gate.
struct StartPause {
    /// How many early ends in a row cause no pause.
    private static let toleratedEnds = 5
    private static let firstPause: Duration = .milliseconds(250)
    private static let longestPause: Duration = .seconds(8)
    /// After so long, besides its pause, an end is not early.
    private static let shortLife: Duration = .seconds(10)

    /// The starts in a row, including this one, each but the last with an early end.
    let starts: Recurrence

    /// Counts this start, `now`, after those `before`.
    init(after before: Recurrence?, at now: Instant) {
        let isEarly = before.map { now - $0.last < Self.shortLife + Self.pause(after: $0) } ?? false
        starts = Recurrence(count: isEarly ? (before?.count ?? 0) + 1 : 1, last: now)
    }

    /// The pause, given the retained `state`.
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
