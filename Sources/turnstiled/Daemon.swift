import Controller
import GPIOHardware
import Glibc
import Hardware
import Ledger
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

    private var settings: Settings
    private let path: String
    private let isSimulated: Bool
    private let traces: Bool
    private let loop: any EventLoop
    private let journal: any Journal
    private let service: any ServiceManager
    private var bank: (any LineBank)?
    private var ledger: Ledger?
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
        warn()
        try openLedger()
        open(until: loop.now + Self.patience)
        let exitCode = try loop.run()
        // What could not be driven safe was said when it was tried.
        try? bank?.close()
        ledger?.close()
        window?.close(exitCode)
        return exitCode
    }

    private func stop(_ exitCode: CInt) {
        controller?.stop()
        loop.stop(exitCode)
    }
}

// The ledger.
extension Daemon {
    /// Has the ledger opened, where there is to be one, before the lines are requested, of which
    /// its thread must hold none. Nothing waits for it. A gate that is simulated takes no money.
    private func openLedger() throws(SystemError) {
        guard let path = settings.ledger, !isSimulated else { return }
        ledger = try Ledger(path: path, gate: settings.gate, bootID: bootID())
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
            ledger: ledger == nil ? .none : .awaited)
        let controller = Controller(
            turnstile: turnstile, bank: bank, outputs: settings.wiring.outputs, loop: loop,
            journal: journal, service: service, store: ledger,
            books: ledger == nil ? Books() : nil,
            wallClock: SystemWallClock(), registerSnapshot: settings.registerSnapshot,
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
                tell(of: fresh.changes(from: settings))
                settings = fresh
                warn()
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

    private func tell(of changes: [SettingsChange]) {
        for change in changes {
            journal.write(
                JournalEntry(
                    .configurationChanged(key: change.key, old: change.old, new: change.new)))
        }
    }

    /// Tells of what the settings say that is rarely meant.
    private func warn() {
        for warning in settings.warnings {
            journal.write(JournalEntry(.configurationWarning(warning.line(in: path))))
        }
    }

    private func refuse(_ mistakes: [String]) {
        journal.write(JournalEntry(.configurationRefused(mistakes)))
    }
}
