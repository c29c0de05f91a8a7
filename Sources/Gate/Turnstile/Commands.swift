/// A command of a turnstile.
public enum Command: Hashable, Sendable {
    /// Turn this output on, or off: see ``Output``.
    case set(Output, isOn: Bool)
    /// Write this down.
    case record(Record)
    /// Send the requester their answer.
    case answer(Answer)
    /// Make all that was recorded until now durable, and say ``Event/Kind/durable``. Said again
    /// before the answer it asks for one answer, to the last.
    case store
    /// No gate says this. The vocabulary also has a name such as `switch_on_lock_entry` for what
    /// is called `release_entry`, and reads it for ever.
    case unused(Output, isOn: Bool)
}
