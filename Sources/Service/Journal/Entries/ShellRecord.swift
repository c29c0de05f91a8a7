public import Keeping
public import StateMachines
public import Turnstile

/// What the shell itself writes down, beside the ``Turnstile/Record``s of the machine.
public enum ShellRecord: Hashable, Sendable {
    /// The hardware is not there yet and is tried again; the text is the whole error.
    case hardwareNotReady(String)
    /// The hardware was found: what it is, such as `libgpiod 2.2.1`.
    case hardwareReady(String)
    /// What happened at the inputs while no service ran is dealt with now: this many changes of the
    /// lines, the first so long ago.
    case inputsKept(events: Int, since: Duration)
    /// A call on the hardware failed; the text is the whole error.
    case hardwareFailed(String)
    /// The ledger cannot be opened or written; the text is the whole error.
    case storeFailed(String)
    /// The service has started this often in a row and ended early each time; it waits so long
    /// before it takes the lines.
    case startDelayed(by: Duration, starts: Int)
    /// What was retained cannot be read, so that nobody knows what was before the start; the text
    /// is the whole error.
    case stateUnreadable(String)
    /// What has to be retained is not, or not everywhere; the text is the whole error.
    case stateNotKept(String)
    /// What the gate decides is not recorded, for this reason; it is tried again.
    case traceNotKept(String)
    /// Something that people should know of the ledger.
    case storeNoted(StoreNote)
    /// What the registers show cannot be.
    case booksDisagree([Discrepancy])
    /// The hardware, by its name, cannot tell when edges get lost.
    case lostEdgesGoUnseen(String)
    /// The hardware, by its name, does not debounce, so that the core does.
    case debouncedByCore(String)
    /// A new configuration was refused and the old one stays in force; one text per mistake.
    case configurationRefused([String])
    /// A key of the configuration that was accepted says something else than before; nil stands
    /// for nothing.
    case configurationChanged(key: String, old: String?, new: String?)
    /// Somebody on the bus has the configuration read again.
    case reloadRequested(by: Operator)
    /// The service is on the bus, under this name beside its own.
    case busJoined(String)
    /// The service is not on the bus; the text is the whole error.
    case busAbsent(String)
    /// The configuration has this mistake, or this follows from its mistakes: nothing was in force
    /// yet, or all that was asked for was to look at it.
    case configurationMistake(String)
    /// A setting is allowed and rarely meant; the text is the whole warning.
    case configurationWarning(String)
    /// The watchdog was not fed, for this reason.
    case watchdogWithheld(String)
    /// An output was cut because it had been energised for this long.
    case outputCut(Output, after: Duration)
    /// What the registers show, and why it was written down.
    case registers(Registers, SnapshotOccasion)
    /// An event changed nothing, for this reason; written only where a trace was asked for.
    case ignored(Event, Reason)
    /// An event came that nobody decided: a mistake in the program.
    case unhandled(Event)
    /// This many entries were lost because the journal took none.
    case entriesLost(Int)
}

/// Why the registers were written down.
public enum SnapshotOccasion: String, CaseIterable, Hashable, Sendable {
    /// The time for it had come.
    case interval
    /// The coins were collected.
    case collection
    /// The service stops.
    case stop
}
