// The names and codes by which the journal knows faults; they never change their meaning.

extension Fault.Kind {
    /// The name of the kind.
    var name: String {
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
        case .lineUnreadable: "line_unreadable"
        case .lineUndrivable: "line_undrivable"
        case .lineMismatch: "line_mismatch"
        case .storageFailed: "storage_failed"
        case .vaultFull: "vault_full"
        }
    }
}

extension Fault.Kind {
    /// The code of the kind: `F1`.
    var code: String { "F\(rawValue)" }
}

extension Fault {
    /// The fault's name: `external`, `line_mismatch`.
    public var name: String { kind.name }

    /// The fault's code: `F1`. Faults of several lines share one, and say the ``line``.
    public var code: String { kind.code }

    /// The fault's code, with its line where there is one: `F5_lock_entry`. It never changes.
    public var identifier: String { code + (line.map { "_\($0)" } ?? "") }

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
        case .vaultFull: .input(.vaultFull)
        case .powerLow: .input(.powerLow)
        case .energisedTooLong(let output): .output(output)
        case .line(let line, _): line
        }
    }
}
