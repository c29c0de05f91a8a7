public import Turnstile

/// What a machine of the shell wants done: which of them, and what.
public enum ShellCommand: Hashable, Sendable {
    case output(Output, OutputDrive.Command)
    /// By that of the lock of this direction, which has two coils.
    case lock(Direction, LockDrive.Command)
    case lines(LineWatch.Command)
    case signsOfLife(SignsOfLife.Command)
    case store(StoreWatch.Command)
    // As among the events, a whole state is apart.
    indirect case retention(RetentionWatch.Command)
    case registers(Snapshots.Command)
    case clock(ClockWatch.Command)
}

extension ShellCommand: Named {
    /// What they are called.
    public static var title: String { "shell_command" }

    /// One of each name.
    public static let forms: [ShellCommand] =
        OutputDrive.Command.forms.map { .output(.lockEntry, $0) }
        + LockDrive.Command.forms.map { .lock(.entry, $0) }
        + LineWatch.Command.forms.map { .lines($0) }
        + SignsOfLife.Command.forms.map { .signsOfLife($0) }
        + StoreWatch.Command.forms.map { .store($0) }
        + RetentionWatch.Command.forms.map { .retention($0) }
        + Snapshots.Command.forms.map { .registers($0) }
        + ClockWatch.Command.forms.map { .clock($0) }

    /// The name and the fields of what is to be done, and whose machine wants it.
    public func visit(_ fields: inout some FieldVisitor) -> ShellCommand {
        switch self {
        case .output(let output, let command):
            .output(fields.field(.output, output), command.visit(&fields))
        case .lock(let direction, let command):
            .lock(fields.direction(direction), command.visit(&fields))
        case .lines(let command): .lines(command.visit(&fields))
        case .signsOfLife(let command): .signsOfLife(command.visit(&fields))
        case .store(let command): .store(command.visit(&fields))
        case .retention(let command): .retention(command.visit(&fields))
        case .registers(let command): .registers(command.visit(&fields))
        case .clock(let command): .clock(command.visit(&fields))
        }
    }
}
