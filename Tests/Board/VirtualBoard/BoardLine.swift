/// A line of the board's GPIO chip, by its offset; Tests/Board/guest/lines gives them their names.
public enum BoardLine: Int, CaseIterable, Sendable {
    /// `COIN`: the coin acceptor's pulses.
    case coin
    /// `COIN_2`: those of the second acceptor.
    case coin2
    /// `COIN_3`: those of the third.
    case coin3
    /// `COIN_JAM`: the acceptors' fault contacts.
    case coinJam
    /// `ROTOR_A`: the sensor that a person on the way in moves first.
    case rotorA
    /// `ROTOR_B`: the other sensor of the rotor.
    case rotorB
    /// `BEAM_A`: the light beam that a person on the way in breaks first.
    case beamA
    /// `BEAM_B`: the other light beam.
    case beamB
    /// `HOME`: high while the arm stands at rest.
    case home
    /// `FIRE`: the emergency loop; high is an open loop.
    case fire
    /// `RELEASE_ENTRY`: an attendant's button.
    case releaseEntry
    /// `RELEASE_EXIT`: the same for the way out.
    case releaseExit
    /// `STOP`: blocks both directions.
    case stop
    /// `SERVICE_KEY`: the mechanic's key.
    case serviceKey
    /// `EMERGENCY_RESET`: the key that ends an emergency.
    case emergencyReset
    /// `FAULT`: the machine's fault contact.
    case fault
    /// `POWER_LOW`: the supply's contact.
    case powerLow
    /// `CABINET`: high while the cabinet is open.
    case cabinet
    /// `VAULT_DOOR`: high while the vault's door is open.
    case vaultDoor
    /// `VAULT`: high while the vault is in its place.
    case vault
    /// `LOCK_ENTRY_MOVED`: high while the lock of the way in is released.
    case lockEntryMoved
    /// `LOCK_EXIT_MOVED`: the same of the way out.
    case lockExitMoved
    /// `LOCK_ENTRY`: driven, the lock of the way in, or the coil that pulls it.
    case lockEntry
    /// `LOCK_EXIT`: driven, the same of the way out.
    case lockExit
    /// `DROP_ARM`: driven, what holds the arm up.
    case dropArm
    /// `ALARM`: driven, the siren.
    case alarm
    /// `BUZZER`: driven, what reminds people.
    case buzzer
    /// `LAMP_GO`: driven, the lamp that says go.
    case lampGo
    /// `LAMP_STOP`: driven, the lamp that says stop.
    case lampStop
    /// `COIN_INHIBIT`: driven, high while coins are accepted.
    case coinEnable
    /// `COIN_REJECT`: driven, what ejects a coin.
    case coinReject
    /// `READY`: driven, high while the gate serves people.
    case ready
    /// `COUNT_PULSE`: driven, the counter of passages.
    case countPulse
    /// `COIN_METER`: driven, the counter of money.
    case coinMeter
    /// `LOCK_ENTRY_HOLD`: driven, the coil that holds the lock of the way in.
    case lockEntryHold
    /// `LOCK_EXIT_HOLD`: driven, the same of the way out.
    case lockExitHold
    /// `BENCH_IN`: what a benchmark's C loop reads.
    case benchIn
    /// `BENCH_OUT`: what it drives.
    case benchOut
}

extension BoardLine {
    /// What a gate drives.
    public static let outputs = allCases.filter {
        (lockEntry.rawValue...lockExitHold.rawValue).contains($0.rawValue)
    }
}

/// The level of a line.
public enum Level: Int, Sendable {
    /// 0.
    case low
    /// 1.
    case high
}
