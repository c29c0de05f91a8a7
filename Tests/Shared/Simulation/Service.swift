import Controller
import Hardware
import Journal
import Keeping
import SimulatedHardware
import StateMachines
import System
import TestSupport
import Turnstile

/// The service and the gate that it runs, under one virtual clock: the real core and the real
/// shell, and a service manager that starts them again when they end or hang.
final class Service {
    /// How long a service manager waits before it starts a service again.
    private static let restartDelay: Duration = .milliseconds(100)

    let installation: Installation
    let journal: SimulationJournal
    /// What the ledger is on; nil for a gate without one.
    let disk: LedgerDisk?
    /// Where the state is kept that outlives a process; nil where none ends.
    let states: StateDisk?
    /// Told of every event that the machine has handled, and of every fresh machine before.
    var onStart: () -> Void = {}
    var onEvent: ((Event, [Command], [Record]) -> Void)?
    /// Told of what the recorded steps tell otherwise than it was; nil where none are recorded.
    var onMisrecorded: ((String) -> Void)?
    /// Takes the steps of every process, where nobody is told of what they tell otherwise.
    var recorder: (any StepRecorder)?
    /// Told when the service does not come to rest.
    var onStuck: () -> Void = {}
    /// Told whenever the watchdog is fed.
    var onAlive: () -> Void = {}

    /// The running process, or nil between two.
    private(set) var process: Process?
    /// The running process's controller, from before its start on.
    fileprivate(set) var controller: Controller?
    /// The policy that a fresh process reads.
    private(set) var policy: Policy
    /// The gate while no process runs.
    private var orphan: World
    private var startsAt: Instant?
    /// Until when the loop was last held up.
    private(set) var heldUpUntil = Instant.zero

    let wallClock = GateClock()

    init(
        _ installation: Installation, seed: UInt64, disk: LedgerDisk?, states: StateDisk?,
        journal: SimulationJournal
    ) {
        self.installation = installation
        self.journal = journal
        policy = installation.policy
        self.disk = disk
        self.states = states
        orphan = World(installation.physics, seed: seed, now: Instant(nanoseconds: 1_000_000_000))
        startsAt = orphan.now
        states?.now = { [unowned self] in now }
    }

    var world: World { process?.bank.world ?? orphan }
    var now: Instant { process?.now ?? orphan.now }
    /// Where the ledger of a process is that starts now.
    var ledger: LedgerConnection { disk?.connection ?? .none }
    /// What is known to a process that starts now.
    var recovery: Recovery { states?.recovery ?? .known(RetainedState()) }

    /// Lets time pass until `end`, or until something happens by itself: in the service, in its
    /// manager, or at the gate. What happens there and no line reports counts only when going on
    /// step by step, for whoever looks at everything.
    func advance(until end: Instant, stepByStep: Bool) {
        guard let process else {
            let next = Instant.earliest(startsAt, orphan.deadline).map { min($0, end) } ?? end
            orphan.handle(.timePassed(until: next), into: &ignoredReports)
            ignoredReports.removeAll()
            if let due = startsAt, due <= next { start() }
            return
        }
        process.advance(until: end, stepByStep: stepByStep)
        if process.starvesAt <= now { self.end(orderly: false, down: Self.restartDelay) }
    }

    /// Lets something be done, now.
    func perform(_ deed: Deed) {
        switch deed {
        case .world(let event): perform(event)
        case .stop(let down):
            sitOut()
            process?.stop()
            let latest = now + Controller.longestWaitForCoins
            while let process, !process.hasStopped, now < latest {
                advance(until: latest, stepByStep: true)
            }
            end(orderly: true, down: down)
        case .kill(let down): end(orderly: false, down: down)
        case .cutPower(let down):
            states?.losePower()
            end(orderly: false, down: down)
        case .holdUp(let duration):
            guard let process else { return }
            heldUpUntil = max(heldUpUntil, now + duration)
            process.holdUp(until: heldUpUntil)
        case .ask(let request, let requester):
            sitOut()
            _ = process?.controller.ask(for: request, by: requester)
            process?.pollLines()
        case .reload(let policy):
            sitOut()
            self.policy = policy
            process?.controller.change(policy: policy, registerSnapshot: .seconds(4 * 3_600))
            process?.pollLines()
        case .setClock(let duration): wallClock.step += duration
        }
    }

    /// A signal is heard of when the loop turns again.
    private func sitOut() {
        while let process, process.isHeldUp { advance(until: heldUpUntil, stepByStep: false) }
    }

    private func perform(_ event: World.Event) {
        if let process {
            process.bank.perform(event)
            if !process.isHeldUp { process.pollLines() }
        } else {
            orphan.handle(event, into: &ignoredReports)
        }
    }

    private var ignoredReports: [LineEvent] = []

    private func start() {
        startsAt = nil
        disk?.prepare()
        do {
            onStart()
            let process = try Process(self, orphan, policy)
            self.process = process
            process.pollLines()
        } catch {
            // A line that cannot be read ends the start; the manager tries again.
            startsAt = orphan.now + Self.restartDelay
        }
    }

    /// The process ends; a killed one leaves its lines to the kernel and to the unit's last word.
    private func end(orderly: Bool, down: Duration) {
        guard let process else { return }
        if orderly, !process.hasStopped { process.controller.stop() }
        disk?.close(orderly: orderly)
        // What cannot be driven safe stays as it is: the world says so.
        try? process.bank.close()
        orphan = process.bank.world
        self.process = nil
        controller = nil
        heldUpUntil = min(heldUpUntil, now)
        startsAt = orphan.now + down
    }
}

/// One life of the service, from its start to its end.
final class Process {
    let bank: SimulatedBank
    let loop: VirtualEventLoop
    let controller: Controller
    private let manager: Manager
    private let descriptors: [CInt]
    private var heldUntil: Instant?
    /// Whether it has come to an orderly end.
    private(set) var hasStopped = false

