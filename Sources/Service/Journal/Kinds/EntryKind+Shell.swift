import Turnstile

extension EntryKind {
    /// What the shell says of hardware, configuration and itself.
    static let shell = [
        hardwareNotReady, hardwareReady, inputsKept, hardwareFailed, storeFailed, booksDisagree,
        startDelayed, stateUnreadable, stateNotKept, traceNotKept, lostEdgesGoUnseen,
        debouncedByCore,
        configurationRefused, configurationChanged, reloadRequested, configurationMistake,
        configurationWarning, busJoined, busAbsent, watchdogWithheld, outputCut, registers, ignored,
        unhandled, entriesLost,
    ]

    /// The kind of `ShellRecord.hardwareNotReady`.
    static let hardwareNotReady = EntryKind(
        id: "379b2fdd23364b8ba0d0bcac77230d84", event: "hardware_not_ready", priority: .warning,
        subject: "The lines are not there yet",
        explanation: """
            A chip is missing, may not be opened yet, or has a line in use. This is normal
            for some moments while the system starts. It is tried again for 30 seconds; then
            the service ends with status 69, and systemd starts it again. A chip that has not
            been there since the boot is waited for 10 seconds; then the service ends with
            status 78, and somebody has to start it.

            If it lasts: compare the configuration with what gpioinfo shows, and see that the
            user turnstiled may open the chip, which the udev rule allows to its group.
            """)

    /// The kind of `ShellRecord.hardwareReady`.
    static let hardwareReady = EntryKind(
        id: "7c5d77bb2d424cba9854c9c0ef81a125", event: "hardware_ready", priority: .info,
        subject: "The lines are there",
        explanation: """
            All lines of the configuration were requested, the outputs at their safe levels.
            They belong to @TURNSTILE_DETAIL@.
            """)

    /// The kind of `ShellRecord.inputsKept`.
    static let inputsKept = EntryKind(
        id: "7b5d032406e644c1995d359911723de3", event: "inputs_kept", priority: .notice,
        subject: "Something happened at the inputs while no service ran",
        explanation: """
            While the service started anew, the lines of the inputs were held for it, and the
            kernel kept their @TURNSTILE_COUNT@ changes: pulses of coins, the rotor, contacts.
            The first was @TURNSTILE_DURATION_USEC@ µs ago. The entries before this one, back
            to the start, tell what they came to, as if the service had been there: a coin
            that was on its way is counted.
            """)

    /// The kind of `ShellRecord.hardwareFailed`.
    static let hardwareFailed = EntryKind(
        id: "74924e5ca31a4788959497f546a4f629", event: "hardware_failed", priority: .error,
        subject: "A call on the lines failed",
        explanation: """
            The message names the call, the chip, the line and the system's reason.

            Where the gate is in operation it treats the line as faulty, and an entry about
            the fault follows. Else, or where no line works any more, the service ends:
            docs/operations.md, "When the service does not run", says by its status what to
            do.
            """)

    /// The kind of `ShellRecord.storeFailed`.
    static let storeFailed = EntryKind(
        id: "e863cbc4fdb34574a2a28cb176d99a30", event: "store_failed", priority: .error,
        subject: "The ledger cannot be used",
        explanation: """
            The message names the file, what is wrong, and what to do where that can be known.
            Coins are refused meanwhile; an entry about the fault follows, and all that needs no
            money works.

            What was to be written waits in memory. A disk that is full, not there or fails is
            tried again every few seconds at most: make room, or mount it. A ledger that is
            damaged, of another gate, or gone is left as it is until somebody decides:
            docs/operations.md says how.
            """)

    /// The kind of `ShellRecord.booksDisagree`.
    static let booksDisagree = EntryKind(
        id: "abb878cb9cd64a5da101821e40a25f8f", event: "books_disagree", priority: .error,
        subject: "The registers do not add up",
        explanation: """
            Both sides of each sum are counted for themselves: what was put in, and what became
            of it; all passages, and those of each kind. They differ, as the message says, or a
            number is none that a gate can have counted. The gate works on. A ledger that holds
            these numbers is refused at the next start.

            This is a mistake in the program or in the board's memory. Please report the entry,
            with those before it, and keep a copy of the ledger.
            """)

