public import Keeping
public import StateMachines
public import Turnstile

/// The shell's own records, beside the ``Turnstile/Record``s of the machine.
public enum ShellRecord: Hashable, Sendable {
    /// The hardware is not there yet and is tried again; the text is the whole error.
    case hardwareNotReady(String)
    /// The hardware was found: what it is, such as `libgpiod 2.2.1`.
    case hardwareReady(String)
    /// The input edges from before the start were handled: how many, and how long ago the first
    /// was.
    case inputsKept(events: Int, since: Duration)
    /// A call on the hardware failed; the text is the whole error.
    case hardwareFailed(String)
    /// The ledger cannot be opened or written; the text is the whole error.
    case storeFailed(String)
    /// The service has started this often in a row, each time with an early end; it waits so long
    /// before it requests the lines.
    case startDelayed(by: Duration, starts: Int)
    /// The retained state cannot be read; the text is the whole error.
    case stateUnreadable(String)
    /// The state cannot be retained, or not everywhere; the text is the whole error.
    case stateNotKept(String)
    /// The trace cannot be written, for this reason; it is retried.
    case traceNotKept(String)
    /// A note of the ledger.
    case storeNoted(StoreNote)
    /// The registers disagree.
    case booksDisagree([Discrepancy])
    /// This hardware does not report lost edges.
    case lostEdgesGoUnseen(String)
    /// This hardware does not debounce: the core does.
    case debouncedByCore(String)
    /// A new configuration was refused; one text per mistake.
    case configurationRefused([String])
    /// A changed key of an accepted configuration; nil for no value.
    case configurationChanged(key: String, old: String?, new: String?)
    /// A request on the bus to read the configuration again.
    case reloadRequested(by: Operator)
    /// The service is on the bus, under this name beside its own.
    case busJoined(String)
    /// The service is not on the bus; the text is the whole error.
    case busAbsent(String)
    /// A mistake in the configuration, or its consequence, at a start or a check.
    case configurationMistake(String)
    /// A warning about a setting; the text is the whole warning.
    case configurationWarning(String)
    /// A sign of life was withheld, for this reason.
    case watchdogWithheld(String)
    /// An output was cut because it had been energised for this long.
    case outputCut(Output, after: Duration)
    /// The registers, and the occasion.
    case registers(Registers, SnapshotOccasion)
    /// An ignored event, for this reason; only with a trace in the journal.
    case ignored(Event, Reason)
    /// An unhandled event: a defect of the program.
    case unhandled(Event)
    /// This many entries were lost because the journal took none.
    case entriesLost(Int)
}

public enum SnapshotOccasion: String, CaseIterable, Hashable, Sendable {
    case interval
    /// The coins were collected.
    case collection
    /// The service stops.
    case stop
}
