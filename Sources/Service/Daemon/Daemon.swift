import Bus
import Controller
import Glibc
import Hardware
import Journal
import Keeping
import Ledger
import Retention
import Settings
import StateMachines
public import System
import Trace
import Turnstile

/// Creates and connects the parts of the service.
public final class Daemon {
    /// How long the disk may take at the end. The unit waits for two seconds, some of which are for
    /// a coin being counted.
    private static let timeoutAtEnd: Duration = .seconds(1)

    private(set) var file: SettingsFile
    let surroundings: Surroundings
    private let traces: Bool
    private var bank: (any LineBank)?
    private var ledger: Ledger?
    private var retention: Retention?
    private var recorder: Recorder?
    private var link: BusLink?
    /// Nil before its start.
    private(set) var controller: Controller?
    /// Why the last request for the lines failed.
    private var lineError: HardwareError?

    /// A daemon before its request for lines; `traces` also logs ignored events.
    public init(_ file: SettingsFile, traces: Bool, in surroundings: Surroundings) {
        (self.file, self.traces, self.surroundings) = (file, traces, surroundings)
    }

    /// Runs until it is stopped; returns the exit code.
    public func run() throws(SystemError) -> CInt {
        for signal in [Signal.terminate, .interrupt] {
            try loop.onSignal(signal) { [unowned self] in stop(EX_OK) }
        }
        try loop.onSignal(.hangUp) { [unowned self] in reload() }
        service.notify(.status("\(Status(state: .starting, credit: 0, soundsAlarm: false))"))
        warn()
        try openRetention()
        try openLedger()
        openRecorder()
        try openBus()
        begin()
        let exitCode = try loop.run()
        // Outputs that could not be driven safe were reported then.
        try? bank?.close()
        closeFiles()
        // A stop is no early end.
        if exitCode == EX_OK { keep([], as: Kept.starts) }
        return exitCode
    }

    /// Closes the files. Waits for a hung disk as long as the unit permits.
    private func closeFiles() {
        link?.close()
        let end = loop.now + Self.timeoutAtEnd
        ledger?.close(within: end - loop.now)
        for case .noted(let note) in ledger?.takeAnswers() ?? [] {
            journal.write(JournalEntry(.storeNoted(note)))
        }
        retention?.close(within: max(.zero, end - loop.now))
        recorder?.close(within: max(.zero, end - loop.now))
    }

    private var loop: any EventLoop { surroundings.loop }
    private var journal: any Journal { surroundings.journal }
    private var service: any ServiceManager { surroundings.service }
    private var folders: Folders? { surroundings.folders }

    private func stop(_ exitCode: CInt) {
        guard let controller else { return loop.stop(exitCode) }
        controller.stop { [loop] in loop.stop(exitCode) }
    }
}

// The ledger.
extension Daemon {
    /// Opens the ledger, if configured, without waiting. Before the lines are requested: its thread
    /// must not hold their descriptors.
    private func openLedger() throws(SystemError) {
        guard let path = folders?.ledger(settings.ledger) else { return }
        ledger = try Ledger(
            path: path, gate: settings.gate, bootID: bootID(),
            limits: RecordLimits(settings.ledgerLimits),
            trial: folders?.isTrial == true ? surroundings.clock : nil)
    }
}

// The trace.
extension Daemon {
    /// Begins the trace, if configured, without waiting. Before the lines, for the same reason.
    private func openRecorder() {
        guard let path = folders?.trace, let size = settings.trace.size else { return }
        let header = TraceHeader(
            serviceVersion: programVersion, gate: settings.gate, bootID: bootID(),
            start: loop.now, isSimulated: surroundings.isSimulated, settings: settingsText)
        do throws(SystemError) {
            recorder = try Recorder(
                path: path, limits: TraceLimits(size: Int(size), age: settings.trace.age),
                header: header)
        } catch {
            // Optional for the gate.
            journal.write(JournalEntry(.traceNotKept("\(error)")))
        }
    }

    private var settingsText: String { String(decoding: file.text, as: UTF8.self) }
}

// The bus.
extension Daemon {
    private var settings: Settings { file.settings }

