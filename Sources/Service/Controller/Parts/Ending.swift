import StateMachines
import System
import Turnstile

/// An end that waits until no coin is being counted.
struct Ending {
    var latest: Instant
    var body: () -> Void
}

// The end of the service.
extension Controller {
    /// How long the end waits at most for a coin being counted. The unit's file grants two seconds,
    /// one of which is for the disk.
    public static let longestWaitForCoins: Duration = .milliseconds(700)

    /// Ends once no coin is being counted, then calls `body`. Until then only the acceptors are
    /// inhibited. A second call ends at once.
    public func stop(then body: @escaping () -> Void) {
        guard !hasEnded else { return body() }
        drainInputs()
        guard ending == nil, machine.value.isCounting else {
            stop()
            return body()
        }
        service.notify(.stopping)
        ending = Ending(latest: loop.now + Self.longestWaitForCoins, body: body)
        let acceptors = actuators[Output.coinEnable.index]
        energise(acceptors, acceptors.level(toBeOn: false), at: loop.now)
        finishRound()
    }

    func endIfReady() {
        guard let ending, !machine.value.isCounting || ending.latest <= loop.now else { return }
        stop()
        ending.body()
    }

    /// Ends at once: every output to its safe level. An unfinished coin is retained.
    public func stop() {
        if ending == nil { service.notify(.stopping) }
        ending = nil
        hasEnded = true
        dispatch(Event(.stopped, at: loop.now))
        driveSafe()
        checkRetention()
        processRegisters(.stopped)
        if let recorder { handOver(to: recorder) }
    }
}