    /// The kind of `ShellRecord.startDelayed`.
    static let startDelayed = EntryKind(
        id: "6f5600a5ccb74daeaa501395cf5c948b", event: "start_delayed", priority: .warning,
        subject: "The service keeps ending, and waits before it takes the lines",
        explanation: """
            This is start @TURNSTILE_COUNT@ in a row, and each of those before came to an
            early end. The service waits for @TURNSTILE_DURATION_USEC@ µs, every output at
            its safe level, so that the journal is not flooded. It does not wait where there
            was an emergency, or somebody in the gate.

            Look for why it ends: the entries before this one.
            """)

    /// The kind of `ShellRecord.stateUnreadable`.
    static let stateUnreadable = EntryKind(
        id: "07b4d7b506c2484db6ff0fbf42047b2c", event: "state_unreadable", priority: .warning,
        subject: "The state from before the start cannot be read",
        explanation: """
            The message names the file and what is wrong with it. Nobody knows whether there
            was an emergency, so the gate stands open, as it does after one.

            See that there is none, then turn the emergency reset key. The file is written
            anew by itself; if it happens again, look at the disk ("journalctl -k").
            """)

    /// The kind of `ShellRecord.stateNotKept`.
    static let stateNotKept = EntryKind(
        id: "c6b4dd3ab5ed4f8bbcd9f789547dc213", event: "state_not_kept", priority: .warning,
        subject: "What has to outlive the service is not kept",
        explanation: """
            An emergency that awaits its reset, faults and alarms that wait for the key, and
            who is in the gate are kept in two files: one for a restart, one for a loss of
            power. The message names the one that cannot be written, and why. The gate works
            on, and it is tried again every second.

            Until it can be written, a restart or a loss of power brings back what was kept
            last. Make room ("df"), look who owns the folder, and look at the disk
            ("journalctl -k"). A service that was started by hand keeps nothing.
            """)

    /// The kind of `ShellRecord.traceNotKept`.
    static let traceNotKept = EntryKind(
        id: "65fd4dc496144432a2dc2fc58c1a500e", event: "trace_not_kept", priority: .warning,
        subject: "What the gate decides is not recorded",
        explanation: """
            The folder /var/lib/turnstiled/trace cannot be written: @TURNSTILE_DETAIL@. The
            gate works as before, but what happens meanwhile cannot be replayed later. It is
            tried again every ten seconds, and the oldest that was recorded makes room.

            Look at the disk: df /var/lib/turnstiled. The settings say how much it may take
            (trace: size), or that nothing is to be recorded.
            """)

    /// The kind of `ShellRecord.lostEdgesGoUnseen`.
    static let lostEdgesGoUnseen = EntryKind(
        id: "c53752da01864308ab03cee96f32aa72", event: "lost_edges_go_unseen", priority: .notice,
        subject: "Lost edges would go unseen",
        explanation: """
            With @TURNSTILE_DETAIL@ the kernel does not tell when it has dropped changes of a
            line. The levels are compared regularly, which finds most but not all of it.

            libgpiod 2 tells: Debian 13 has it.
            """)

    /// The kind of `ShellRecord.debouncedByCore`.
    static let debouncedByCore = EntryKind(
        id: "760ca77faef746f9b07c836479165652", event: "debounced_by_core", priority: .info,
        subject: "Inputs are debounced by the service",
        explanation: """
            @TURNSTILE_DETAIL@ does not debounce lines, so the service does it. A line that
            bounces hard costs more of the kernel's queue.
            """)

    /// The kind of `ShellRecord.configurationRefused`.
    static let configurationRefused = EntryKind(
        id: "94cf696d6dc24ca593deb19e1fcba771", event: "configuration_refused", priority: .error,
        subject: "A new configuration was refused",
        explanation: """
            The message lists every mistake with file, line and column, or every key that
            changed and needs a restart: what gate, ledger, trace and hardware say. The old
            configuration stays in force, whole.

            Mend the file, see that "turnstiled --check-config" is content, and reload. A
            restart drives every output to its safe level on the way.
            """)

