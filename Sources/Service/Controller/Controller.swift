public import Hardware
public import Journal
public import Keeping
public import StateMachines
public import System
public import Turnstile

/// The imperative shell: hears of the lines, asks the machine, does what the machine says.
///
/// It knows nothing of fares and passages. All that happens goes through one funnel,
/// ``dispatch(_:)``: event, machine, commands. What a command brings about, such as a line that
/// cannot be driven, comes back as an event behind those that wait already.
public final class Controller {
    package var turnstile: Turnstile { machine.value }
    /// What the inputs carried when they were last heard of, before any debouncing.
    public internal(set) var inputs = InputLevels()
    /// What the service manager is told of the service's health.
    public var watchdog: WatchdogPolicy { signsOfLife.policy }
    /// What the ledger last signed of a collection or a count: a note; empty for none, or none yet.
    public internal(set) var collectionCheckpoint = ""
    /// Which branch of the ledger its records are of. Empty where it is not open yet.
    public internal(set) var ledgerBranch = ""
    /// Called with every event, and what the machine made, drove and wants recorded of it.
    public var onEvent: ((Event, Verdict, [Command], [Record]) -> Void)?
    /// Called once the machine has heard of it, and all that this led to was driven.
    public var onLineEvent: ((LineEvent) -> Void)?
    /// Called once the line has taken it, while others may wait for theirs.
    public var onDriven: ((Output, Bool) -> Void)?
    /// Called after every wake-up, for whoever shows the gate.
    public var onChange: (() -> Void)?
    /// Called with the number of a confirmation, once what it was asked about is durable.
    public var onConfirmed: ((UInt64) -> Void)?
    /// Hears the last confirmation that will never come, since something it is about got lost.
    public var onUnconfirmed: ((UInt64) -> Void)?
    /// Called when ``collectionCheckpoint`` or ``ledgerBranch`` is another one.
    public var onCollectionCheckpoint: (() -> Void)?
    /// Called when the lines fail as a whole and the shell cannot go on.
    public var onLoss: (HardwareError) -> Void = { _ in }
    /// Called when the service manager is to end the service, for whoever keeps in mind how often.
    public var onWithhold: (WatchdogPolicy) -> Void = { _ in }

    let machine: Exclusive<Turnstile>
    let bank: any LineBank
    let loop: any EventLoop
    let journal: any Journal
    let service: any ServiceManager
    let store: (any RecordStore)?
    let stateStore: (any StateStore)?
    let recorder: (any StepRecorder)?
    let wallClock: any WallClock
    /// Those of all outputs, by their index, and of the outputs that are wired.
    let actuators, wired: [Actuator]
    let locks: [TwoCoilLock]
    /// How long a lock of two coils is pulled: the policy's, which cannot be asked while the
    /// machine speaks.
    var lockPull: Duration
    // What decides for the shell, each a machine of its own.
    var lines: LineWatch
    var signsOfLife: SignsOfLife
    var snapshots: Snapshots
    var storeWatch: StoreWatch
    var retention: RetentionWatch
    var clock: ClockWatch

    var tally: Tally
    var asksToStore = false
    var numbering = Numbering()
    private let traces: Bool
    private var queue: [Event] = []
    /// What the machine says about an event; kept for its memory alone.
    private var effects = StepEffects.withRoom
    /// A loss of edges and all that came after it, until the levels at the loss are known.
    private var backlog: [LineEvent] = []
    private var hasBacklog = false
    private(set) var isDispatching = false
    var hasEnded = false
    /// Until when the end waits for coins that are being counted; nil while nobody wants it to end.
    var ending: Ending?
    /// What the recorder has not taken yet.
    var steps: [TraceStep] = []
    /// What the shell's machines heard and said while the machine speaks.
    var meanwhile: [TraceStep] = []
    private var onsets = Onsets()
    private var asking: Requester?
    private var answer: Answer?
    private var shownStatus: Status?

