import Journal
import Keeping
public import Turnstile

/// The names and fields of what the machines of the shell hear, say and know: the part of the
/// vocabulary that recordings have beside ``Vocabulary``.
public enum ShellVocabulary {
    /// The fields of what they hear and say, which never change their meaning.
    public static let shapes: [Shape] = [Shape(of: ShellEvent.self), Shape(of: ShellCommand.self)]

    /// The fields of what they know, what it is made of after it. The same machines alone can go on
    /// from there: other ones may know other things.
    public static let states: [Shape] = [
        Shape(of: ShellMachines.self), Shape(of: DrivenOutput.self), Shape(of: DrivenLock.self),
        Shape(of: LockDrive.self), Shape(of: LineWatch.self), Shape(of: SignsOfLife.self),
        Shape(of: WatchdogPolicy.self), Shape(of: Recurrence.self), Shape(of: StoreWatch.self),
        Shape(of: RetentionWatch.self), Shape(of: Snapshots.self), Shape(of: ClockWatch.self),
        Shape(of: ClockWatch.Event.self),
    ]

    /// The lists of names.
    public static let lists: [(title: String, names: [String])] = [
        (LockDrive.Finding.list, LockDrive.Finding.words.map { $0.name }),
        (WatchdogPolicy.Situation.list, WatchdogPolicy.Situation.words.map { $0.name }),
        (SnapshotOccasion.list, SnapshotOccasion.words.map { $0.name }),
    ]
}
