import Journal
import Keeping

@testable import Controller
@testable import Turnstile

// All that has fields or names, for the tests and the page that go through all of it.

extension Vocabulary {
    /// The fields of everything that has fields, what it is made of after it.
    static let shapes: [Shape] = [
        Shape(of: Record.self), Shape(of: Coin.self), Shape(of: Authorisation.self),
        Shape(of: CoinRefusal.self), Shape(of: Fault.self),
        Shape(of: Event.self), Shape(of: Balances.self),
        Shape(of: Command.self), Shape(of: Request.self), Shape(of: Requester.self),
        Shape(of: Operator.self), Shape(of: Answer.self), Shape(of: Answer.Result.self),
        Shape(of: Status.self), Shape(of: Status.State.self), Shape(of: Status.Limitation.self),
        Shape(of: StatusReport.self), Shape(of: Gate.Standing.self),
        Shape(of: StatusReport.Way.self), Shape(of: StatusReport.InForce<Mode>.self),
        Shape(of: StatusReport.InForce<Enforcement>.self),
        Shape(of: StatusReport.Raised<Fault>.self),
        Shape(of: StatusReport.Raised<Alarm>.self), Shape(of: StatusReport.End.self),
        Shape(of: Equipment.self), Shape(of: StatusReport.OutputReport.self),
        Shape(of: StatusReport.Due.self),
        Shape(of: Policy.self), Shape(of: CoinPolicy.self), Shape(of: CoinValues.self),
        Shape(of: CoinRow.self), Shape(of: Regime.self), Shape(of: ScheduleEntry.self),
        Shape(of: Register.self), Shape(of: RetainedState.self),
        Shape(of: RetainedState.Passage.self), Shape(of: RetainedState.Release.self),
        Shape(of: RetainedState.Payer.self),
        Shape(of: CoinDecoder.State.self), Shape(of: Gate.Queue.Person.self),
        Shape(of: Term<Mode>.self), Shape(of: Term<Enforcement>.self),
    ]

    /// The lists of names.
    static let lists: [(title: String, names: [String])] = [
        list(Direction.self), list(Mode.self), list(Enforcement.self), list(PassageKind.self),
        list(Assumption.self), list(Refusal.self), list(Alarm.self), list(Fault.Kind.self),
        list(Input.self),
        list(Output.self), list(Line.self), list(LineFailure.self), list(CoinFate.self),
        list(Weekday.self), list(CreditPolicy.self), list(UnlockedCoinPolicy.self),
        list(VaultFullPolicy.self), list(RelockPoint.self), list(ForcedPassagePolicy.self),
        list(RepairPolicy.self), list(FireResetPolicy.self), list(RemotePolicy.self),
        list(StatusReport.Reason.self), list(Request.Kind.self), list(LatchingFault.self),
        list(AlarmCode.self), list(Switch.self), list(CoinDecoder.Reception.self),
    ]

    private static func list<Name: Word>(_ type: Name.Type) -> (title: String, names: [String]) {
        (type.list, type.words.map { $0.name })
    }
}

// What the state of the machine is made of. It is no part of the published vocabulary: it is of the
// version of the snapshot, and of no other.
extension Turnstile {
    /// The fields of the whole state in version ``snapshotVersion``, what it is made of after it,
    /// but for what ``Vocabulary/shapes`` has.
    static let stateShapes: [Shape] = [
        Shape(of: Turnstile.self), Shape(of: OnTime.self), Shape(of: DebounceTime.self),
        Shape(of: Gate.Rotor.self),
        Shape(of: Lane.self), Shape(of: Lane.TailgatingWindow.self),
        Shape(of: CreditAccount.self), Shape(of: CommitBarrier.self), Shape(of: Emergency.self),
        Shape(of: ServiceMode.self), Shape(of: FaultBoard.self), Shape(of: AlarmPanel.self),
        Shape(of: AlarmPanel.Raised.self), Shape(of: LockWatch.self), Shape(of: LockDuty.self),
        Shape(of: ArmWatch.self),
        Shape(of: BeamWatch.self), Shape(of: OnDelay.self), Shape(of: ContactWatch.self),
        Shape(of: ContactWatch.Held.self), Shape(of: Timetable.self),
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
    static let stateLists: [(title: String, names: [String])] = [
        (Emergency.State.list, Emergency.State.words.map { $0.name }),
        (CommitBarrier.State.list, CommitBarrier.State.words.map { $0.name }),
        (FaultIdentifier.list, FaultIdentifier.words.map { $0.name }),
    ]
}

/// The names and fields of what the machines of the shell hear, say and know: the part of the
/// vocabulary that recordings have beside ``Vocabulary``.
enum ShellVocabulary {
    /// The fields of what they hear and say, which never change their meaning.
    static let shapes: [Shape] = [Shape(of: ShellEvent.self), Shape(of: ShellCommand.self)]

    /// The fields of what they know, what it is made of after it. The same machines alone can go on
    /// from there: other ones may know other things.
    static let states: [Shape] = [
        Shape(of: ShellMachines.self), Shape(of: DrivenOutput.self), Shape(of: DrivenLock.self),
        Shape(of: LockDrive.self), Shape(of: LineWatch.self), Shape(of: SignsOfLife.self),
        Shape(of: WatchdogPolicy.self), Shape(of: Recurrence.self), Shape(of: StoreWatch.self),
        Shape(of: RetentionWatch.self), Shape(of: Snapshots.self), Shape(of: ClockWatch.self),
        Shape(of: ClockWatch.Event.self),
    ]

    /// The lists of names.
    static let lists: [(title: String, names: [String])] = [
        (LockDrive.Finding.list, LockDrive.Finding.words.map { $0.name }),
        (WatchdogPolicy.Situation.list, WatchdogPolicy.Situation.words.map { $0.name }),
        (SnapshotOccasion.list, SnapshotOccasion.words.map { $0.name }),
    ]
}