    /// A shell that has not started, all outputs of `bank` at their safe levels. Without a `store`
    /// it is a gate without a ledger, without a `stateStore` nothing outlives the process;
    /// `registers` are nil where the store tells them later.
    ///
    /// With `traces` the journal tells of events that change nothing, and of coins before it is
    /// known what becomes of them.
    public init(
        turnstile: Turnstile, bank: any LineBank, outputs: [Output: OutputLine],
        loop: any EventLoop, journal: any Journal, service: any ServiceManager,
        store: (any RecordStore)? = nil, registers: Registers? = Registers(),
        stateStore: (any StateStore)? = nil, recorder: (any StepRecorder)? = nil,
        watchdog: WatchdogPolicy = WatchdogPolicy(),
        wallClock: any WallClock,
        registerSnapshot: Duration = .seconds(4 * 3600),
        traces: Bool = false
    ) {
        machine = Exclusive(turnstile)
        self.bank = bank
        self.loop = loop
        self.journal = journal
        self.service = service
        self.store = store
        self.stateStore = stateStore
        self.recorder = recorder
        self.wallClock = wallClock
        self.traces = traces
        let machines = ShellMachines(
            inputs: turnstile.gate.equipment.inputs, outputs: outputs,
            watchdogInterval: service.watchdogInterval, watchdog: watchdog,
            registerSnapshot: registerSnapshot)
        actuators = Output.allCases.map {
            Actuator($0, machines.drives[$0.index], line: outputs[$0])
        }
        wired = actuators.filter { outputs[$0.output] != nil }
        lines = machines.lines
        signsOfLife = machines.signsOfLife
        storeWatch = machines.store
        retention = machines.retention
        snapshots = machines.registers
        clock = machines.clock
        locks = TwoCoilLock.all(of: actuators, in: machines)
        lockPull = turnstile.gate.policy.lockPull
        tally = Tally(registers)
    }

    package func isEnergised(_ output: Output) -> Bool { actuators[output.index].isEnergised }

    /// Whether it is on, by what its lines last took: a lock is while either of its coils is.
    public func isOn(_ output: Output) -> Bool {
        let actuator = actuators[output.index]
        let hold = locks.first { $0.pull === actuator }?.hold
        let isEnergised = actuator.isEnergised || hold?.isEnergised ?? false
        return isEnergised == actuator.level(toBeOn: true)
    }

    package var energised: OutputSet {
        var set = OutputSet()
        for actuator in wired where actuator.isEnergised { set[actuator.output] = true }
        return set
    }

    /// Reads the lines, starts the machine and listens from then on. What waits at the lines is
    /// told, and the start comes before it. An input that cannot be read is taken for inactive, the
    /// emergency loop for open, and told: the gate starts, and is out of service.
    public func start() throws {
        var (levels, failures) = readInputs()
        let early = takeEarlyArrivals()
        levels.revert(early[...])
        // Nobody knows that the loop is closed.
        if failures.contains(where: { $0.input == .fire }) { levels[.fire] = true }
        inputs = levels
        let now = loop.now
        let began = min(now, early.first?.time ?? now)
        recordState(at: began)
        try loop.watch(bank.descriptors) { [unowned self] ready in
            takeArrivals(at: ready)
            finishRound()
        }
        if let store {
            if tally.isAwaited { processStore(.opening(at: loop.now)) }
            try loop.watch([store.descriptor]) { [unowned self] _ in
                takeAnswers(of: store)
                finishRound()
            }
        }
        loop.onDeadline { [unowned self] in deadlineCame() }
        processLines(.started(at: now), at: now)
        processRegisters(.started(at: now))
        readClock(at: now)
        if let stateStore { processRetention(.began, in: stateStore) }
        dispatch(Event(.started(inputs), at: began))
        reportUnreadable(failures, at: began)
        catchUp(with: early, from: began, to: now)
        finishRound()
        service.notify(.ready)
    }

    /// Has the machine take the policy of the settings, at once or as soon as the gate is idle, and
    /// writes the registers down at this interval from now on. A policy that is in force, or
    /// waits, is not asked for again.
    @discardableResult
    public func change(policy: Policy, registerSnapshot: Duration) -> Answer.Result {
        guard !hasEnded else { return .refused(.outOfService) }
        drainInputs()
        processRegisters(.intervalChanged(registerSnapshot, at: loop.now))
        if let result = turnstile.result(ofSettings: policy) {
            finishRound()
            return result
        }
        return submit(.adopt(policy), by: .settings).result
    }

    /// All that the gate is doing, and why; what the outputs carry, by what their lines have taken.
    public func report() -> StatusReport {
        machine.value.report(onsets, outputs: { [self] in isOn($0) }, energised: energised)
    }