    /// Joins the bus without waiting. Before the lines, for the same reason.
    private func openBus() throws(SystemError) {
        guard let bus = surroundings.bus else { return }
        link = try BusLink(of: self, on: bus)
    }
}

// The retained state.
extension Daemon {
    /// Small files until the next boot; nil for none.
    private var runtimeFolder: RuntimeFolder? {
        folders?.runtime.map { RuntimeFolder(path: $0) }
    }

    /// The settings in force when a service last ran, since the boot.
    private var keptSettings: Settings? {
        runtimeFolder.flatMap { try? Settings.load(path: $0.file(Kept.settings)) }
    }

    /// Writes down the settings in force, for a later `--safe-state`.
    private func keepSettings() { keep(file.text, as: Kept.settings) }

    private func keep(_ recurrence: Recurrence, as name: String) {
        keep(Array(recurrence.text.utf8), as: name)
    }

    private func keep(_ bytes: [UInt8], as name: String) {
        do throws(RetentionError) {
            try runtimeFolder?.write(bytes, to: name)
        } catch {
            journal.write(JournalEntry(.stateNotKept("\(error)")))
        }
    }

    /// Before the lines are requested.
    private func openRetention() throws(SystemError) {
        // A trial's time differs from the retained one.
        guard let folders, !folders.isTrial else { return }
        if let problem = folders.problem { journal.write(JournalEntry(.stateNotKept(problem))) }
        retention = try Retention(
            runtimeFolder: folders.runtime, stateFolder: folders.state, bootID: bootID())
    }

    /// The previous process's state. With an open emergency loop it does not wait for the disk.
    private func recover(on bank: any LineBank) -> Recovery {
        guard let retention else { return surroundings.stateAtFirst }
        let isLoopClosed = (try? bank.isActive(.fire)) == false
        let (recovery, problem) = retention.recover(
            within: isLoopClosed ? Retention.timeout : .zero)
        if let problem { journal.write(JournalEntry(.stateUnreadable("\(problem)"))) }
        let isFirst = problem == nil && recovery == .unknown
        return isFirst ? surroundings.stateAtFirst : recovery.heard(on: bank)
    }
}

// The lines.
extension Daemon {
    /// Requests the lines, at once or, if the service keeps ending, after a pause.
    private func begin() {
        let state = retention?.stateOfThisBoot
        let hadLines = state != nil && keptSettings?.wiring == settings.wiring
        keepSettings()
        let retry = LineRetry(start: loop.now, hadLines: hadLines)
        guard let folder = runtimeFolder else { return open(retry) }
        let pause = StartPause(after: folder.recurrence(Kept.starts), at: loop.now)
        keep(pause.starts, as: Kept.starts)
        let duration = pause.duration(state)
        guard duration > .zero else { return open(retry) }
        journal.write(JournalEntry(.startDelayed(by: duration, starts: pause.starts.count)))
        open(retry, after: duration)
    }

    private func open(_ retry: LineRetry, after retryInterval: Duration) {
        loop.onDeadline { [unowned self] in open(retry) }
        loop.deadline = loop.now + retryInterval
    }

    /// Requests the lines, and retries for as long as that may help.
    private func open(_ retry: LineRetry) {
        do throws(HardwareError) {
            start(on: try surroundings.openLines(settings))
        } catch {
            var retry = retry
            switch retry.answer(to: error.kind, at: loop.now) {
            case .giveUp(let exitCode):
                journal.write(JournalEntry(.hardwareFailed(error.description)))
                stop(exitCode)
            case .tryAgain(let retryInterval):
                if error != lineError {
                    journal.write(JournalEntry(.hardwareNotReady("\(error)")))
                }
                lineError = error
                open(retry, after: retryInterval)
            }
        }
    }

