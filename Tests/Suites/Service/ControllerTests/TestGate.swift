import Controller
import Hardware
import Journal
import Keeping
import StateMachines
import TestSupport
import Turnstile

/// The real core and the real shell on lines that do what the test says.
final class TestGate {
    let loop = VirtualEventLoop()
    let journal = RecordingJournal()
    let service: RecordingServiceManager
    let wallClock: VirtualWallClock
    let bank = TestBank()
    let stateStore = VirtualStateStore()
    let controller: Controller
    /// Why the shell could not go on.
    private(set) var loss: HardwareError?
    /// The events that the machine heard of, but for the time that passed.
    var heard: [Event.Kind] { heardAt.map(\.kind) }
    /// The same with their times.
    private(set) var heardAt: [Event] = []

    /// A gate that lets people in by contact.
    ///
    /// - Parameters:
    ///   - outputs: the outputs that are wired, and how; a fail-secure lock if nothing is said.
    ///   - inputs: the inputs that are wired besides the least that there must be.
    ///   - books: what was counted before.
    ///   - recovery: what is known of the gate before this one.
    ///   - recorder: who replays all that is decided; nil for nobody.
    ///   - edit: what is different about the policy.
    ///   - ledger: whether the ledger is there at the start, and open.
    ///   - makeStore: the ledger, where there is one.
    ///   - prepare: what is different about the lines at the start.
    ///   - onKeep: told of every state that is kept, with the lines at that moment.
    init(
        outputs: [Output: OutputLine] = [.lockEntry: .wired(powerLoss: .failSecure)],
        inputs: Set<Input> = [], registers: Registers = Registers(),
        registerSnapshot: Duration = .seconds(4 * 3_600),
        watchdogInterval: Duration? = .seconds(2), recovery: Recovery = .known(RetainedState()),
        recorder: ReplayingRecorder? = .forStories(),
        edit: (inout Policy) -> Void = { _ in }, ledger: LedgerConnection = .none,
        store makeStore: ((VirtualEventLoop) -> any RecordStore)? = nil,
        prepare: (TestBank) -> Void = { _ in },
        keeping onKeep: ((TestBank, RetainedState) -> Void)? = nil
    ) throws {
        var policy = Policy(price: 250, coinUnit: 50)
        edit(&policy)
        let least: Set<Input> = [
            .rotorA, .rotorB, .fire, .releaseEntry, .emergencyResetKey, .serviceKey,
        ]
        let equipment = Equipment(inputs: least.union(inputs), outputs: outputs.keys)
        wallClock = VirtualWallClock(loop)
        service = RecordingServiceManager(watchdogInterval: watchdogInterval)
        controller = Controller(
            turnstile: Turnstile(
                policy: policy, equipment: equipment,
                maximumOnTimes: Wiring(chip: .name("test"), inputs: [:], outputs: outputs)
                    .maximumOnTimes, ledger: ledger, recovery: recovery),
            bank: bank, outputs: outputs, loop: loop, journal: journal, service: service,
            store: makeStore?(loop), registers: ledger == .awaited ? nil : registers,
            stateStore: stateStore, recorder: recorder, wallClock: wallClock,
            registerSnapshot: registerSnapshot)
        recorder?.controller = controller
        controller.onLoss = { [unowned self] in loss = $0 }
        prepare(bank)
        if let onKeep { stateStore.onKeep = { [bank] in onKeep(bank, $0) } }
        controller.onEvent = { [unowned self] event, _, _, _ in
            if event.kind != .timePassed { heardAt.append(event) }
        }
        try controller.start()
    }

    var status: Status { controller.turnstile.status }

    /// What the journal said since it was last asked, as the names of its events.
    func events() -> [String] { journal.take().compactMap { $0[.event] } }

    /// Hands over what was heard and forgets it.
    func takeHeard() -> [Event.Kind] {
        defer { heardAt = [] }
        return heard
    }

    /// Has an input line change now. The shell is so `late` to hear of it.
    func change(_ input: Input, isActive: Bool, late: Duration = .zero) {
        if isActive { bank.active.insert(input) } else { bank.active.remove(input) }
        bank.arrivals.append(.edge(input, isActive: isActive, at: loop.now))
        loop.holdUp(until: loop.now + late)
        loop.makeReadable(7)
        loop.dispatchAll()
    }

    /// Closes a contact for a moment.
    func press(_ input: Input) {
        change(input, isActive: true)
        loop.advance(by: .milliseconds(200))
        change(input, isActive: false)
    }
}

extension OutputLine {
    /// A line for which only this matters.
    static func wired(maximumOnTime: Duration? = nil, powerLoss: PowerLoss? = nil) -> OutputLine {
        OutputLine(line: .offset(0), maximumOnTime: maximumOnTime, powerLoss: powerLoss)
    }
}

extension Requester {
    /// An operator, who asks from afar.
    static let anna: Requester = {
        guard let anna = Operator(number: 1000, name: "anna") else {
            preconditionFailure("it is a name")
        }
        return .person(anna)
    }()
}