    /// Asks the gate for something, and answers with what became of it: now, since the machine
    /// never waits. What is deferred is told by a record when it is done.
    ///
    /// Nobody may ask while an event is handled, as from ``onEvent``: that ends the process. Before
    /// the start everything is refused.
    public func ask(for request: Request, by requester: Requester) -> Answer {
        precondition(!isDispatching, "a caller waits for the answer")
        guard !hasEnded else { return refuseAtEnd(request.kind, requester) }
        drainInputs()
        return submit(request, by: requester)
    }

    private func submit(_ request: Request, by requester: Requester) -> Answer {
        (asking, answer) = (requester, nil)
        dispatch(Event(.requested(request, by: requester), at: loop.now))
        asking = nil
        finishRound()
        guard let answer else { preconditionFailure("every request has an answer") }
        return answer
    }

    /// Hears of what was before somebody asks for something. What waits at the lines would come too
    /// late behind it, and a coin whose pulses are being counted would be two; a clock that was set
    /// since the last look would move an end that they took from it as it is.
    func drainInputs() {
        // Before the start it waits for the start.
        guard machine.value.gate.drive != nil else { return }
        takeArrivals(at: bank.descriptors)
        readClock(at: loop.now)
    }

    /// Nothing is driven any more once all is safe.
    private func refuseAtEnd(_ request: Request.Kind, _ requester: Requester) -> Answer {
        let status = machine.value.status
        journal.write(
            JournalEntry(
                .refused(request, by: requester, .outOfService), state: status.state.name,
                credit: status.credit))
        return Answer(request, by: requester, .refused(.outOfService))
    }

    /// Drives every output to its safe level, whatever the machine says and whichever line fails.
    public func driveSafe() {
        let now = loop.now
        for actuator in actuators {
            do throws(HardwareError) {
                try set(actuator, false, at: now) { now }
            } catch {
                journal.write(JournalEntry(.hardwareFailed(error.description)))
            }
        }
    }
}

// The funnel.
extension Controller {
    func dispatch(_ event: Event) {
        guard !isDispatching else {
            queue = queue + [event]
            return
        }
        isDispatching = true
        run(event)
        var next = 0
        while next < queue.count {
            let event = queue[next]
            next += 1
            run(event)
        }
        queue = []
        isDispatching = false
    }

    /// Drives while the machine speaks, and writes down what it said when it has spoken.
    @inline(__always) private func run(_ event: Event) {
        // Not in place: every access to what others may use as well is checked at run time.
        var effects = StepEffects()
        swap(&effects, &self.effects)
        let verdict = machine.value.handle(event) { command in
            if case .record(let record) = command { return effects.records.append(record) }
            if case .answer(let answer) = command { receive(answer) }
            if case .store = command { asksToStore = true }
            drive(command, at: event.time)
            effects.commands.append(command)
        }
        if let stateStore { retain(in: stateStore) }
        if let store, asksToStore || !effects.records.isEmpty {
            keep(effects.records, in: store, at: event.time)
        }
        onEvent?(event, verdict, effects.commands, effects.records)
        if recorder != nil { record(event, verdict, effects.commands, effects.records) }
        switch verdict {
        case .handled: if !effects.records.isEmpty { write(effects, at: event.time) }
        case .ignored(let reason):
            if traces { journal.write(JournalEntry(.ignored(event, reason))) }
        case .unhandled:
            journal.write(JournalEntry(.unhandled(event)))
        }
        effects.clear()
        swap(&effects, &self.effects)
    }

    /// Those at the gate see what became of what they asked for.
    private func receive(_ answer: Answer) {
        if answer.requester == asking { self.answer = answer }
    }

    @inline(__always) private func drive(_ command: Command, at time: Instant) {
        guard let (output, isOn) = command.target else { return }
        // Once it ends, no further coin is to set out.
        if output == .coinEnable, isOn, ending != nil { return }
        let actuator = actuators[output.index]
        energise(actuator, actuator.level(toBeOn: isOn), at: time)
    }

    private func write(_ effects: borrowing StepEffects, at time: Instant) {
        let status = machine.value.status
        for record in effects.records {
            onsets.count(record, at: time)
            if case .coinCounted = record, !traces { continue }
            journal.write(
                JournalEntry(
                    record, state: status.state.name, credit: status.credit,
                    commands: effects.commands
                ))
            apply(record)
        }
    }

