public import Turnstile

/// An event of one of the shell's machines.
public enum ShellEvent: Hashable, Sendable {
    case output(Output, OutputDrive.Event)
    /// Of the lock of this direction, if it has two coils.
    case lock(Direction, LockDrive.Event)
    case lines(LineWatch.Event)
    case signsOfLife(SignsOfLife.Event)
    case store(StoreWatch.Event)
    // Cases with a whole state or record are indirect, so that lists of events stay small.
    indirect case retention(RetentionWatch.Event)
    indirect case registers(Snapshots.Event)
    case clock(ClockWatch.Event)
}

extension ShellEvent: Named {
    public static var title: String { "shell_event" }

    public static let forms: [ShellEvent] =
        OutputDrive.Event.forms.map { .output(.lockEntry, $0) }
        + LockDrive.Event.forms.map { .lock(.entry, $0) }
        + LineWatch.Event.forms.map { .lines($0) }
        + SignsOfLife.Event.forms.map { .signsOfLife($0) }
        + StoreWatch.Event.forms.map { .store($0) }
        + RetentionWatch.Event.forms.map { .retention($0) }
        + Snapshots.Event.forms.map { .registers($0) }
        + [.clock(.blank)]

    /// The event's name and fields, and its machine.
    public func visit(_ fields: inout some FieldVisitor) -> ShellEvent {
        switch self {
        case .output(let output, let event):
            .output(fields.field(.output, output), event.visit(&fields))
        case .lock(let direction, let event):
            .lock(fields.direction(direction), event.visit(&fields))
        case .lines(let event): .lines(event.visit(&fields))
        case .signsOfLife(let event): .signsOfLife(event.visit(&fields))
        case .store(let event): .store(event.visit(&fields))
        case .retention(let event): .retention(event.visit(&fields))
        case .registers(let event): .registers(event.visit(&fields))
        case .clock(let event): fields.named("wall_clock_read", .clock(event.visit(&fields)))
        }
    }
}
