import Controller
import Hardware
import Journal
import LiveView
import Scenario
import Settings
import SimulatedHardware
import StateMachines
import System
import TestSupport
import Turnstile

/// A simulated gate and the service that runs it, in virtual time: hours pass at once.
final class VirtualStage: Stage {
    private let bank: SimulatedBank
    private let loop: VirtualEventLoop
    private let controller: Controller
    private let clock: VirtualWallClock
    private let journal = RecordingJournal()
    private var records: [Record] = []
    /// Each change of a line since the start, with its time.
    private(set) var changes: [(time: Instant, line: Line, isActive: Bool)] = []
    /// Each record since the start, with the time of what led to it.
    private(set) var history: [(time: Instant, record: Record)] = []

    /// A gate with these settings, whose clock on the wall shows a time since 1970, UTC.
    init(
        _ settings: Settings, seed: UInt64 = 1, showing utc: Duration = .seconds(1_704_067_200)
    ) throws {
        let loop = VirtualEventLoop()
        self.loop = loop
        clock = VirtualWallClock(loop, showing: WallTime(utc: utc, utcOffset: 0))
        let physics = Physics(wiring: settings.wiring, policy: settings.policy)
        bank = try SimulatedBank(
            World(physics, seed: seed, now: loop.now), wiring: settings.wiring)
        let turnstile = Turnstile(
            policy: settings.policy, equipment: settings.wiring.equipment,
            debounce: settings.wiring.debounce, maximumOnTimes: settings.wiring.maximumOnTimes,
            emergencyDuties: settings.wiring.emergencyDuties,
            ledger: .none, recovery: .known(RetainedState()))
        controller = Controller(
            turnstile: turnstile, bank: bank, outputs: settings.wiring.outputs, loop: loop,
            journal: journal, service: RecordingServiceManager(), wallClock: clock)
        controller.onEvent = { [unowned self] event, _, _, recorded in
            records += recorded
            history += recorded.map { (event.time, $0) }
        }
        controller.onLineEvent = { [unowned self] event in
            guard case .edge(let input, let isActive, let time) = event else { return }
            changes.append((time, .input(input), isActive))
        }
        controller.onDriven = { [unowned self] output, isEnergised in
            changes.append((loop.now, .output(output), isEnergised))
        }
        try controller.start()
        loop.dispatchAll()
        // What the start tells belongs to no scenario.
        records = []
    }

    var now: Instant { loop.now }

    func perform(_ move: WrittenMove) { perform(move.event) }

    func perform(_ event: World.Event) {
        bank.perform(event)
        pollLines()
    }

    func ask(for request: Request) -> Answer.Result {
        defer { pollLines() }
        return controller.ask(for: request, by: .person(.blank)).result
    }

    func report() -> StatusReport { controller.report() }

    func takeRecords() -> [Record] {
        defer { records = [] }
        return records
    }

    /// What the journal was told since the last call, and when, since 1970, UTC.
    func takeEntries() -> [(JournalEntry, Duration)] {
        journal.take().map { ($0, clock.now.utc) }
    }

    /// The gate as the live view shows it.
    func model(_ gate: String, _ simulation: ViewModel.Simulation?) -> ViewModel {
        let registers = controller.registers.sinceInit.totals
        return ViewModel(
            gate: gate, simulation: simulation, report: controller.report(),
            levels: controller.inputs, energised: controller.energised,
            tallies: .init(registers.map { ($0.total.name, $0.value) }),
            clockOffset: clock.now.utc - (loop.now - .zero))
    }

    func wait(until end: Instant) {
        var moment = end
        if let due = loop.nextMoment { moment = min(moment, due) }
        bank.pass(until: moment)
        // Nothing happened before, so the loop can as well have slept until then.
        loop.holdUp(until: bank.now)
        show()
        loop.dispatchAll()
        pollLines()
    }

    /// Lets the loop take what the lines report now, and what comes of it.
    private func pollLines() {
        while let next = bank.nextWakeUp, next <= loop.now {
            bank.advance(to: next)
            show()
            loop.dispatchAll()
        }
    }

    private func show() {
        if let next = bank.nextWakeUp, next <= loop.now { loop.makeReadable(bank.descriptors) }
    }
}
