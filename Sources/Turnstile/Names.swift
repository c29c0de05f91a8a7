// The names and codes by which the journal knows faults; they never change their meaning.

extension Fault {
    /// The fault's name: `external`, `line_mismatch`.
    public var name: String {
        switch self {
        case .external: "external"
        case .illegalRotorTransition: "illegal_rotor_transition"
        case .sensorStuck: "sensor_stuck"
        case .armNotHome: "arm_not_home"
        case .lockNotResponding: "lock_not_responding"
        case .coinJam: "coin_jam"
        case .coinLineStuck: "coin_line_stuck"
        case .noiseBurst: "noise_burst"
        case .unknownPulseCount: "unknown_pulse_count"
        case .vaultMissing: "vault_missing"
        case .powerLow: "power_low"
        case .edgesLost: "edges_lost"
        case .clockStepped: "clock_stepped"
        case .energisedTooLong: "energised_too_long"
        case .line(_, let failure): "line_\(failure.rawValue)"
        case .storageFailed: "storage_failed"
        }
    }

    /// The fault's code: `F1`. Faults of several lines share one, and say the ``line``.
    public var code: String {
        let number =
            switch self {
            case .external: 1
            case .illegalRotorTransition: 2
            case .sensorStuck: 3
            case .armNotHome: 4
            case .lockNotResponding: 5
            case .coinJam: 6
            case .coinLineStuck: 7
            case .noiseBurst: 8
            case .unknownPulseCount: 9
            case .vaultMissing: 10
            case .powerLow: 11
            case .edgesLost: 12
            case .clockStepped: 13
            case .energisedTooLong: 14
            case .line(_, .unreadable): 15
            case .line(_, .undrivable): 16
            case .line(_, .mismatch): 17
            case .storageFailed: 18
            }
        return "F\(number)"
    }

    /// The line at fault, where the fault is one line's.
    public var line: Line? {
        switch self {
        case .external, .illegalRotorTransition, .sensorStuck, .unknownPulseCount, .edgesLost,
            .clockStepped, .storageFailed:
            nil
        case .armNotHome: .input(.home)
        case .lockNotResponding(let direction): .output(direction.lock)
        case .coinJam: .input(.coinJam)
        case .coinLineStuck(let acceptor), .noiseBurst(let acceptor): .input(acceptor.line)
        case .vaultMissing: .input(.vaultPresent)
        case .powerLow: .input(.powerLow)
        case .energisedTooLong(let output): .output(output)
        case .line(let line, _): line
        }
    }
}
