import Controller
import GPIOHardware
import Glibc
import Hardware
import Ledger
import Retention
import Settings
import SimulatedHardware
import StateMachines
import System
import Turnstile

/// The parts of the service, wired to one another.
final class Daemon {
    /// How long hardware that is not there yet is waited for, and how often it is tried: udev may
    /// be late, but an installer wants to hear of a wrong label.
    private static let patience: Duration = .seconds(10)
    private static let retryInterval: Duration = .milliseconds(250)
    /// How long the disk may take at the end: the unit waits for two seconds in all.
    private static let patienceAtEnd: Duration = .seconds(1)

    private var settings: Settings
    private let path: String
    private let isSimulated: Bool
    private let traces: Bool
    private let loop: any EventLoop
    private let journal: any Journal
    private let service: any ServiceManager
    private var bank: (any LineBank)?
    private var ledger: Ledger?
    private var retention: Retention?
    private var controller: Controller?
    /// Why the lines could not be had when they were last asked for.
    private var hindrance: HardwareError?
    private var window: Window?

    /// A daemon that has not touched any line.
    init(
        _ settings: Settings, path: String, isSimulated: Bool, traces: Bool
    ) throws {
        self.settings = settings
        self.path = path
        self.isSimulated = isSimulated
        self.traces = traces
        loop = try SystemdEventLoop()
        service = try SystemdServiceManager()
        let window = isSimulated && Window.isPossible ? try Window(settings) : nil
        self.window = window
        journal = if let window { window } else { try standardJournal() }
    }

    /// Runs until somebody stops it; returns the exit code.
    func run() throws(SystemError) -> CInt {
        for signal in [Signal.terminate, .interrupt] {
            try loop.onSignal(signal) { [unowned self] in stop(EX_OK) }
        }
        try loop.onSignal(.hangUp) { [unowned self] in reload() }
        try openRetention()
        if openLedger() { open(until: loop.now + Self.patience) }
        let exitCode = try loop.run()
        // What could not be driven safe was said when it was tried.
        try? bank?.close()
        closeFiles()
        window?.close(exitCode)
        return exitCode
    }

    /// Gives the files back. A disk that hangs is waited for as long as the unit can spare.
    private func closeFiles() {
        let end = loop.now + Self.patienceAtEnd
        ledger?.close(within: end - loop.now)
        retention?.close(within: max(.zero, end - loop.now))
    }

    private func stop(_ exitCode: CInt) {
        controller?.stop()
        loop.stop(exitCode)
    }
}

// The ledger.
extension Daemon {
    /// Opens the ledger where there is to be one; returns whether the service can go on. A gate
    /// that is simulated takes no money.
    private func openLedger() -> Bool {
        guard let path = settings.ledger, !isSimulated else { return true }
        do throws(LedgerError) {
            ledger = try Ledger(path: path, bootID: bootID())
            return true
        } catch {
            journal.write(JournalEntry(.storeFailed(error.description)))
            loop.stop(error.remedy == .person ? EX_CONFIG : EX_IOERR)
            return false
        }
    }
}

// What is retained.
extension Daemon {
    /// Opens what the state is kept in, before the lines are requested. Nothing outlives a gate
    /// that is simulated.
    private func openRetention() throws(SystemError) {
        guard !isSimulated else { return }
        let folders = Folders()
        if let problem = folders.problem { journal.write(JournalEntry(.stateNotKept(problem))) }
        retention = try Retention(
            runtimeFolder: folders.runtime, stateFolder: folders.state, bootID: bootID())
    }

    /// What is known of the gate before this one. Where the loop is open nothing is waited for.
    private func recover(on bank: any LineBank) -> Recovery {
        guard let retention else { return .known(RetainedState()) }
        let isLoopClosed = (try? bank.isActive(.fire)) == false
        let (recovery, problem) = retention.recover(
            within: isLoopClosed ? Retention.patience : .zero)
        if let problem { journal.write(JournalEntry(.stateUnreadable("\(problem)"))) }
        return recovery
    }
}

// The lines.
extension Daemon {
    /// Takes the lines, or tries again until `end`.
    private func open(until end: Instant) {
        do throws(HardwareError) {
            let bank = try makeBank()
            start(on: bank)
        } catch {
            guard error.kind == .notReady, loop.now < end else { return give(up: error) }
            if error != hindrance { journal.write(JournalEntry(.hardwareNotReady("\(error)"))) }
            hindrance = error
            loop.onDeadline { [unowned self] in open(until: end) }
            loop.deadline = loop.now + Self.retryInterval
        }
    }

    private func give(up error: HardwareError) {
        journal.write(JournalEntry(.hardwareFailed(error.description)))
        stop(EX_UNAVAILABLE)
    }

    private func makeBank() throws(HardwareError) -> any LineBank {
        guard isSimulated else { return try GPIOBank(settings.wiring) }
        let physics = Physics(wiring: settings.wiring, policy: settings.policy)
        let world = World(physics, seed: UInt64(loop.now.nanoseconds), now: loop.now)
        return try SimulatedBank(world, wiring: settings.wiring, pace: .realTime)
    }

    private func start(on bank: any LineBank) {
        self.bank = bank
        tell(of: bank.capabilities)
        let turnstile = Turnstile(
            policy: settings.policy, equipment: settings.wiring.equipment,
            debounce: bank.capabilities.debounces ? [:] : settings.wiring.debounce,
            ledger: ledger.map { .open($0.holdings) } ?? .none, recovery: recover(on: bank))
        let controller = Controller(
            turnstile: turnstile, bank: bank, outputs: settings.wiring.outputs, loop: loop,
            journal: journal, service: service, store: ledger, books: ledger?.books ?? Books(),
            stateStore: retention, wallClock: SystemWallClock(),
            registerSnapshot: settings.registerSnapshot,
            traces: traces)
        controller.onLoss = { [unowned self] _ in loop.stop(EX_IOERR) }
        do {
            if let window, let bank = bank as? SimulatedBank {
                try window.show(controller, bank, loop: loop) { [unowned self] in stop(EX_OK) }
            }
            try controller.start()
            self.controller = controller
        } catch {
            journal.write(JournalEntry(.hardwareFailed("\(error)")))
            loop.stop(error is HardwareError ? EX_UNAVAILABLE : EX_SOFTWARE)
        }
    }

    private func tell(of capabilities: Capabilities) {
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
    private func reload() {
        guard let controller else { return }
        service.notify(.reloading(at: loop.now))
        do throws(SettingsErrors) {
            let fresh = try Settings.load(path: path)
            if fresh.wiring == settings.wiring && fresh.gate == settings.gate
                && fresh.ledger == settings.ledger
            {
                settings = fresh
                controller.change(policy: fresh.policy)
                controller.registerSnapshot = fresh.registerSnapshot
            } else {
                refuse([
                    "\(path): the wiring, the ledger or the gate's name changed: "
                        + "restart the service"
                ])
            }
        } catch {
            refuse("\(error)".split(separator: "\n").map(String.init))
        }
        service.notify(.ready)
    }

    private func refuse(_ mistakes: [String]) {
        journal.write(JournalEntry(.configurationRefused(mistakes)))
    }
}
