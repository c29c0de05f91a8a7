// What the state of the machine is made of. It is no part of the published vocabulary: it is of the
// version of the snapshot, and of no other.

extension Turnstile {
    /// The fields of the whole state in version ``snapshotVersion``, what it is made of after it,
    /// but for what ``Vocabulary/shapes`` has.
    public static let stateShapes: [Shape] = [
        Shape(of: Turnstile.self), Shape(of: OnTime.self), Shape(of: DebounceTime.self),
        Shape(of: Gate.Rotor.self),
        Shape(of: Lane.self), Shape(of: Lane.TailgatingWindow.self),
        Shape(of: CreditAccount.self), Shape(of: CommitBarrier.self), Shape(of: Emergency.self),
        Shape(of: ServiceMode.self), Shape(of: FaultBoard.self), Shape(of: AlarmPanel.self),
        Shape(of: AlarmPanel.Raised.self), Shape(of: LockWatch.self), Shape(of: LockDuty.self),
        Shape(of: ArmWatch.self),
        Shape(of: BeamWatch.self), Shape(of: OnDelay.self), Shape(of: Timetable.self),
        Shape(of: Counters.self), Shape(of: Pulser.self), Shape(of: Gate.Past.self),
        Shape(of: DebouncedContacts.self), Shape(of: DebouncedContacts.Wait.self),
        Shape(of: RotorFilter.self), Shape(of: RotorFilter.Unrest.self),
        Shape(of: CoinDecoder.Pulse.self),
        Shape(of: RotorDecoder.self), Shape(of: RotorDecoder.Sensors.self),
        Shape(of: CoinDecoder.self),
        Shape(of: CoinDecoder.Noise.self), Shape(of: Pending.self),
        // Those that stand beside others' fields, under a name of their own.
        Shape(of: Lane.State.self), Shape(of: ServiceMode.State.self),
        Shape(of: OnDelay.State.self), Shape(of: Pulser.State.self),
        Shape(of: AlarmPanel.Lasting.self), Shape(of: Gate.PastLedger.self),
        Shape(of: Gate.PastRecovery.self), Shape(of: RotorFilter.State.self),
        Shape(of: RotorDecoder.State.self), Shape(of: LockDuty.State.self),
    ]

    /// The lists of names besides those of ``Vocabulary/lists``.
    public static let stateLists: [(title: String, names: [String])] = [
        (Emergency.State.list, Emergency.State.words.map { $0.name }),
        (CommitBarrier.State.list, CommitBarrier.State.words.map { $0.name }),
        (FaultIdentifier.list, FaultIdentifier.words.map { $0.name }),
    ]
}
