import Keeping
import Turnstile

extension JournalEntry {
    /// The entry of `record`.
    public init(_ record: ShellRecord) {
        switch record {
        case .hardwareNotReady(let error):
            self.init(.hardwareNotReady, "\(error); trying again", [.init(.detail, error)])
        case .hardwareReady(let name):
            self.init(.hardwareReady, "lines requested through \(name)", [.init(.detail, name)])
        case .inputsKept(let events, let duration): self = .inputsKept(events, since: duration)
        case .hardwareFailed(let error):
            self.init(.hardwareFailed, error, [.init(.detail, error)])
        case .storeFailed(let error):
            self.init(.storeFailed, error, [.init(.detail, error)])
        case .storeNoted(let note): self.init(note)
        case .startDelayed(let pause, let starts): self.init(delayedBy: pause, starts: starts)
        case .stateUnreadable(let error): self.init(unreadable: error)
        case .stateNotKept(let error):
            self.init(.stateNotKept, "the state is not kept: \(error)", [.init(.detail, error)])
        case .traceNotKept(let error):
            self.init(.traceNotKept, "no trace is kept: \(error)", [.init(.detail, error)])
        case .booksDisagree(let found):
            let list = found.map(\.description).joined(separator: "\n")
            self.init(
                .booksDisagree, "the registers do not add up:\n\(list)", [.init(.detail, list)])
        case .lostEdgesGoUnseen(let name):
            self.init(
                .lostEdgesGoUnseen, "\(name) cannot detect lost edges", [.init(.detail, name)])
        case .debouncedByCore(let name):
            self.init(
                .debouncedByCore, "\(name) does not debounce; the service does",
                [.init(.detail, name)])
        case .configurationRefused(let mistakes):
            let list = mistakes.joined(separator: "\n")
            self.init(
                .configurationRefused,
                "configuration refused, the old one stays in force:\n\(list)",
                [.init(.detail, list)])
        case .configurationChanged(let key, let old, let new):
            self.init(changed: key, from: old, to: new)
        case .reloadRequested(let person): self.init(reloadFor: person)
        case .busJoined(let name): self.init(onBusAs: name)
        case .busAbsent(let error): self.init(offBus: error)
        case .configurationMistake(let mistake):
            self.init(.configurationMistake, mistake, [.init(.detail, mistake)])
        case .configurationWarning(let warning):
            self.init(.configurationWarning, warning, [.init(.detail, warning)])
        case .watchdogWithheld(let reason):
            self.init(.watchdogWithheld, "watchdog not fed: \(reason)", [.init(.detail, reason)])
        case .outputCut(let output, let after):
            self.init(
                .outputCut, "\(output.name) cut after \(after.text)",
                [
                    .init(.line, output.name),
                    .init(.duration, "\(after.wholeMicroseconds)"),
                ])
        case .registers(let registers, let occasion):
            self.init(
                .registers, "registers, \(occasion.sentence):\(registers.list)",
                [.init(.occasion, occasion.rawValue)] + registers.fields)
        case .ignored(let event, let reason):
            self.init(
                .ignored, "\(event.kind.sentence): \(reason)", [.init(.detail, "\(reason)")])
        case .unhandled(let event):
            self.init(
                .unhandled, "unexpected event: \(event.kind.sentence)",
                [.init(.detail, event.kind.sentence)])
        case .entriesLost(let count):
            self.init(
                .entriesLost, "\(counted(count, "entry", "entries")) missing here",
                [.init(.lost, "\(count)")])
        }
    }
}

extension JournalEntry {
    private init(delayedBy pause: Duration, starts: Int) {
        self.init(
            .startDelayed, "start \(starts) in a row: the lines are taken in \(pause.text)",
            [.init(.count, "\(starts)"), .init(.duration, "\(pause.wholeMicroseconds)")])
    }

    private init(unreadable error: String) {
        self.init(
            .stateUnreadable, "the state from before the start cannot be read: \(error)",
            [.init(.detail, error)])
    }

    private init(onBusAs name: String) {
        self.init(.busJoined, "on the bus as \(name)", [.init(.detail, name)])
    }

    private init(offBus error: String) {
        self.init(.busAbsent, "not on the bus: \(error); trying again", [.init(.detail, error)])
    }

    private init(reloadFor person: Operator) {
        self.init(
            .reloadRequested, "\(person) has the configuration read again",
            [.init(.operator, person.name), .init(.operatorNumber, "\(person.number)")])
    }

    private init(_ note: StoreNote) {
        switch note {
        case .begun(let gate, let identity):
            self.init(
                .ledgerBegun, "a new ledger was begun for the gate '\(gate)': \(identity)",
                [.init(.detail, identity)])
        case .checkpoint(let number, let occasion, let note):
            self.init(
                .checkpoint, "checkpoint \(number), for \(occasion), is signed",
                [.init(.detail, note)])
        case .keyChanged(let key):
            self.init(
                .ledgerKeyChanged, "the ledger is signed with another key from now on: \(key)",
                [.init(.detail, key)])
        case .roomRunsOut(let percent):
            self.init(
                .ledgerRoomRunsOut,
                "\(percent) % of the ledger's room is used; when all is, coins are refused",
                [.init(.count, "\(percent)")])
        case .recordsSetAside(let place, let damage):
            self.init(
                .recordsSetAside,
                "the ledger's records are damaged and in \(place) now; credit and registers are "
                    + "as they were: \(damage)",
                [.init(.detail, place)])
        }
    }

    private init(changed key: String, from old: String?, to new: String?) {
        self.init(
            .configurationChanged,
            "\(key) is to be \(new ?? "left out"), it was \(old ?? "left out")",
            [.init(.key, key)] + (old.map { [.init(.old, $0)] } ?? [])
                + (new.map { [.init(.new, $0)] } ?? []))
    }
}

extension JournalEntry {
    private static func inputsKept(_ events: Int, since duration: Duration) -> JournalEntry {
        JournalEntry(
            .inputsKept,
            "\(counted(events, "change", "changes")) of the inputs while no service ran, the first "
                + "\(duration.text) ago",
            [.init(.count, "\(events)"), .init(.duration, "\(duration.wholeMicroseconds)")])
    }
}

extension Event.Kind {
    /// The event in a few words.
    fileprivate var sentence: String {
        switch self {
        case .started: "the shell is up"
        case .changed(let input, let isActive):
            "\(input.name) became \(isActive ? "active" : "inactive")"
        case .edgesLost: "edges were lost"
        case .timePassed: "time passed"
        case .lineFailed(let line, let failure): "the line \(line) is \(failure.sentence)"
        case .lineRecovered(let line): "the line \(line) works again"
        case .onTimeWarning(let output): "\(output.name) is cut soon"
        case .outputCut(let output): "\(output.name) was cut"
        case .clockRead: "the wall clock was read"
        case .clockStepped: "the wall clock was set"
        case .requested(let request, let requester):
            "\(requester.text) asks for \(request.kind.rawValue)"
        case .durable: "all records are durable"
        case .storageFailed: "the ledger cannot be used"
        case .ledgerOpened: "the ledger is open"
        case .stopped: "the service stops"
        }
    }
}

extension SnapshotOccasion {
    fileprivate var sentence: String {
        switch self {
        case .interval: "at the interval"
        case .collection: "at the collection"
        case .stop: "at the stop"
        }
    }
}

extension LineFailure {
    fileprivate var sentence: String {
        switch self {
        case .unreadable: "unreadable"
        case .undrivable: "undrivable"
        case .mismatch: "not at the level that it was driven to"
        }
    }
}
