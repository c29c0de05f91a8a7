import Measure
import StateMachines
import Turnstile

// The whole machine, from edges to commands, beside a nested switch that knows coins and one way
// in alone. Both see the same edges: five coins, a passage, and so on. The run fails when the
// machine asks for memory.

let policy = {
    var policy = Policy(price: 250, coinUnit: 50)
    // What the switch by hand does: no coins while the gate is released, no wait for noise.
    policy.coinWhileUnlocked = .reject
    policy.rotorStep = .zero
    return policy
}()
let passages = 4_000

/// The edges of so many paid passages, and the timer's ticks between them.
func story() -> [Event] {
    var turnstile = Turnstile(policy: policy)
    var events = [Event(.started([]), at: .zero)]
    var now = Instant.zero
    func happen(_ kind: Event.Kind, after delay: Duration) {
        let next = now + delay
        while let due = turnstile.deadline, due < next {
            events.append(Event(.timePassed, at: due))
            _ = turnstile.handle(Event(.timePassed, at: due))
        }
        now = next
        events.append(Event(kind, at: now))
        _ = turnstile.handle(Event(kind, at: now))
    }
    _ = turnstile.handle(events[0])
    for _ in 0..<passages {
        for _ in 1...5 {
            happen(.changed(.coinPulse, isActive: true), after: .milliseconds(500))
            happen(.changed(.coinPulse, isActive: false), after: .milliseconds(50))
        }
        happen(.changed(.rotorA, isActive: true), after: .milliseconds(600))
        happen(.changed(.rotorB, isActive: true), after: .milliseconds(200))
        happen(.changed(.rotorA, isActive: false), after: .milliseconds(200))
        happen(.changed(.rotorB, isActive: false), after: .milliseconds(200))
    }
    return events
}

/// Mixes what is driven into a checksum; records are the machine's alone.
@inline(__always)
func mix(_ sum: inout Int, _ command: Command) {
    switch command {
    case .set(.lockEntry, isOn: true): sum = sum &* 31 &+ 1
    case .set(.lockEntry, isOn: false): sum = sum &* 31 &+ 2
    case .set(.coinEnable, isOn: true): sum = sum &* 31 &+ 3
    case .set(.coinEnable, isOn: false): sum = sum &* 31 &+ 4
    case .set(.alarm, isOn: true): sum = sum &* 31 &+ 5
    case .set(.alarm, isOn: false), .record, .store, .answer: break
    case .set, .unused:
        preconditionFailure("a gate with one way in has nothing to do \(command) with")
    }
}

@inline(never)
func runHandWritten(_ events: [Event]) -> Int {
    var machine = HandWritten()
    // What the machine drives when it starts.
    var sum = 2 * 31 + 3
    for event in events { machine.handle(event) { mix(&sum, $0) } }
    return sum
}

@inline(never)
func runTurnstile(_ events: [Event]) -> Int {
    var machine = Turnstile(policy: policy)
    var sum = 0
    for event in events { _ = machine.handle(event) { mix(&sum, $0) } }
    return sum
}

let events = story()
compare(
    "\(passages) paid passages", events: events.count,
    [
        Contestant("nested switch by hand", copies: [{ runHandWritten(events) }]),
        // A new machine may ask for its debouncers; an event may ask for nothing.
        Contestant(
            "turnstile", .allocations(UInt(budget("turnstile-allocations"))),
            copies: [{ runTurnstile(events) }]),
    ])
finish()
