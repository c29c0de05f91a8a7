import Controller
import Hardware
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
    private var records: [Record] = []
    /// Each change of a line since the start, with its time.
    private(set) var changes: [(time: Instant, line: Line, isActive: Bool)] = []
    /// Each record since the start, with the time of what led to it.
    private(set) var history: [(time: Instant, record: Record)] = []

    init(_ settings: Settings, seed: UInt64 = 1) throws {
        let loop = VirtualEventLoop()
        self.loop = loop
        let physics = Physics(wiring: settings.wiring, policy: settings.policy)
        bank = try SimulatedBank(
            World(physics, seed: seed, now: loop.now), wiring: settings.wiring)
        let turnstile = Turnstile(
            policy: settings.policy, equipment: settings.wiring.equipment,
            debounce: settings.wiring.debounce, maximumOnTimes: settings.wiring.maximumOnTimes,
            ledger: .none, recovery: .known(RetainedState()))
        controller = Controller(
            turnstile: turnstile, bank: bank, outputs: settings.wiring.outputs, loop: loop,
            journal: RecordingJournal(), service: RecordingServiceManager(),
            wallClock: VirtualWallClock(loop))
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
        settle()
    }

    func ask(for request: Request) -> Answer.Result {
        defer { settle() }
        return controller.ask(for: request, by: .person(.blank)).result
    }

    func report() -> StatusReport { controller.report() }

    func takeRecords() -> [Record] {
        defer { records = [] }
        return records
    }

    func wait(until end: Instant) {
        var moment = end
        if let due = loop.nextMoment { moment = min(moment, due) }
        bank.pass(until: moment)
        // Nothing happened before, so the loop can as well have slept until then.
        loop.holdUp(until: bank.now)
        show()
        loop.dispatchAll()
        settle()
    }

    /// Lets the loop take what the lines report now, and what comes of it.
    private func settle() {
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
