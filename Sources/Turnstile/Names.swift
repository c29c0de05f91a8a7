// The names by which the journal knows faults and authorisations; they are stable.

extension Fault {
    /// The fault's name: `external`, `line_mismatch`.
    public var name: String {
        switch self {
        case .external: "external"
        case .illegalRotorTransition: "illegal_rotor_transition"
        case .coinLineStuck: "coin_line_stuck"
        case .edgesLost: "edges_lost"
        case .energisedTooLong: "energised_too_long"
        case .line(_, let failure): "line_\(failure.rawValue)"
        }
    }

    /// The line at fault, where the fault is one line's.
    public var line: Line? {
        switch self {
        case .external, .illegalRotorTransition, .edgesLost: nil
        case .coinLineStuck: .input(.coinPulse)
        case .energisedTooLong(let output): .output(output)
        case .line(let line, _): line
        }
    }
}
