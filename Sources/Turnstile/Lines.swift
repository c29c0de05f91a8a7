/// A line that tells the turnstile something.
///
/// The raw value is the role's name in the configuration and in the journal. An input is *active*
/// when what it is named after is the case, whatever level the wire carries: the bank that reads
/// the line knows its polarity.
public enum Input: String, CaseIterable, Hashable, Sendable {
    /// The coin acceptor's pulse line: active for the width of each pulse.
    case coinPulse = "coin_pulse"
    /// The first rotor sensor that a person on the way in moves.
    case rotorA = "rotor_a"
    /// The second one; with ``rotorA`` it tells direction and progress.
    case rotorB = "rotor_b"
    /// The emergency loop: active while the loop is open, by a call point or by a broken wire.
    case fire
    /// A dry contact of a validator, reader or attendant: each activation grants one passage in.
    case releaseEntry = "release_entry"
    /// The key that ends an emergency.
    case emergencyResetKey = "emergency_reset_key"
    /// The mechanic's key: the repair is complete.
    case serviceKey = "service_key"
    /// The machine's own fault contact.
    case externalFault = "fault_ext"
}

/// A line that the turnstile drives.
///
/// An output is *energised* when current flows to what it drives. De-energised is the safe level
/// of every output: the only one that a dead process, a cut wire and a dead supply all reach.
public enum Output: String, CaseIterable, Hashable, Sendable {
    /// The lock of the way in.
    case lockEntry = "lock_entry"
    /// The acceptor's inhibit line: energised means "accept", since an undriven line must refuse.
    case coinInhibit = "coin_inhibit"
    /// The alarm: energised means sounding.
    case alarm
}

/// One line, by what it is for.
public enum Line: Hashable, Sendable {
    /// A line that is read.
    case input(Input)
    /// A line that is driven.
    case output(Output)
}

extension Line: CustomStringConvertible {
    /// The role's name.
    public var description: String {
        switch self {
        case .input(let input): input.rawValue
        case .output(let output): output.rawValue
        }
    }
}

/// Which way a person goes.
public enum Direction: String, CaseIterable, Hashable, Sendable {
    /// Towards the paid side.
    case entry
    /// Away from it.
    case exit
}
