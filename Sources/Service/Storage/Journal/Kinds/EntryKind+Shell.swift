import Turnstile

extension EntryKind {
    static let shell = [
        hardwareNotReady, hardwareReady, inputsKept, hardwareFailed, storeFailed, booksDisagree,
        startDelayed, stateUnreadable, stateNotKept, traceNotKept, lostEdgesGoUnseen,
        debouncedByCore,
        configurationRefused, configurationChanged, reloadRequested, configurationMistake,
        configurationWarning, busJoined, busAbsent, watchdogWithheld, outputCut, registers, ignored,
        unhandled, entriesLost,
    ]

    static let hardwareNotReady = EntryKind(
        id: "379b2fdd23364b8ba0d0bcac77230d84", event: "hardware_not_ready", priority: .warning,
        subject: "The lines are not there yet",
        explanation: """
            A chip is missing, may not be opened yet, or has a line in use. This is normal
            for some moments while the system starts. The service retries for 30 seconds; then
            it ends with status 69, and systemd restarts it. If a chip has been missing since
            the boot, the service waits for 10 seconds; then it ends with status 78 and has to
            be started by hand.

            If it lasts: compare the configuration with the output of gpioinfo, and check that
            the user turnstiled may open the chip (by its group, in the udev rule).
            """)

    static let hardwareReady = EntryKind(
        id: "7c5d77bb2d424cba9854c9c0ef81a125", event: "hardware_ready", priority: .info,
        subject: "The lines are there",
        explanation: """
            All lines of the configuration were requested, the outputs at their safe levels.
            They belong to @TURNSTILE_DETAIL@.
            """)

    static let inputsKept = EntryKind(
        id: "7b5d032406e644c1995d359911723de3", event: "inputs_kept", priority: .notice,
        subject: "Something happened at the inputs while no service ran",
        explanation: """
            During the restart systemd held the input lines, and the kernel queued their
            @TURNSTILE_COUNT@ changes: pulses of coins, the rotor, contacts. The first was
            @TURNSTILE_DURATION_USEC@ µs ago. The entries before this one, back to the start,
            give their effects, as if the service had been running: coins that were on their
            way are counted.
            """)

    static let hardwareFailed = EntryKind(
        id: "74924e5ca31a4788959497f546a4f629", event: "hardware_failed", priority: .error,
        subject: "A call on the lines failed",
        explanation: """
            The message names the call, the chip, the line and the system's reason.

            A gate in operation treats the line as faulty, and an entry about the fault
            follows. Otherwise, or if no line works any more, the service ends:
            docs/operations.md, "When the service does not run", says what to do for its exit
            status.
            """)

    static let storeFailed = EntryKind(
        id: "e863cbc4fdb34574a2a28cb176d99a30", event: "store_failed", priority: .error,
        subject: "The ledger cannot be used",
        explanation: """
            The message names the file, the problem and, where possible, the remedy. Coins are
            refused meanwhile, and an entry about the fault follows; everything else works.

            Pending records wait in memory. With a full, missing or failing disk the service
            retries after a few seconds at most: free space, or mount it. A ledger that is
            damaged, missing or of another gate is left unchanged until the operator decides:
            see docs/operations.md.
            """)

    static let booksDisagree = EntryKind(
        id: "abb878cb9cd64a5da101821e40a25f8f", event: "books_disagree", priority: .error,
        subject: "The registers do not add up",
        explanation: """
            Both sides of each sum are counted separately: money put in and its use; all
            passages, and those of each kind. They differ, as the message says, or a number is
            impossible for a gate. The gate continues to work. A ledger with these numbers is
            refused at the next start.

            This is an error in the program or in the board's memory. Please report the entry,
            with those before it, and keep a copy of the ledger.
            """)

    static let startDelayed = EntryKind(
        id: "6f5600a5ccb74daeaa501395cf5c948b", event: "start_delayed", priority: .warning,
        subject: "The service keeps ending, and waits before it takes the lines",
        explanation: """
            This is start @TURNSTILE_COUNT@ in a row; each of the previous ones ended early. The
            service waits for @TURNSTILE_DURATION_USEC@ µs, every output at its safe level, so
            that the journal is not flooded. It does not wait after an emergency, or with a
            person in the gate.

            Find out why it ends: see the entries before this one.
            """)

    static let stateUnreadable = EntryKind(
        id: "07b4d7b506c2484db6ff0fbf42047b2c", event: "state_unreadable", priority: .warning,
        subject: "The state from before the start cannot be read",
        explanation: """
            The message names the file and the problem. Whether there was an emergency is
            unknown, so the gate stands open, as after an emergency.

            Check that there is no emergency, then turn the emergency reset key. The file is
            rewritten automatically; if it happens again, check the disk ("journalctl -k").
            """)

    static let stateNotKept = EntryKind(
        id: "c6b4dd3ab5ed4f8bbcd9f789547dc213", event: "state_not_kept", priority: .warning,
        subject: "The retained state cannot be written",
        explanation: """
            A pending emergency, latched faults and alarms, and a person in the gate are kept in
            two files: one for a restart, one for a power failure. The message names the file
            that cannot be written, and why. The gate continues to work, and the service retries
            every second.

            Until then a restart or a power failure restores the state written last. Free space
            ("df"), check the owner of the folder, and check the disk ("journalctl -k"). A
            service started by hand keeps no state.
            """)

