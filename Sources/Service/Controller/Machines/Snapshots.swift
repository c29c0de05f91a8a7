public import Journal
public import StateMachines
public import Turnstile

/// When the registers are written to the journal, and on which occasion. The check of the lines
/// drives it, so that the registers cost no wake-up of their own.
public struct Snapshots: StateMachine, Hashable, Sendable {
    private(set) var interval: Duration
    private var nextEntry: Instant?

    public enum Event: Hashable, Sendable {
        case started(at: Instant)
        case recorded(Record)
        case intervalChanged(Duration, at: Instant)
        case looked(at: Instant)
        case stopped
    }

    public enum Command: Hashable, Sendable {
        case write(SnapshotOccasion)
        case count
    }

    init(interval: Duration) { self.interval = interval }

    /// The entry of a collection comes before its count, and so closes the period.
    @inline(__always) public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .started(let now):
            nextEntry = now + interval
            return .handled
        case .recorded(let record) where record.isCollection:
            return .handled([.write(.collection), .count])
        case .recorded: return .handled(.count)
        case .intervalChanged(let interval, let now):
            self.interval = interval
            nextEntry = .earliest(nextEntry, now + interval)
            return .handled
        case .looked(let now):
            guard let due = nextEntry, due <= now else { return .ignored("no entry is due") }
            nextEntry = now + interval
            return .handled(.write(.interval))
        case .stopped: return .handled(.write(.stop))
        }
    }
}

extension Snapshots: Composite {
    public static var title: String { "snapshots" }
    public static var blank: Snapshots { Snapshots(interval: .zero) }

    public func visit(_ fields: inout some FieldVisitor) -> Snapshots {
        var snapshots = Snapshots(interval: fields.exactDuration(.interval, interval))
        snapshots.nextEntry = fields.optional(.nextEntry, nextEntry)
        return snapshots
    }
}
