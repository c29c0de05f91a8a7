import Hardware
import Journal
import StateMachines
import Turnstile

// Line events from before the start.
extension Controller {
    /// Takes the queued events. The levels must have been read before: later changes are queued.
    func takeEarlyArrivals() -> [LineEvent] {
        var arrivals: [LineEvent] = []
        // The loss of a chip is reported at the next read.
        try? bank.takeEvents { arrivals.append($0) }
        return arrivals
    }

    /// Hands the machine, which started at `began`, the events since, up to `now`.
    func catchUp(with arrivals: [LineEvent], from began: Instant, to now: Instant) {
        guard !arrivals.isEmpty else { return }
        var time = began
        for (index, arrival) in arrivals.enumerated() {
            pass(from: &time, to: arrival.time)
            receive(arrivals, at: index)
        }
        pass(from: &time, to: now)
        journal.write(JournalEntry(.inputsKept(events: arrivals.count, since: now - began)))
    }

    /// Lets time pass in which nothing was driven: a passenger's wait, and a lock's time to follow,
    /// are postponed.
    private func pass(from time: inout Instant, to end: Instant) {
        while let due = machine.value.deadline, due < end {
            let next = max(due, time)
            postpone(by: next - time)
            time = next
            dispatch(Event(.timePassed, at: next))
        }
        guard time < end else { return }
        postpone(by: end - time)
        time = end
    }

    private func postpone(by duration: Duration) {
        machine.value.postpone(by: duration)
        if recorder != nil { steps.append(.postponed(by: duration)) }
    }
}

extension InputLevels {
    /// Reverts the edges of `later`, the newest first.
    mutating func revert(_ later: ArraySlice<LineEvent>) {
        for case .edge(let input, let isActive, _) in later.reversed() { self[input] = !isActive }
    }
}