    static let traceNotKept = EntryKind(
        id: "65fd4dc496144432a2dc2fc58c1a500e", event: "trace_not_kept", priority: .warning,
        subject: "The trace cannot be written",
        explanation: """
            The folder /var/lib/turnstiled/trace cannot be written: @TURNSTILE_DETAIL@. The
            gate works as before, but this time cannot be replayed later. The service retries
            every ten seconds, and deletes the oldest traces to free space.

            Check the disk: df /var/lib/turnstiled. The setting trace.size limits the space, or
            turns the recording off.
            """)

    static let lostEdgesGoUnseen = EntryKind(
        id: "c53752da01864308ab03cee96f32aa72", event: "lost_edges_go_unseen", priority: .notice,
        subject: "Lost edges cannot be detected",
        explanation: """
            With @TURNSTILE_DETAIL@ the kernel does not report that it has dropped changes of a
            line. The service compares the levels regularly, which finds most of them.

            libgpiod 2, in Debian 13, reports them.
            """)

    static let debouncedByCore = EntryKind(
        id: "760ca77faef746f9b07c836479165652", event: "debounced_by_core", priority: .info,
        subject: "Inputs are debounced by the service",
        explanation: """
            @TURNSTILE_DETAIL@ does not debounce lines, so the service does it. A line that
            bounces much uses more of the kernel's queue.
            """)

    static let configurationRefused = EntryKind(
        id: "94cf696d6dc24ca593deb19e1fcba771", event: "configuration_refused", priority: .error,
        subject: "A new configuration was refused",
        explanation: """
            The message lists every mistake with file, line and column, or every changed key
            that needs a restart (in gate, ledger, trace and hardware). The whole old
            configuration stays in force.

            Correct the file, check it with "turnstiled --check-config", and reload. A restart
            drives every output to its safe level on the way.
            """)

    static let configurationChanged = EntryKind(
        id: "a1668c02d39441dba1f8c5aac1f89151", event: "configuration_changed", priority: .notice,
        subject: "@TURNSTILE_KEY@ was changed",
        explanation: """
            A new configuration was accepted, in which this key has another value: see the
            fields TURNSTILE_OLD and TURNSTILE_NEW, written as in the file. A field is missing
            if the key is left out and has no default.

            The configuration comes into force as soon as the gate is idle; the entry "the new
            policy is in force" says when. Changes made while the service did not run have no
            such entry.
            """)

    static let configurationMistake = EntryKind(
        id: "31ff447929134453aacb6dbf153e9cc6", event: "configuration_mistake", priority: .error,
        subject: "The configuration is wrong",
        explanation: """
            There is an entry for each mistake, with file, line and column, and a last one with
            the consequence.

            At a start: the service ends with status 78, and has to be started by hand once the
            file is corrected. At a reload: the previous configuration stays in force.
            """)

    static let configurationWarning = EntryKind(
        id: "ad94008fc95a457082c04bbd3115ce5a", event: "configuration_warning", priority: .warning,
        subject: "A setting is allowed and rarely meant",
        explanation: """
            The message names file, line and column, the problem and the remedy.

            The service works with the setting as it is. docs/configuration.md lists all
            warnings.
            """)

    static let watchdogWithheld = EntryKind(
        id: "7d3abb0f8c9c4d38b6eff3b81f59a463", event: "watchdog_withheld", priority: .error,
        subject: "The watchdog is not fed",
        explanation: """
            The service withholds the keep-alive from systemd while a line fails, for the
            reason in the message. If that lasts, systemd restarts the service, which drives
            every output to its safe level and requests the lines again.
            """)

    static let outputCut = EntryKind(
        id: "88d06eef0d25484088432ece209da24e", event: "output_cut", priority: .warning,
        subject: "@TURNSTILE_LINE@ was cut at its maximum on-time",
        explanation: """
            The output had been energised for @TURNSTILE_DURATION_USEC@ µs without a break, the
            limit in the configuration. The gate raises a fault.
            """)

    static let registers = EntryKind(
        id: "51f4990f1168415a91dd6952f536c107", event: "registers", priority: .notice,
        subject: "The registers of the gate (@TURNSTILE_OCCASION@)",
        explanation: """
            Money in minor units of the currency, passages by direction and kind, and other
            counts. The entry is written at regular intervals, when the coins are collected and
            when the service stops; the difference of two entries gives the counts between them.
            """)

    static let ignored = EntryKind(
        id: "1fab398542e147cf918a4bc9dc7b9b13", event: "ignored", priority: .debug,
        subject: "An event changed nothing",
        explanation: """
            In its present state the gate expects the event and has nothing to do, for the
            reason in the message. Only a service that runs with the option --trace writes
            these entries.
            """)

    static let unhandled = EntryKind(
        id: "2dea1e99a0c04593bc83d232beb84a90", event: "unhandled", priority: .error,
        subject: "An event is unexpected in the gate's present state",
        explanation: """
            This is an error in the program. The gate's state has not changed, and it continues
            to work. Please report the entry, with those before it.
            """)

    static let entriesLost = EntryKind(
        id: "1cdeceba44ef4346ad034e2523eda17f", event: "entries_lost", priority: .warning,
        subject: "@TURNSTILE_LOST@ entries are missing from the log",
        explanation: """
            The log accepted no entries for a while, and the gate does not wait for it. The
            entries were not written.

            Check whether the journal was stopped, or its disk is slow or full.
            """)
}