    init(_ service: Service, _ world: World, _ policy: Policy) throws {
        let wiring = service.installation.wiring
        bank = try SimulatedBank(world, wiring: wiring)
        descriptors = bank.descriptors
        loop = VirtualEventLoop(now: world.now)
        service.wallClock.loop = loop
        loop.onStuck = { [loop] in
            service.onStuck()
            loop.stop(1)
        }
        manager = Manager(loop, service.onAlive)
        let turnstile = Turnstile(
            policy: policy, equipment: wiring.equipment, debounce: wiring.debounce,
            maximumOnTimes: wiring.maximumOnTimes,
            ledger: service.ledger, recovery: service.recovery)
        let ledger = service.disk?.open(loop)
        let registers = ledger.map { $0.isOpen ? $0.registers : nil } ?? Registers()
        let replaying = service.onMisrecorded.map {
            ReplayingRecorder(keeps: false, onComplaint: $0)
        }
        controller = Controller(
            turnstile: turnstile, bank: bank, outputs: wiring.outputs, loop: loop,
            journal: service.journal, service: manager, store: ledger, registers: registers,
            stateStore: service.states, recorder: replaying ?? service.recorder,
            wallClock: service.wallClock)
        replaying?.controller = controller
        service.controller = controller
        if let onEvent = service.onEvent {
            controller.onEvent = { event, _, driven, records in onEvent(event, driven, records) }
        }
        try controller.start()
    }

    /// When the manager takes the process for hung, if it gives no sign of life.
    var starvesAt: Instant { manager.starvesAt }
    /// The gate's time: the loop's own stands still while it is held up.
    var now: Instant { isHeldUp ? bank.now : loop.now }
    /// Whether the loop is held up, and hears of nothing that happens.
    var isHeldUp: Bool { heldUntil != nil }

    func advance(until end: Instant, stepByStep: Bool) {
        if let heldUntil { return standStill(until: end, heldUntil) }
        var moment = min(end, manager.starvesAt)
        if let due = loop.nextMoment { moment = min(moment, due) }
        if stepByStep, let next = bank.nextWakeUp { moment = min(moment, next) }
        bank.pass(until: moment)
        // Nothing happened before, so the loop can as well have slept until then.
        loop.holdUp(until: bank.now)
        show()
        loop.dispatchAll()
        pollLines()
    }

    /// Has it end as soon as no coin is being counted.
    func stop() { controller.stop { [unowned self] in hasStopped = true } }

    /// Holds the loop up: it hears of what happens meanwhile when it turns again.
    func holdUp(until moment: Instant) { heldUntil = moment }

    // Apart from the code round it, which every moment of a day goes through.
    @inline(never) private func standStill(until end: Instant, _ heldUntil: Instant) {
        let moment = min(end, min(heldUntil, starvesAt))
        bank.advance(to: moment)
        guard heldUntil <= moment, moment < starvesAt else { return }
        self.heldUntil = nil
        loop.holdUp(until: moment)
        show()
        loop.dispatchAll()
        pollLines()
    }

    /// Lets the loop take what the lines report at this moment, and what comes of it.
    func pollLines() {
        while let next = bank.nextWakeUp, next <= loop.now {
            bank.advance(to: next)
            show()
            loop.dispatchAll()
        }
    }

    /// Makes the bank's descriptor readable where events wait.
    private func show() {
        if let next = bank.nextWakeUp, next <= loop.now { loop.makeReadable(descriptors) }
    }
}

/// A service manager that knows until when it waits for a sign of life.
private final class Manager: ServiceManager {
    let watchdogInterval: Duration? = Installation.watchdogInterval
    private(set) var starvesAt: Instant
    private let loop: VirtualEventLoop
    private let onAlive: () -> Void

    init(_ loop: VirtualEventLoop, _ onAlive: @escaping () -> Void) {
        self.loop = loop
        self.onAlive = onAlive
        starvesAt = Self.patience(from: loop.now)
    }

    private static func patience(from now: Instant) -> Instant {
        now + Installation.watchdogInterval + .nanoseconds(1)
    }

    func notify(_ notification: ServiceNotification) {
        guard notification == .alive else { return }
        starvesAt = Self.patience(from: loop.now)
        onAlive()
    }
}

/// A clock on the wall, which goes on whether a service runs or not.
final class GateClock: WallClock {
    /// The monotonic clock of the process that asks.
    var loop: VirtualEventLoop?
    /// By how much it was set so far.
    var step: Duration = .zero

    /// What it shows: Monday, 2024-01-01, 0:00 UTC, when the simulation begins.
    var now: WallTime {
        let passed = loop.map { Duration.nanoseconds($0.now.nanoseconds) } ?? .zero
        return WallTime(utc: .seconds(1_704_067_200) + passed + step, utcOffset: 0)
    }

    func utcOffset(at utc: Duration) -> Int { 0 }
}

/// A journal of which only a digest is kept, so that two runs can be compared byte for byte; or
/// nothing, where nobody reads it.
final class SimulationJournal: Journal {
    /// FNV-1a over all that was written.
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    /// Told of every entry.
    var onEntry: ((JournalEntry) -> Void)?
    private let isRead: Bool

    init(isRead: Bool) { self.isRead = isRead }

    func write(_ entry: @autoclosure () -> JournalEntry) {
        guard isRead else { return }
        let entry = entry()
        add(entry.messageID)
        add(entry.message)
        for field in entry.fields {
            add(field.name.journalName)
            add(field.value)
        }
        onEntry?(entry)
    }

    private func add(_ text: String) {
        for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        digest = (digest ^ 0xFF) &* 0x100_0000_01B3
    }
}
