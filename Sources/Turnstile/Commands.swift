/// What a turnstile may want done.
public enum Command: Hashable, Sendable {
    /// Let people through in this direction.
    case release(Direction)
    /// Let nobody through in this direction.
    case lock(Direction)
    /// Have the acceptor take coins.
    case acceptCoins
    /// Have the acceptor give coins back.
    case inhibitCoins
    /// Sound the alarm.
    case soundAlarm
    /// Silence the alarm.
    case silenceAlarm
    /// Write this down.
    case record(Record)
}
