public import Hardware
public import Journal
public import Keeping
public import StateMachines
public import System
public import Turnstile

/// The imperative shell: hands line events to the machine, and executes its commands.
///
/// It knows nothing of fares and passages. All events go through one funnel, ``dispatch(_:)``:
/// event, machine, commands. The consequence of a command, such as a line that cannot be driven,
/// comes back as an event behind those already queued.
public final class Controller {
    package var turnstile: Turnstile { machine.value }
    /// The last known levels of the inputs, before any debouncing.
    public internal(set) var inputs = InputLevels()
    public var watchdog: WatchdogPolicy { signsOfLife.policy }
    /// The signed note of the last collection or count; empty before the first, and while unknown.
    public internal(set) var collectionCheckpoint = ""
    /// The branch of the ledger; empty until it is open.
    public internal(set) var ledgerBranch = ""
    /// Called after every event.
    public var onEvent: ((Event, Verdict, [Command], [Record]) -> Void)?
    /// Called once the machine has handled the event and all outputs were driven.
    public var onLineEvent: ((LineEvent) -> Void)?
    /// Called once the line has taken the level; other outputs may not be driven yet.
    public var onDriven: ((Output, Bool) -> Void)?
    /// Called after every wake-up.
    public var onChange: (() -> Void)?
    /// Called with the number of a confirmation, once all before its request is durable.
    public var onConfirmed: ((UInt64) -> Void)?
    /// Called with the number of the last confirmation that fails: records before it were lost.
    public var onUnconfirmed: ((UInt64) -> Void)?
    /// Called when ``collectionCheckpoint`` or ``ledgerBranch`` changes.
    public var onLedgerChange: (() -> Void)?
    /// Called when all lines fail and the shell cannot go on.
    public var onLoss: (HardwareError) -> Void = { _ in }
    /// Called when signs of life are withheld, so that the service manager ends the service.
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
    /// Of all outputs, by index, and of the wired ones.
    let actuators, wired: [Actuator]
    let locks: [TwoCoilLock]
    /// How long a lock of two coils is pulled: a copy from the policy, which cannot be read while
    /// the machine handles an event.
    var lockPull: Duration
    // The shell's machines.
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
    /// The results of an event; a property only to reuse the memory.
    private var effects = StepEffects.withRoom
    /// A loss of edges and all later events, until the levels at the loss are known.
    private var backlog: [LineEvent] = []
    private var hasBacklog = false
    private(set) var isDispatching = false
    var hasEnded = false
    /// A pending end, which waits for coins being counted; nil for none.
    var ending: Ending?
    /// The steps that the recorder has not taken yet.
    var steps: [TraceStep] = []
    /// The steps of the shell's machines while the machine handles an event.
    var meanwhile: [TraceStep] = []
    private var onsets = Onsets()
    private var asking: Requester?
    private var answer: Answer?
    private var shownStatus: Status?

    /// A shell that has not started, all outputs of `bank` at their safe levels. `store` is the
    /// ledger; without a `stateStore` no state outlives the process; `registers` are nil if the
    /// store supplies them later.
    ///
    /// With `traces` the journal also has ignored events, and coins that are only counted.
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

    /// Whether the output is on, by its driven level; a lock, if either of its coils is.
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

    /// Reads the lines, starts the machine, hands it the queued events, and listens from then on.
    /// An unreadable input counts as inactive, an unreadable emergency loop as open: the gate
    /// starts, and is out of service.
    public func start() throws {
        var (levels, failures) = readInputs()
        let early = takeEarlyArrivals()
        levels.revert(early[...])
        // An unreadable loop may be open.
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

    /// Adopts the policy of the settings, at once or once the gate is idle, and the interval of the
    /// registers. A policy that is in force or pending is not requested again.
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

    /// The gate's status; the outputs by their driven levels, what is due by the wall clock by the
    /// calendar.
    public func report() -> StatusReport {
        machine.value.report(
            onsets, outputs: { [self] in isOn($0) }, energised: energised,
            calendar: { [self] in onCalendar($0) })
    }

    /// Makes a request of the gate, and returns the answer at once. A record tells the outcome of a
    /// deferred one. Before the start everything is refused.
    ///
    /// A request while an event is handled, as from ``onEvent``, ends the process.
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

    /// Takes pending edges and reads the clock before a request. An edge handled later would be too
    /// late, a coin being counted would count twice, and a clock set since would shift an end.
    func drainInputs() {
        // Before the start, `start()` takes them.
        guard machine.value.gate.drive != nil else { return }
        takeArrivals(at: bank.descriptors)
        readClock(at: loop.now)
    }

    /// After the end nothing may be driven any more.
    private func refuseAtEnd(_ request: Request.Kind, _ requester: Requester) -> Answer {
        let status = machine.value.status
        journal.write(
            JournalEntry(
                .refused(request, by: requester, .outOfService), state: status.state.name,
                credit: status.credit))
        return Answer(request, by: requester, .refused(.outOfService))
    }

    /// Drives every output to its safe level, without the machine, even if some lines fail.
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

    /// Drives during the machine's step, and records after it.
    @inline(__always) private func run(_ event: Event) {
        // A local copy: each access to a shared property is checked at run time.
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

    /// Only the present caller of `ask` gets an answer: people at the gate see its effect.
    private func receive(_ answer: Answer) {
        if answer.requester == asking { self.answer = answer }
    }

    @inline(__always) private func drive(_ command: Command, at time: Instant) {
        guard case .set(let output, let isOn) = command else { return }
        // During the end no further coin may be inserted.
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

    /// With room for more than any event produces.
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

// Wake-ups.
extension Controller {
    /// Takes the lines' events, in order of time.
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

    private func receive(_ input: Input, _ isActive: Bool, at time: Instant) {
        dispatch(Event(.changed(input, isActive: isActive), at: time))
        var levels = inputs
        levels[input] = isActive
        inputs = levels
    }

    private func processBacklog() {
        for index in backlog.indices { receive(backlog, at: index) }
        backlog.removeAll()
        hasBacklog = false
    }

    /// Hands the machine one of `events`; the later ones are still to come.
    func receive(_ events: [LineEvent], at index: Int) {
        switch events[index] {
        case .edge(let input, let isActive, let time): receive(input, isActive, at: time)
        case .lost(_, let time): resynchronise(at: time, before: events[(index + 1)...])
        }
        onLineEvent?(events[index])
    }

    /// Edges were lost before `later`. The levels at the loss follow from those of now and from the
    /// edges since.
    private func resynchronise(at time: Instant, before later: ArraySlice<LineEvent>) {
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

    /// Without lines there is nothing to control.
    func allLinesFailed(_ error: HardwareError) {
        journal.write(JournalEntry(.hardwareFailed(error.description)))
        driveSafe()
        onLoss(error)
    }
}