    private func start(on bank: any LineBank) {
        self.bank = bank
        log(bank.capabilities)
        let turnstile = Turnstile(
            policy: settings.policy, equipment: settings.wiring.equipment,
            debounce: settings.wiring.debounce, bankDebounces: bank.capabilities.debounces,
            maximumOnTimes: settings.wiring.maximumOnTimes,
            emergencyDuties: settings.wiring.emergencyDuties,
            ledger: ledger == nil ? .none : .awaited, recovery: recover(on: bank))
        let controller = Controller(
            turnstile: turnstile, bank: bank, outputs: settings.wiring.outputs, loop: loop,
            journal: journal, service: service, store: ledger,
            registers: ledger == nil ? Registers() : nil, stateStore: retention, recorder: recorder,
            watchdog: WatchdogPolicy(withheld: runtimeFolder?.recurrence(Kept.watchdog)),
            wallClock: surroundings.clock,
            registerSnapshot: settings.registerSnapshot,
            traces: traces)
        controller.onLoss = { [unowned self] _ in loop.stop(EX_IOERR) }
        controller.onWithhold = { [unowned self] policy in
            if let withheld = policy.withheld { keep(withheld, as: Kept.watchdog) }
        }
        do {
            try surroundings.observe(controller) { [unowned self] in stop(EX_OK) }
            link?.attach(controller)
            try controller.start()
            self.controller = controller
            link?.started(controller)
            keepInputs()
        } catch {
            journal.write(JournalEntry(.hardwareFailed("\(error)")))
            loop.stop(error is HardwareError ? EX_UNAVAILABLE : EX_SOFTWARE)
        }
    }

    /// Has systemd keep the inputs' descriptors, so that no edge is lost during a restart. Outputs
    /// are not kept: without a service they must be safe.
    private func keepInputs() {
        for (name, descriptor) in bank?.toKeep ?? [] { service.notify(.keep(descriptor, as: name)) }
    }

    private func log(_ capabilities: Capabilities) {
        journal.write(JournalEntry(.hardwareReady(capabilities.name)))
        if !capabilities.detectsLostEdges {
            journal.write(JournalEntry(.lostEdgesGoUnseen(capabilities.name)))
        }
        if !capabilities.debounces {
            journal.write(JournalEntry(.debouncedByCore(capabilities.name)))
        }
    }
}

// The settings, read again.
extension Daemon {
    /// The result of reading the settings again.
    enum Reload {
        /// The gate's answer to the file's policy, the changes and warnings.
        case taken(Answer.Result, SettingsNews)
        /// The old settings stay in force; a line for each mistake.
        case refused([String])
    }

    /// Reads the file again, and applies what a running service can; nil before there are lines.
    @discardableResult
    func reload() -> Reload? {
        guard let controller else { return nil }
        service.notify(.reloading(at: MonotonicTimer.now))
        defer { service.notify(.ready) }
        switch file.readAgain(over: controller.turnstile.latestPolicy) {
        case .changed(let changes):
            for change in changes { journal.write(JournalEntry(change)) }
            keepSettings()
            recorder?.adopt(settings: settingsText)
            warn()
            let result = controller.change(
                policy: settings.policy, registerSnapshot: settings.registerSnapshot)
            return .taken(
                result, SettingsNews(changes: changes.map(\.description), warnings: warnings))
        case .refused(let mistakes):
            journal.write(JournalEntry(.configurationRefused(mistakes)))
            return .refused(mistakes)
        }
    }

    private var warnings: [String] { settings.warnings.map { $0.line(in: file.path) } }

    private func warn() {
        for warning in warnings { journal.write(JournalEntry(.configurationWarning(warning))) }
    }
}

extension Recovery {
    /// Marks edges of interrupted coins as missing unless `bank` kept their lines.
    fileprivate func heard(on bank: any LineBank) -> Recovery {
        guard case .known(var state) = self else { return self }
        for acceptor in Acceptor.allCases where !bank.wasKept(acceptor.line) {
            state.loseEdges(of: acceptor)
        }
        return .known(state)
    }
}

extension JournalEntry {
    fileprivate init(_ change: SettingsChange) {
        self.init(.configurationChanged(key: change.key, old: change.old, new: change.new))
    }
}

extension RecordLimits {
    init(_ limits: LedgerLimits) {
        self.init()
        (count, age, room) = (limits.records, limits.age, limits.room)
    }
}
