import Glibc
public import System

/// The journal that suits how this process was started: systemd's, where standard error goes
/// there, or else lines on standard error.
///
/// - Parameter timeOfDay: what each line on standard error begins with.
public func standardJournal(
    timeOfDay: @escaping () -> String = localTimeOfDay
) throws(SystemError) -> any Journal {
    if let journal = try nativeJournal() { return journal }
    let isColoured = usesColour(
        isTerminal: isatty(STDERR_FILENO) == 1, noColour: environmentVariable("NO_COLOR"),
        terminal: environmentVariable("TERM"))
    return TerminalJournal(
        descriptor: STDERR_FILENO, isColoured: isColoured, timeOfDay: timeOfDay)
}

/// Systemd's journal, where standard error goes there, and else nil.
public func nativeJournal() throws(SystemError) -> NativeJournal? {
    isJournal(STDERR_FILENO, variable: environmentVariable("JOURNAL_STREAM"))
        ? try NativeJournal() : nil
}

/// Whether `descriptor` is the stream to the journal that `variable` names, as `device:inode`.
///
/// systemd sets the variable `JOURNAL_STREAM`; it is inherited by processes whose output goes
/// elsewhere, which is why the numbers are compared.
func isJournal(_ descriptor: CInt, variable: String?) -> Bool {
    var status = stat()
    // Sound: the call writes the structure that it is given.
    guard let variable, unsafe fstat(descriptor, &status) == 0 else { return false }
    return variable == "\(status.st_dev):\(status.st_ino)"
}

/// Whether to colour lines: on a terminal that can, unless the user has set `NO_COLOR`.
func usesColour(isTerminal: Bool, noColour: String?, terminal: String?) -> Bool {
    isTerminal && (noColour ?? "").isEmpty && terminal != nil && terminal != "dumb"
}
