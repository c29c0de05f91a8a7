import Hardware
import StateMachines
import Turnstile

/// Drives one output, remembers what it was driven to, and never leaves it on for too long.
final class Actuator {
    /// The output.
    let output: Output
    /// The longest on-time, or nil for a device rated for continuous duty.
    let maximumOnTime: Duration?
    /// Whether the output is on without power, as a lock that opens is.
    private let isOnWithoutPower: Bool
    /// Whether the output is energised.
    private(set) var isEnergised = false
    /// The level that the line could not be driven to, and is still to be driven to; nil while it
    /// could.
    private(set) var owed: Bool?
    /// When the output will have been energised for as long as it may.
    private var limit: Instant?
    /// Whether it was said that the limit is near.
    private var isWarned = false
    /// When the output was last de-energised, and the limit that it then had: what is energised
    /// again at the same moment has had no rest.
    private var deEnergised: (at: Instant, limit: Instant?)?

    /// The actuator of an output that is wired like this, or, without a line, not at all. The bank
    /// has just requested the line at its safe level.
    init(_ output: Output, line: OutputLine?) {
        self.output = output
        maximumOnTime = line?.maximumOnTime
        isOnWithoutPower = line?.powerLoss == .failSafe
    }

    /// When the output must be cut, or nil while it may stay as it is, or when the line did not
    /// take the cut, which is then owed.
    var cutAt: Instant? { owed == false ? nil : limit }

    /// When it is to be said that the output will be cut: with a quarter of its time left, and ten
    /// seconds at most; nil when that was said, or nothing is to be cut.
    var warnAt: Instant? {
        guard !isWarned, let cutAt, let maximumOnTime else { return nil }
        return cutAt - min(maximumOnTime / 4, .seconds(10))
    }

    /// It was said that the output will be cut.
    func noteWarning() { isWarned = true }

    /// What the line carries while the output is on, or off: see `Output`.
    func level(toBeOn isOn: Bool) -> Bool { isOn != isOnWithoutPower }

    /// Drives the output, because of something that happened at `time`. A level that the line does
    /// not take is ``owed`` from then on.
    ///
    /// - Parameter now: tells the time once the output is driven: its on-time counts from then,
    ///   however late the shell is, or it would be cut before it had done its work.
    @inline(__always) func drive(
        _ energised: Bool, at time: Instant, on bank: any LineBank, now: () -> Instant
    ) throws(HardwareError) {
        owed = energised
        try bank.set(output, energised: energised)
        owed = nil
        if energised && !isEnergised {
            if deEnergised?.at == time {
                limit = deEnergised?.limit
            } else {
                limit = maximumOnTime.map { now() + $0 }
                isWarned = false
            }
        } else if isEnergised && !energised {
            deEnergised = (time, limit)
            limit = nil
        }
        isEnergised = energised
    }

    /// Whether the line carries what it was driven to.
    func readsBack(on bank: any LineBank) throws(HardwareError) -> Bool {
        try bank.isEnergised(output) == isEnergised
    }
}
