import Controller
import Hardware
import Journal
import SimulatedHardware
import StateMachines
import System
import TestSupport
import Turnstile

/// The real core and the real shell on a simulated gate, all on one virtual clock.
final class SimulatedGate {
    let loop = VirtualEventLoop()
    let journal = RecordingJournal()
    let service: RecordingServiceManager
    let bank: SimulatedBank
    let store: VirtualRecordStore?
    /// Replays all that is decided.
    let recorder = ReplayingRecorder.forStories()
    let controller: Controller
    private(set) var loss: HardwareError?
    /// When the way in was released, each time.
    private(set) var releases: [Instant] = []
    /// What the machine wanted recorded.
    private(set) var recorded: [Record] = []

    /// A gate with a fail-secure lock, at which a passage costs 250 and a pulse is worth 50.
    ///
    /// - Parameters:
    ///   - equipment: what is wired.
    ///   - lockMaximumOnTime: nil for a lock that may be energised for ever.
    ///   - bounces: whether contacts and sensors bounce.
    ///   - makeStore: the gate's ledger; nil for a gate without one.
    ///   - edit: what is different about the policy.
    init(
        equipment: Equipment = .oneWay, lock: PowerLoss = .failSecure,
        lockMaximumOnTime: Duration? = nil, seed: UInt64 = 1,
        watchdogInterval: Duration? = .seconds(2), bounces: Bool = true, traces: Bool = false,
        edit: (inout Policy) -> Void = { _ in },
        store makeStore: ((VirtualEventLoop) -> VirtualRecordStore)? = nil
    ) throws {
        var policy = Policy(price: 250, coinUnit: 50)
        edit(&policy)
        let debounce: [Input: Duration] = [
            .rotorA: .milliseconds(5), .rotorB: .milliseconds(5), .fire: .milliseconds(20),
            .releaseEntry: .milliseconds(100), .emergencyResetKey: .milliseconds(100),
            .serviceKey: .milliseconds(100), .externalFault: .milliseconds(100),
        ]
        var wiring = Wiring(chip: .label("simulation"), inputs: [:], outputs: [:])
        for input in Input.allCases where equipment.inputs[input] {
            wiring.inputs[input] = InputLine(
                line: .name(input.name), debounce: debounce[input] ?? .zero)
        }
        for output in Output.allCases where equipment.outputs[output] {
            wiring.outputs[output] = OutputLine(line: .name(output.name), maximumOnTime: nil)
        }
        wiring.outputs[.lockEntry]?.powerLoss = lock
        wiring.outputs[.lockEntry]?.maximumOnTime = lockMaximumOnTime
        var physics = Physics(wiring: wiring, policy: policy)
        if !bounces { physics.bounce = .zero }
        let world = World(physics, seed: seed, now: loop.now)
        bank = try SimulatedBank(world, wiring: wiring)
        service = RecordingServiceManager(watchdogInterval: watchdogInterval)
        store = makeStore?(loop)
        controller = Controller(
            turnstile: Turnstile(
                policy: policy, equipment: equipment, debounce: debounce,
                maximumOnTimes: wiring.maximumOnTimes,
                ledger: store.map { $0.isOpen ? .open($0.balances) : .awaited } ?? .none),
            bank: bank, outputs: wiring.outputs, loop: loop, journal: journal, service: service,
            store: store, registers: store.map { $0.isOpen ? $0.registers : nil } ?? Registers(),
            recorder: recorder, wallClock: VirtualWallClock(loop), traces: traces)
        recorder.controller = controller
        controller.onLoss = { [unowned self] in loss = $0 }
        controller.onEvent = { [unowned self] _, _, commands, records in
            commands.forEach { if $0 == .set(.lockEntry, isOn: true) { releases.append(loop.now) } }
            recorded += records
        }
        try controller.start()
    }

    var world: World { bank.world }
    var status: Status { controller.turnstile.status }

    /// What the journal said since it was last asked, as the names of its events.
    func events() -> [String] { journal.take().compactMap { $0[.event] } }

    /// Lets something happen in the world, now.
    func perform(_ event: World.Event) {
        bank.perform(event)
        wakeUp()
    }

    /// Lets time pass: whatever the world or the shell has to do on the way happens at its time.
    func wait(_ duration: Duration) {
        let end = loop.now + duration
        wakeUp()
        while let next = Instant.earliest(bank.nextWakeUp, loop.nextMoment), next <= end {
            bank.advance(to: next)
            loop.after(next - loop.now) { [unowned self] in
                if bank.nextWakeUp == loop.now { loop.makeReadable(-1) }
            }
            loop.advance(by: next - loop.now)
            wakeUp()
        }
        bank.advance(to: end)
        loop.advance(by: end - loop.now)
    }

    /// Keeps the loop from running for so long, whatever happens meanwhile.
    func holdUp(_ duration: Duration) {
        let end = loop.now + duration
        bank.advance(to: end)
        loop.holdUp(until: end)
        wakeUp()
        loop.dispatchAll()
    }

    private func wakeUp() {
        while let next = bank.nextWakeUp, next <= loop.now {
            bank.advance(to: next)
            loop.makeReadable(-1)
            loop.dispatchAll()
        }
    }

    func insertCoin(_ value: Int) {
        perform(.coinInserted(value: value))
        wait(.seconds(2))
    }

    func walkIn() {
        perform(.armPushed(.entry))
        wait(.seconds(2))
    }
}