    private func apply(_ record: Record) {
        count(record)
        if case .policyChanged = record { lockPull = machine.value.gate.policy.lockPull }
    }

    func drive(_ actuator: Actuator, _ energised: Bool, at time: Instant) {
        do throws(HardwareError) {
            try set(actuator, energised, at: time) { loop.now }
        } catch {
            journal.write(JournalEntry(.hardwareFailed(error.description)))
            report(.output(actuator.output), .undrivable, at: time)
        }
    }

    @inline(__always) private func set(
        _ actuator: Actuator, _ energised: Bool, at time: Instant, now: () -> Instant
    ) throws(HardwareError) {
        let wasEnergised = actuator.isEnergised
        do throws(HardwareError) {
            let heard = try actuator.drive(energised, at: time, on: bank, now: now)
            if recorder != nil { record(.output(actuator.output, heard), at: time) }
        } catch {
            if recorder != nil { record(.output(actuator.output, .refused(energised)), at: time) }
            throw error
        }
        if energised != wasEnergised { onDriven?(actuator.output, energised) }
    }
}

private struct StepEffects {
    var commands: [Command] = []
    var records: [Record] = []

    /// Nothing yet, and room for more than any event leads to.
    static var withRoom: StepEffects {
        var effects = StepEffects()
        effects.commands.reserveCapacity(64)
        effects.records.reserveCapacity(64)
        return effects
    }

    mutating func clear() {
        if !commands.isEmpty { commands.removeAll(keepingCapacity: true) }
        if !records.isEmpty { records.removeAll(keepingCapacity: true) }
    }
}

// What wakes the shell.
extension Controller {
    /// Takes what the lines report, in the order in which it happened.
    private func takeArrivals(at ready: [CInt]) {
        do throws(HardwareError) {
            try bank.takeEvents(at: ready) { event in
                if !hasBacklog, case .edge(let input, let isActive, let time) = event {
                    receive(input, isActive, at: time)
                    onLineEvent?(event)
                } else {
                    hasBacklog = true
                    backlog.append(event)
                }
            }
        } catch {
            allLinesFailed(error)
        }
        if hasBacklog { processBacklog() }
    }

    func receive(_ input: Input, _ isActive: Bool, at time: Instant) {
        dispatch(Event(.changed(input, isActive: isActive), at: time))
        var levels = inputs
        levels[input] = isActive
        inputs = levels
    }

    private func processBacklog() {
        for index in backlog.indices {
            switch backlog[index] {
            case .edge(let input, let isActive, let time): receive(input, isActive, at: time)
            case .lost(_, let time): resynchronise(at: time, before: backlog[(index + 1)...])
            }
            onLineEvent?(backlog[index])
        }
        backlog.removeAll()
        hasBacklog = false
    }

    /// Edges are missing before `later`. What the lines carried right then follows from what they
    /// carry now and from the edges since.
    func resynchronise(at time: Instant, before later: ArraySlice<LineEvent>) {
        var levels = surveyInputs(at: time)
        levels.revert(later)
        inputs = levels
        dispatch(Event(.edgesLost(levels), at: time))
    }

    private func deadlineCame() {
        let now = loop.now
        if let due = machine.value.deadline, due <= now { dispatch(Event(.timePassed, at: now)) }
        holdPulledLocks(at: now)
        for actuator in wired { process(actuator, .timePassed(now), at: now) }
        if let due = lines.deadline, due <= now { checkHealth(at: now) }
        finishRound()
    }

    func finishRound() {
        var next = Instant.earliest(machine.value.deadline, lines.deadline)
        next = .earliest(next, .earliest(locksDeadline, ending?.latest))
        for actuator in wired { next = .earliest(next, actuator.state.deadline) }
        loop.deadline = next
        let status = machine.value.status
        if status != shownStatus {
            shownStatus = status
            service.notify(.status("\(status)"))
        }
        updateWatchdog(at: loop.now)
        onChange?()
        if let recorder { handOver(to: recorder) }
        endIfReady()
    }

    /// The lines failed as a whole: without them there is nothing to control.
    func allLinesFailed(_ error: HardwareError) {
        journal.write(JournalEntry(.hardwareFailed(error.description)))
        driveSafe()
        onLoss(error)
    }
}
