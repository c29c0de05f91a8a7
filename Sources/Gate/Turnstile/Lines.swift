public import StateMachines

/// A line that tells the turnstile something.
///
/// An input is *active* when what it is named after is the case, whatever level the wire carries:
/// the bank that reads the line knows its polarity. The order of the cases is that of the
/// documentation; nothing that lasts depends on it.
public enum Input: UInt8, Enumerated {
    /// The coin acceptor's pulse line: active for the width of each pulse.
    case coinPulse
    /// That of a second acceptor.
    case coinPulse2
    /// That of a third acceptor.
    case coinPulse3
    /// The fault contact of the acceptors, all in parallel.
    case coinJam
    /// The first rotor sensor that a person on the way in moves.
    case rotorA
    /// The second one; with ``rotorA`` it tells direction and progress.
    case rotorB
    /// The first light beam that a person on the way in breaks, where there is no rotor.
    case beamA
    /// The second one.
    case beamB
    /// The arm stands at rest.
    case home
    /// The emergency loop: active while the loop is open, by a call point or by a broken wire.
    case fire
    /// A dry contact of a validator, reader or attendant: each activation grants one passage in.
    case releaseEntry
    /// The same for a passage out.
    case releaseExit
    /// Blocks both directions while it is active.
    case stop
    /// The mechanic's key: turned, the repair is complete; held, service mode.
    case serviceKey
    /// The key that ends an emergency.
    case emergencyResetKey
    /// The machine's own fault contact.
    case externalFault
    /// The supply is low.
    case powerLow
    /// The cabinet is open.
    case cabinetTamper
    /// The door of the coin vault is open.
    case vaultDoor
    /// The coin vault is in its place.
    case vaultPresent
    /// The coin vault is full, or nearly so: its level switch.
    case vaultFull
    /// The lock of the way in is released: it really moved.
    case lockFeedback
    /// The same of the way out.
    case lockFeedbackExit
}

extension Input {
    /// The role's name in the configuration, in the journal and in the ledger. It never changes.
    public var name: String {
        switch self {
        case .coinPulse: "coin_pulse"
        case .coinPulse2: "coin_pulse_2"
        case .coinPulse3: "coin_pulse_3"
        case .coinJam: "coin_jam"
        case .rotorA: "rotor_a"
        case .rotorB: "rotor_b"
        case .beamA: "beam_a"
        case .beamB: "beam_b"
        case .home: "home"
        case .fire: "fire"
        case .releaseEntry: "release_entry"
        case .releaseExit: "release_exit"
        case .stop: "stop"
        case .serviceKey: "service_key"
        case .emergencyResetKey: "emergency_reset_key"
        case .externalFault: "fault_ext"
        case .powerLow: "power_low"
        case .cabinetTamper: "cabinet_tamper"
        case .vaultDoor: "vault_door"
        case .vaultPresent: "vault_present"
        case .vaultFull: "vault_full"
        case .lockFeedback: "lock_feedback"
        case .lockFeedbackExit: "lock_feedback_exit"
        }
    }
}

/// A line that the turnstile drives.
///
/// An output is *energised* when current flows to what it drives. De-energised is the safe level
/// of every output: the only one that a dead process, a cut wire and a dead supply all reach.
///
/// An output is *on* when it does what it is for: see ``Drive``. The order of the cases is the
/// order in which outputs are driven: people first, then what tells of them, then coins.
public enum Output: UInt8, Enumerated {
    /// The lock of the way in. On: it lets people in.
    case lockEntry
    /// The lock of the way out. On: it lets people out.
    case lockExit
    /// What holds the arm. On: the arm drops and leaves the way free.
    case dropArm
    /// The siren.
    case alarm
    /// What reminds people, more softly than the siren.
    case buzzer
    /// The lamp "go".
    case lampGo
    /// The lamp "stop".
    case lampStop
    /// The acceptors' inhibit line. On, and energised, means "accept": an undriven line refuses.
    case coinEnable
    /// What ejects a token from the acceptor.
    case coinReject
    /// The gate is healthy and serves people.
    case ready
    /// One pulse per passage, for a counter.
    case countPulse
    /// The electromechanical counter of money.
    case coinMeter
    /// What holds the lock of the way in once it was pulled: driven by the lock's actuator alone.
    case lockEntryHold
    /// The same of the way out.
    case lockExitHold
}

extension Output {
    /// The role's name in the configuration, in the journal and in the ledger. It never changes.
    public var name: String {
        switch self {
        case .lockEntry: "lock_entry"
        case .lockExit: "lock_exit"
        case .dropArm: "drop_arm"
        case .alarm: "alarm"
        case .buzzer: "buzzer"
        case .lampGo: "lamp_go"
        case .lampStop: "lamp_stop"
        case .coinEnable: "coin_inhibit"
        case .coinReject: "coin_reject"
        case .ready: "ready"
        case .countPulse: "count_pulse"
        case .coinMeter: "coin_meter"
        case .lockEntryHold: "lock_entry_hold"
        case .lockExitHold: "lock_exit_hold"
        }
    }

    /// Whether it lets people through while it is on. Its line may carry "energised" for that, or
    /// for the opposite, or for a moment, where another coil holds the lock.
    public var isWay: Bool {
        switch self {
        case .lockEntry, .lockExit, .dropArm: true
        case .alarm, .buzzer, .lampGo, .lampStop, .coinEnable, .coinReject, .ready, .countPulse,
            .coinMeter, .lockEntryHold, .lockExitHold:
            false
        }
    }
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
        case .input(let input): input.name
        case .output(let output): output.name
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

extension Direction {
    /// The other way.
    public var opposite: Direction { self == .entry ? .exit : .entry }

    /// The lock of this way.
    public var lock: Output { self == .entry ? .lockEntry : .lockExit }

    /// The contact that tells whether the lock of this way moved.
    public var lockFeedback: Input { self == .entry ? .lockFeedback : .lockFeedbackExit }
}

/// One of the coin acceptors.
public enum Acceptor: UInt8, CaseIterable, Hashable, Sendable {
    /// The one on `coin_pulse`.
    case first = 1
    /// The one on `coin_pulse_2`.
    case second
    /// The one on `coin_pulse_3`.
    case third
}

extension Acceptor {
    /// The acceptor's pulse line.
    public var line: Input {
        switch self {
        case .first: .coinPulse
        case .second: .coinPulse2
        case .third: .coinPulse3
        }
    }
}

extension Acceptor {
    /// `allCases`, made once.
    static let ordered = allCases
}

extension Input {
    /// The acceptor whose pulse line this is, if it is one.
    var acceptor: Acceptor? {
        switch self {
        case .coinPulse: .first
        case .coinPulse2: .second
        case .coinPulse3: .third
        case .coinJam, .rotorA, .rotorB, .beamA, .beamB, .home, .fire, .releaseEntry, .releaseExit,
            .stop, .serviceKey, .emergencyResetKey, .externalFault, .powerLow, .cabinetTamper,
            .vaultDoor, .vaultPresent, .vaultFull, .lockFeedback, .lockFeedbackExit:
            nil
        }
    }
}

extension Output {
    /// The direction whose lock it drives.
    public var way: Direction? {
        switch self {
        case .lockEntry, .lockEntryHold: .entry
        case .lockExit, .lockExitHold: .exit
        case .dropArm, .alarm, .buzzer, .lampGo, .lampStop, .coinEnable, .coinReject, .ready,
            .countPulse, .coinMeter:
            nil
        }
    }
}
