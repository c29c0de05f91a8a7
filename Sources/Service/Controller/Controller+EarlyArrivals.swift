import Hardware
import Journal
import StateMachines
import Turnstile

// What happened at the lines before the shell was there to do anything about it.
extension Controller {
    /// Takes what waits at the lines. The levels must have been read before: whatever changed since
    /// is among it.
    func takeEarlyArrivals() -> [LineEvent] {
        var arrivals: [LineEvent] = []
        // A chip that is gone by now is heard of again at once: nothing can be read from it.
        try? bank.takeEvents { arrivals.append($0) }
        return arrivals
    }

    /// Tells the machine, which started at `began`, what happened since, up to `now`.
    func catchUp(with arrivals: [LineEvent], from began: Instant, to now: Instant) {
        guard !arrivals.isEmpty else { return }
        var time = began
        for (index, arrival) in arrivals.enumerated() {
            pass(from: &time, to: arrival.time)
            switch arrival {
            case .edge(let input, let isActive, let time): receive(input, isActive, at: time)
            case .lost(_, let time): resynchronise(at: time, before: arrivals[(index + 1)...])
            }
            onLineEvent?(arrival)
        }
        pass(from: &time, to: now)
        journal.write(JournalEntry(.inputsKept(events: arrivals.count, since: now - began)))
    }

    /// Lets time pass in which nothing was driven: who is to go through, and a lock that is to
    /// follow, have all their time from now on.
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
    /// Takes back what `later` tells of, the newest first.
    mutating func revert(_ later: ArraySlice<LineEvent>) {
        for case .edge(let input, let isActive, _) in later.reversed() { self[input] = !isActive }
    }
}
