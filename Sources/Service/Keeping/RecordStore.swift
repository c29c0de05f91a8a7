public import StateMachines
public import Turnstile

/// Where records are kept so that neither a crash nor a loss of power takes them.
///
/// What is written lasts once it is committed, in the order in which it was written: a crash may
/// take the end of it and nothing else. Everything is committed as soon as the medium can; who must
/// know when asks for a confirmation. The store has a thread of its own for what takes time, so
/// that no call here waits for the medium.
public protocol RecordStore: AnyObject {
    /// Readable while there are answers.
    var descriptor: CInt { get }

    /// Writes down `records`, which tell of something that happened at `time`.
    ///
    /// With `confirms`, the store answers once these and all records before them are durable. One
    /// confirmation is asked for at a time.
    func write(_ records: [Record], at time: Instant, confirms: Bool)

    /// Has the store answer ``StoreAnswer/confirmed(_:first:)`` with this number, once all that was
    /// written so far is durable. Numbers ascend. It is apart from what
    /// ``write(_:at:confirms:)`` asks for, and of several the last may be answered alone. Where
    /// something of it was lost it answers ``StoreAnswer/unconfirmed(_:)``.
    func confirm(_ number: UInt64)

    /// The gate has taken over what ``StoreAnswer/opened(_:_:)`` told. Until then a store keeps
    /// what was written before in one transaction with what the gate makes of a coin that had been
    /// counted: a record of another coin must not take its place.
    func takeOver()

    /// Has the store sign what it holds, once all that was written so far is durable, and answer
    /// ``StoreNote/checkpoint(number:occasion:note:)``. It does so unasked when the coins are
    /// collected or counted, when a day ends, and when it is closed.
    func sign()

    /// Hands over the answers that wait, oldest first.
    func takeAnswers() -> [StoreAnswer]
}

/// What a store has to say.
public enum StoreAnswer: Hashable, Sendable {
    /// All that a confirmation was asked for is durable; after ``failed(_:)`` said when the store
    /// works again, even where nobody asked.
    case stored
    /// The store is open, and this is what it holds: what people have paid, and what was counted.
    /// It is said once, before ``stored``, by a store that was not open at the start.
    case opened(Balances, Registers)
    /// It is this branch of the ledger. It is said before ``opened(_:_:)``, and again where another
    /// file has taken its place. A number of a record is used once in each.
    case branch(String)
    /// The note that it signed when the coins were last collected, or counted, where they ever
    /// were. It is said after ``opened(_:_:)``; what is signed from then on is noted.
    case collected(note: String)
    /// The store cannot be opened, or records could not be written, for this reason: a whole
    /// sentence, said once until it is another, or the store is open. They are kept, and tried
    /// again until ``stored`` follows.
    case failed(String)
    /// All that was written before a confirmation of this number was asked for is durable. The
    /// records have numbers that go up by one, as if the first one since the start had had `first`.
    case confirmed(UInt64, first: Int64)
    /// Some of what was written before the confirmations up to this number were asked for got lost,
    /// so that they will never come.
    case unconfirmed(UInt64)
    /// Something that people should know of the store.
    case noted(StoreNote)
}

/// What people should know of a store that is open.
public enum StoreNote: Hashable, Sendable {
    /// A new one was begun, since there never was any: for this gate, with this identity.
    case begun(gate: String, identity: String)
    /// What it holds was signed, for this reason, with this number: the note, some lines, can be
    /// verified elsewhere.
    case checkpoint(number: Int64, occasion: CheckpointOccasion, note: String)
    /// What it holds is signed with another key from here on: this one verifies it.
    case keyChanged(String)
    /// It has used so many per cent of the room that the settings give it.
    case roomRunsOut(percent: Int)
    /// The records were damaged. They are in this file now; money and registers are as they were.
    case recordsSetAside(to: String, because: String)
}