    /// The kind of `ShellRecord.configurationChanged`.
    static let configurationChanged = EntryKind(
        id: "a1668c02d39441dba1f8c5aac1f89151", event: "configuration_changed", priority: .notice,
        subject: "@TURNSTILE_KEY@ was changed",
        explanation: """
            A new configuration was accepted, and this key of it has another value than
            before: the fields TURNSTILE_OLD and TURNSTILE_NEW, as the file writes them. One
            of the two is missing where the key was, or is, left out and has no default.

            What was accepted comes into force as soon as the gate is idle, and the entry
            "the new policy is in force" says when. What changed while the service did not
            run has no such entry.
            """)

    /// The kind of `ShellRecord.configurationMistake`.
    static let configurationMistake = EntryKind(
        id: "31ff447929134453aacb6dbf153e9cc6", event: "configuration_mistake", priority: .error,
        subject: "The configuration is wrong",
        explanation: """
            There is an entry for each mistake, with file, line and column, and one at the
            end that says what follows.

            At a start: the service ends with status 78, and is not started again before
            somebody corrects the file and starts it. At a reload: the configuration that
            was in force stays in force.
            """)

    /// The kind of `ShellRecord.configurationWarning`.
    static let configurationWarning = EntryKind(
        id: "ad94008fc95a457082c04bbd3115ce5a", event: "configuration_warning", priority: .warning,
        subject: "A setting is allowed and rarely meant",
        explanation: """
            The message names file, line and column, what is odd there, and what to do.

            The service works with the setting as it is. docs/configuration.md lists all
            that is warned of.
            """)

    /// The kind of `ShellRecord.watchdogWithheld`.
    static let watchdogWithheld = EntryKind(
        id: "7d3abb0f8c9c4d38b6eff3b81f59a463", event: "watchdog_withheld", priority: .error,
        subject: "The watchdog is not fed",
        explanation: """
            The service manager hears no sign of life while the lines are not well, for the
            reason in the message. If that lasts, it restarts the service, which drives
            every output to its safe level and requests the lines anew.
            """)

    /// The kind of `ShellRecord.outputCut`.
    static let outputCut = EntryKind(
        id: "88d06eef0d25484088432ece209da24e", event: "output_cut", priority: .warning,
        subject: "@TURNSTILE_LINE@ was cut at its maximum on-time",
        explanation: """
            The output had been energised for @TURNSTILE_DURATION_USEC@ µs without a break,
            which is all that the configuration allows. The gate hears of it as a fault.
            """)

    /// The kind of `ShellRecord.registers`.
    static let registers = EntryKind(
        id: "51f4990f1168415a91dd6952f536c107", event: "registers", priority: .notice,
        subject: "What the gate has counted (@TURNSTILE_OCCASION@)",
        explanation: """
            Money in minor units of the currency, passages by direction and kind, and what
            else is counted. The entry is written at regular intervals, when the coins are
            collected and when the service stops; the difference of two entries is what
            happened between them.
            """)

    /// The kind of `ShellRecord.ignored`.
    static let ignored = EntryKind(
        id: "1fab398542e147cf918a4bc9dc7b9b13", event: "ignored", priority: .debug,
        subject: "An event changed nothing",
        explanation: """
            The gate expects such events in its state and has nothing to do about them, for
            the reason in the message. These entries are written only where a trace was asked
            for.
            """)

    /// The kind of `ShellRecord.unhandled`.
    static let unhandled = EntryKind(
        id: "2dea1e99a0c04593bc83d232beb84a90", event: "unhandled", priority: .error,
        subject: "An event came that the gate does not know in its state",
        explanation: """
            This is a mistake in the program. The gate's state has not changed and it works
            on. Please report the entry, with those before it.
            """)

    /// The kind of `ShellRecord.entriesLost`.
    static let entriesLost = EntryKind(
        id: "1cdeceba44ef4346ad034e2523eda17f", event: "entries_lost", priority: .warning,
        subject: "@TURNSTILE_LOST@ entries are missing from the log",
        explanation: """
            The log took no entries for a while, and the gate does not wait for it. The
            entries were not written.

            See whether the journal was stopped or its disk is slow or full.
            """)
}
