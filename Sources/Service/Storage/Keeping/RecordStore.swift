public import StateMachines
public import Turnstile

/// Keeps records durably, across crashes and power failures.
///
/// Records are committed in the order of writing: a crash loses the last ones at most. Each is
/// committed as soon as the medium can; a caller who needs to know when requests a confirmation. A
/// thread of the store's own writes, so no call here waits for the medium.
public protocol RecordStore: AnyObject {
    /// Readable while there are answers.
    var descriptor: CInt { get }

    /// Writes `records` of an event at `time`.
    ///
    /// With `confirms`, the store answers ``StoreAnswer/durable`` once these and all earlier
    /// records are. A newer request supersedes a pending one.
    func write(_ records: [Record], at time: Instant, confirms: Bool)

    /// Requests ``StoreAnswer/confirmed(_:first:)`` with this number, once all records so far are
    /// durable, or ``StoreAnswer/unconfirmed(_:)`` if one was lost. Numbers ascend; of several
    /// requests the last may be answered alone. Independent of ``write(_:at:confirms:)``.
    func confirm(_ number: UInt64)

    /// The gate has taken over the contents of ``StoreAnswer/opened(_:_:)``. If they include a
    /// counted coin, the store writes nothing before: its outcome and the waiting records must be
    /// in one transaction, or another coin could take its place.
    func takeOver()

    /// Requests a signed checkpoint, ``StoreNote/checkpoint(number:occasion:note:)``, once all
    /// records so far are durable. The store makes one unasked at a collection, at a count, at the
    /// end of a day, and when it is closed.
    func sign()

    /// Takes the waiting answers, oldest first.
    func takeAnswers() -> [StoreAnswer]
}

/// An answer of a store.
public enum StoreAnswer: Hashable, Sendable {
    /// All records of requested confirmations are durable. After ``failed(_:)`` it follows in any
    /// case once the store works again.
    case durable
    /// The store is open, and has these balances and registers. Answered once, before ``durable``,
    /// by a store that was not open at the start.
    case opened(Balances, Registers)
    /// The ledger's branch, in which record numbers are unique. Answered before ``opened(_:_:)``,
    /// and again if another file has replaced the ledger's.
    case branch(String)
    /// The signed note of the last collection or count. Answered after ``opened(_:_:)``, if there
    /// was a collection; later ones come as ``noted(_:)``.
    case collected(note: String)
    /// The store cannot be opened, or records could not be written, for this reason: a whole
    /// sentence, answered once until the reason changes or the store is open. The store keeps the
    /// records, and retries until ``durable`` follows.
    case failed(String)
    /// All records before the request of this number are durable. They are numbered by one, as if
    /// the first since the start had the number `first`.
    case confirmed(UInt64, first: Int64)
    /// Records before the requests up to this number were lost: these are never confirmed.
    case unconfirmed(UInt64)
    /// An event of the store, for the journal.
    case noted(StoreNote)
}

/// An event of an open store, for people.
public enum StoreNote: Hashable, Sendable {
    /// The first ledger of this gate was begun, with this identity.
    case begun(gate: String, identity: String)
    /// A checkpoint was signed. Its note, of several lines, can be verified elsewhere.
    case checkpoint(number: Int64, occasion: CheckpointOccasion, note: String)
    /// The signing key changed: from now on this public key verifies checkpoints.
    case keyChanged(String)
    /// How much of the room of the settings is used.
    case roomRunsOut(percent: Int)
    /// The records were damaged, and were moved to this file; money and registers are unchanged.
    case recordsSetAside(to: String, because: String)
}
