/// What a turnstile may want done.
public enum Command: Hashable, Sendable {
    /// Let people in.
    case release
    /// Let nobody in.
    case lock
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
