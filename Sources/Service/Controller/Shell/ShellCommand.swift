public import Turnstile

/// A command of one of the shell's machines.
public enum ShellCommand: Hashable, Sendable {
    case output(Output, OutputDrive.Command)
    /// Of the lock of this direction, if it has two coils.
    case lock(Direction, LockDrive.Command)
    case lines(LineWatch.Command)
    case signsOfLife(SignsOfLife.Command)
    case store(StoreWatch.Command)
    // Indirect, as in `ShellEvent`, since a whole state is large.
    indirect case retention(RetentionWatch.Command)
    case registers(Snapshots.Command)
    case clock(ClockWatch.Command)
}

extension ShellCommand: Named {
    public static var title: String { "shell_command" }

    public static let forms: [ShellCommand] =
        OutputDrive.Command.forms.map { .output(.lockEntry, $0) }
        + LockDrive.Command.forms.map { .lock(.entry, $0) }
        + LineWatch.Command.forms.map { .lines($0) }
        + SignsOfLife.Command.forms.map { .signsOfLife($0) }
        + StoreWatch.Command.forms.map { .store($0) }
        + RetentionWatch.Command.forms.map { .retention($0) }
        + Snapshots.Command.forms.map { .registers($0) }
        + ClockWatch.Command.forms.map { .clock($0) }

    /// The command's name and fields, and its machine.
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
