import Keeping
import SimulatedHardware
import StateMachines
import Turnstile

/// Where the state is kept that outlives a process: in memory at once, on a disk after a while.
///
/// Its chances are its own, so that the day is the same with every disk.
final class StateDisk: StateStore {
    /// How long a state takes until it is on the disk, in milliseconds, at most.
    private static let latency = 0...300
    /// After this, what was retained is on the disk.
    static let longestLatency: Duration = .milliseconds(latency.upperBound)

    private var randomness: SplitMix64
    /// What was retained, oldest first, and since when each is on the disk.
    private var states: [(state: RetainedState, isOnDiskAt: Instant)] = []
    /// What is in memory, and when it was put there; nil after a loss of power.
    private var latest: (state: RetainedState, at: Instant)?
    private var isLost = false
    /// The time at the gate.
    var now: () -> Instant = { .zero }
    /// Nothing is ever wrong with it.
    let failure: String? = nil

    init(seed: UInt64) { randomness = SplitMix64(seed: seed.byteSwapped) }

    /// What a process finds that starts now.
    /// None hears of the coins that came meanwhile.
    var recovery: Recovery {
        if isLost { return .unknown }
        guard let latest else { return .known(states.last?.state ?? RetainedState()) }
        var state = latest.state
        state.absence = now() - latest.at
        for acceptor in Acceptor.allCases { state.loseEdges(of: acceptor) }
        return .known(state)
    }

    /// Keeps what a process retains.
    func keep(_ state: RetainedState) {
        let now = now()
        latest = (state, now)
        isLost = false
        if state.lasting == states.last?.state { return }
        // Of those that are on the disk the last is enough.
        let first = states.lastIndex { $0.isOnDiskAt <= now } ?? 0
        states.removeSubrange(..<first)
        let latency = Duration.milliseconds(Int.random(in: Self.latency, using: &randomness))
        states.append((state.lasting, max(now + latency, states.last?.isOnDiskAt ?? now)))
    }

    /// The power is cut: what was not on the disk yet is gone; now and then all is.
    func losePower() {
        let now = now()
        latest = nil
        while let last = states.last, last.isOnDiskAt > now { states.removeLast() }
        isLost = Int.random(in: 0..<16, using: &randomness) == 0
    }
}
